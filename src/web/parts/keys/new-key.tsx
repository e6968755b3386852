import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Alert, Button, Group, Stack } from '@mantine/core'
import { api, ask } from '../../client'
import { limitsOf, newKeyValues, type Key, type KeyValues, type Project } from '../../key-values'
import { Dialog } from '../dialog'
import { KeyForm } from './key-form'
import { samples } from '../../samples'
import { CopyOnce } from '../copy-once'
import { SampleTabs } from './sample-tabs'
import { TryKey } from './try-key'

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

/** Stands in samples where the key may use no model. */
const modelUnlessKnown = 'MODEL'

interface KeyMadeProps {
  readonly made: Key & { readonly secret: string }
  readonly onSaved: () => void
}

/** Secret of a new key, this once, and samples that have it in them. */
function KeyMade({ made, onSaved }: KeyMadeProps) {
  const t = useTranslations('keyMade')
  const service = useQuery({ queryKey: ['service'], queryFn: () => ask(api.service.get()) })
  const baseUrl = service.data?.base_url ?? `${location.origin}/v1`
  const trial = useQuery({
    queryKey: ['key', made.id, 'trial'],
    queryFn: () => ask(api.keys({ id: made.id }).trial.get()),
  })
  const model = trial.data?.model ?? null
  const facts = { baseUrl, key: made.secret, model: model ?? modelUnlessKnown }
  return (
    <Stack>
      <Alert className="notice">{t('lead')}</Alert>
      <CopyOnce text={made.secret} label={t('secret')} />
      <CopyOnce text={baseUrl} label={t('address')} />
      <SampleTabs samples={samples} facts={facts} />
      {trial.data !== undefined && (
        <TryKey secret={made.secret} model={model} isSandbox={trial.data.sandbox} />
      )}
      <Group justify="flex-end">
        <Button onClick={onSaved}>{t('saved')}</Button>
      </Group>
    </Stack>
  )
}
