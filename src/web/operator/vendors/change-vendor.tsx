import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocation } from 'wouter'
import { Failed } from '../../parts/failed'
import { plainNumber } from '../../typed'
import { operate } from '../operate'
import { ForceSwitch, PlaceFields, WayFields, type TypedVendor } from './fields'
import { readVendorsAgain, useVendorKinds, type Vendor, vendorPath } from './vendor'
import { FormDialog } from '../../parts/form-dialog'

interface ChangeVendorProps {
  readonly vendor: Vendor
  readonly onClose: () => void
}

/** Address, transport and name of a vendor; what is not touched stays. */
export function ChangeVendor({ vendor, onClose }: ChangeVendorProps) {
  const t = useTranslations('vendorForm')
  const [, go] = useLocation()
  const was = typedOf(vendor)
  const [typed, setTyped] = useState(was)
  const [force, setForce] = useState(false)
  const kinds = useVendorKinds()
  const save = useMutation({
    mutationFn: () =>
      operate('PATCH /vendors/{name}', {
        params: { name: vendor.name },
        body: { ...changesOf(was, typed), test: true, force },
      }),
    async onSuccess({ vendor: { name } }) {
      onClose()
      if (name !== vendor.name) go(vendorPath(name), { replace: true })
      await readVendorsAgain()
    },
  })
  const type = (change: Partial<TypedVendor>) => setTyped((before) => ({ ...before, ...change }))
  return (
    <FormDialog
      title={t('change', { name: vendor.name })}
      size="lg"
      action={t('save')}
      isReady={kinds.data !== undefined}
      saving={save}
      onClose={onClose}
    >
      <Failed error={kinds.error} />
      <PlaceFields typed={typed} kinds={kinds.data?.data ?? []} onType={type} />
      <WayFields typed={typed} onType={type} />
      <TextInput
        label={t('name')}
        description={t('nameLead')}
        value={typed.name}
        onChange={(event) => type({ name: event.currentTarget.value })}
        dir="ltr"
        maxLength={64}
        disabled={vendor.source !== 'command'}
      />
      <ForceSwitch error={save.error} isOn={force} onChange={setForce} />
    </FormDialog>
  )
}

const typedOf = (vendor: Vendor): TypedVendor => ({
  name: vendor.name,
  kind: vendor.kind,
  dialect: vendor.dialect,
  address: vendor.base_url,
  timeout: String(vendor.timeout_seconds),
  firstToken: String(vendor.first_token_timeout_seconds ?? ''),
  transport: vendor.transport === 'fetch' ? 'fetch' : 'own',
  margin: vendor.margin_percent ?? '',
})

/** Changed fields of a vendor. */
function changesOf(was: TypedVendor, typed: TypedVendor) {
  const { name, kind, dialect, address, timeout, firstToken, transport, margin } = typed
  return {
    ...(name.trim() === was.name ? {} : { rename: name.trim() }),
    ...(kind === was.kind ? {} : { kind }),
    ...(dialect === was.dialect || dialect === '' ? {} : { dialect }),
    ...(address.trim() === was.address || address.trim() === ''
      ? {}
      : { base_url: address.trim() }),
    ...(timeout === was.timeout ? {} : { timeout_seconds: Number(plainNumber(timeout)) }),
    ...(firstToken.trim() === was.firstToken
      ? {}
      : {
          first_token_timeout_seconds:
            firstToken.trim() === '' ? null : Number(plainNumber(firstToken)),
        }),
    ...(transport === was.transport ? {} : { transport }),
    ...(margin === was.margin ? {} : { margin_percent: plainNumber(margin) }),
  }
}
