import { Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocation } from 'wouter'
import { queries } from '../../queries'
import { operate } from '../operate'
import { FormDialog } from '../../parts/form'

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
  return (
    <FormDialog title={t('add')} action={t('make')} saving={make} onClose={onClose}>
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
    </FormDialog>
  )
}
