import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { Dialog } from '../../parts/dialog'
import { Failed } from '../../parts/failed'
import { plainNumber } from '../../typed'
import { operate, type Result } from '../operate'
import { ForceSwitch, PlaceFields, SecretField, WayFields, type TypedVendor } from './fields'
import { ModelNames } from './model-names'
import { TrialResult } from './trial-result'
import { readVendorsAgain, useVendorKinds, vendorPath } from './vendor'
import { FormDialog } from '../../parts/form-dialog'

type Added = Result<'POST /vendors'>

const blank: TypedVendor = {
  name: '',
  kind: 'openai',
  dialect: '',
  address: '',
  timeout: '',
  firstToken: '',
  transport: 'own',
  margin: '',
}

/** Page of a new vendor: it is tried, then saved, then its models are shown. */
export function AddVendor({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('vendorForm')
  const [typed, setTyped] = useState(blank)
  const [key, setKey] = useState('')
  const [isOff, setOff] = useState(false)
  const [force, setForce] = useState(false)
  const kinds = useVendorKinds()
  const add = useMutation({
    mutationFn: () =>
      operate('POST /vendors', {
        body: {
          name: typed.name.trim(),
          kind: typed.kind,
          ...placeOf(typed),
          ...(key.trim() === '' ? {} : { api_key: key.trim() }),
          ...(isOff ? { active: false } : {}),
          test: true,
          force,
        },
      }),
    onSuccess: readVendorsAgain,
  })
  const type = (change: Partial<TypedVendor>) => setTyped((before) => ({ ...before, ...change }))
  if (add.data !== undefined) return <VendorAdded added={add.data} onClose={onClose} />
  return (
    <FormDialog
      title={t('add')}
      size="lg"
      action={t('submit')}
      isReady={typed.name.trim() !== ''}
      saving={add}
      onClose={onClose}
    >
      <Failed error={kinds.error} />
      <TextInput
        label={t('name')}
        description={t('nameLead')}
        value={typed.name}
        onChange={(event) => type({ name: event.currentTarget.value })}
        dir="ltr"
        maxLength={64}
        required
        withAsterisk={false}
        data-autofocus
      />
      <PlaceFields typed={typed} kinds={kinds.data?.data ?? []} onType={type} />
      <SecretField label={t('key')} lead={t('keyLead')} value={key} onChange={setKey} />
      <details className="more">
        <summary>{t('more')}</summary>
        <Stack>
          <WayFields typed={typed} onType={type} />
          <Switch
            label={t('off')}
            checked={isOff}
            onChange={(event) => setOff(event.currentTarget.checked)}
          />
        </Stack>
      </details>
      <ForceSwitch error={add.error} isOn={force} onChange={setForce} />
    </FormDialog>
  )
}

/** Typed fields of a vendor, without those left to their defaults. */
function placeOf({ address, dialect, timeout, firstToken, transport, margin }: TypedVendor) {
  return {
    ...(address.trim() === '' ? {} : { base_url: address.trim() }),
    ...(dialect === '' ? {} : { dialect }),
    ...(timeout.trim() === '' ? {} : { timeout_seconds: Number(plainNumber(timeout)) }),
    ...(firstToken.trim() === ''
      ? {}
      : { first_token_timeout_seconds: Number(plainNumber(firstToken)) }),
    ...(transport === 'own' ? {} : { transport }),
    ...(margin.trim() === '' ? {} : { margin_percent: plainNumber(margin) }),
  }
}

function VendorAdded({ added, onClose }: { readonly added: Added; readonly onClose: () => void }) {
  const t = useTranslations('vendorForm')
  const { vendor, trial, on_sale: sold, proposed } = added
  const { name } = vendor
  return (
    <Dialog opened onClose={onClose} title={t('done', { name })} size="lg">
      <Stack>
        {trial !== null && <TrialResult trial={trial} />}
        <Text size="sm">{t('sold', { count: sold.length })}</Text>
        <ModelNames names={sold} />
        {proposed.length > 0 && <Text size="sm">{t('proposed', { count: proposed.length })}</Text>}
        <Group justify="flex-end">
          <Button component={Link} href={vendorPath(name)} data-autofocus>
            {t('open', { name })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
