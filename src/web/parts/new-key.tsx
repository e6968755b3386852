import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { limitsOf, newKeyValues, type Key, type KeyValues, type Project } from '../key-values'
import { Dialog } from './dialog'
import { KeyForm } from './key-form'
import { KeyMade } from './key-made'

interface NewKeyProps {
  readonly projects: readonly Project[]
  readonly opened: boolean
  readonly onClose: () => void
}

/** Dialog that makes a key. Its secret is gone with the dialog, so only its own button closes it then. */
export function NewKey({ projects, opened, onClose }: NewKeyProps) {
  const t = useTranslations('keys')
  const queries = useQueryClient()
  const [made, setMade] = useState<(Key & { readonly secret: string }) | null>(null)
  const make = useMutation({
    mutationFn: (values: KeyValues) =>
      ask(api.keys.post({ ...limitsOf(values, Date.now()), project: Number(values.project) })),
    onSuccess(key) {
      setMade(key)
      return queries.invalidateQueries({ queryKey: ['keys'] })
    },
  })
  const end = () => {
    setMade(null)
    make.reset()
    onClose()
  }
  const isOpen = made === null
  return (
    <Dialog
      opened={opened}
      onClose={end}
      title={t(isOpen ? 'add' : 'made')}
      size="lg"
      isHeld={!isOpen}
    >
      {isOpen ? (
        <KeyForm
          initial={newKeyValues(projects.find(({ active }) => active)?.id ?? 0)}
          projects={projects}
          spent="0"
          expiresAt={null}
          submit={t('create')}
          busy={make.isPending}
          error={make.error}
          onSubmit={(values) => make.mutate(values)}
          onCancel={end}
        />
      ) : (
        <KeyMade made={made} onSaved={end} />
      )}
    </Dialog>
  )
}
