import { Stack, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useLocation } from 'wouter'
import { Dialog } from '../../parts/dialog'
import { queries } from '../../queries'
import { operate } from '../operate'
import { FormEnd } from './form-end'

/** Makes an account, and goes to it. */
export function NewAccount({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('accounts')
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const [verified, setVerified] = useState(false)
  const make = useMutation({
    mutationFn: () => operate('POST /accounts', { body: { name, verified } }),
    async onSuccess({ id }) {
      await queries.invalidateQueries({ queryKey: ['op', 'accounts'] })
      go(`/operator/accounts/${id}`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <Dialog opened onClose={onClose} title={t('add')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('name')}
            value={name}
            dir="auto"
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={60}
            required
            withAsterisk={false}
            data-autofocus
          />
          <Switch
            label={t('verifiedLead')}
            checked={verified}
            onChange={(event) => setVerified(event.currentTarget.checked)}
          />
          <FormEnd
            action={t('make')}
            error={make.error}
            isPending={make.isPending}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
