import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { ApiError } from '../../client'

interface SecretFieldProps {
  readonly label: string
  readonly lead: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isNeeded?: boolean
  readonly isFirst?: boolean
}

/** Field of a credential at a vendor: browsers are not to keep it. */
export const SecretField = (props: SecretFieldProps) => (
  <Textarea
    label={props.label}
    description={props.lead}
    value={props.value}
    onChange={(event) => props.onChange(event.currentTarget.value)}
    autoComplete="off"
    spellCheck={false}
    dir="ltr"
    autosize
    minRows={1}
    required={props.isNeeded === true}
    withAsterisk={false}
    {...(props.isFirst === true ? { 'data-autofocus': true } : {})}
  />
)

interface ForceSwitchProps {
  /** Of the last try to save. */
  readonly error: unknown
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

/** Switch that saves a vendor although its trial failed. */
export function ForceSwitch({ error, isOn, onChange }: ForceSwitchProps) {
  const t = useTranslations('vendorForm')
  const isTrial = error instanceof ApiError && error.code === 'vendor_trial_failed'
  if (!isTrial && !isOn) return null
  return (
    <Switch
      label={t('force')}
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

/** Fields of a vendor, as they are typed. */
export interface TypedVendor {
  readonly name: string
  readonly kind: string
  /** Empty: told by the address. */
  readonly dialect: string
  readonly address: string
  readonly timeout: string
  /** Empty: as the setting says. */
  readonly firstToken: string
  readonly transport: 'own' | 'fetch'
  readonly margin: string
}

interface VendorKind {
  readonly kind: string
  readonly base_url: string | null
  readonly dialects: readonly string[]
}

interface PlaceFieldsProps {
  readonly typed: TypedVendor
  readonly kinds: readonly VendorKind[]
  readonly onType: (change: Partial<TypedVendor>) => void
}

/** Fields of a vendor's kind, dialect and base address. */
export function PlaceFields({ typed, kinds, onType }: PlaceFieldsProps) {
  const t = useTranslations('vendorForm')
  const chosen = kinds.find(({ kind }) => kind === typed.kind)
  const own = chosen?.base_url ?? null
  return (
    <>
      <NativeSelect
        label={t('kind')}
        value={typed.kind}
        onChange={(event) => onType({ kind: event.currentTarget.value, dialect: '' })}
        data={kinds.map(({ kind }) => kind)}
        dir="ltr"
      />
      <TextInput
        label={t('address')}
        description={own === null ? t('addressLead') : t('addressOwn', { address: own })}
        value={typed.address}
        onChange={(event) => onType({ address: event.currentTarget.value })}
        type="url"
        dir="ltr"
        maxLength={500}
        required={own === null}
        withAsterisk={false}
        spellCheck={false}
      />
      <NativeSelect
        label={t('dialect')}
        value={typed.dialect}
        onChange={(event) => onType({ dialect: event.currentTarget.value })}
        data={[
          { value: '', label: t('byAddress') },
          ...(chosen?.dialects ?? []).map((value) => ({ value, label: value })),
        ]}
      />
    </>
  )
}

/** Optional fields of a vendor (timeouts, transport, margin), whose defaults suit nearly all. */
export function WayFields({ typed, onType }: Omit<PlaceFieldsProps, 'kinds'>) {
  const t = useTranslations('vendorForm')
  return (
    <>
      <TextInput
        label={t('timeout')}
        value={typed.timeout}
        onChange={(event) => onType({ timeout: event.currentTarget.value })}
        inputMode="numeric"
        dir="ltr"
      />
      <TextInput
        label={t('firstToken')}
        description={t('firstTokenLead')}
        value={typed.firstToken}
        onChange={(event) => onType({ firstToken: event.currentTarget.value })}
        inputMode="numeric"
        dir="ltr"
      />
      <NativeSelect
        label={t('transport')}
        value={typed.transport}
        onChange={(event) =>
          onType({ transport: event.currentTarget.value === 'fetch' ? 'fetch' : 'own' })
        }
        data={[
          { value: 'own', label: t('own') },
          { value: 'fetch', label: 'fetch' },
        ]}
      />
      <TextInput
        label={t('margin')}
        description={t('marginLead')}
        value={typed.margin}
        onChange={(event) => onType({ margin: event.currentTarget.value })}
        inputMode="decimal"
        dir="ltr"
      />
    </>
  )
}
