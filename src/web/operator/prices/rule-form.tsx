import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../../parts/dialog'
import { UsdInput } from '../../parts/money/usd-input'
import { isUsd, plainNumber, usdField } from '../../typed'
import { operate } from '../operate'
import { modelTypes } from '../../../domain/model'
import { Previewed } from './previewed'
import type { Rule } from './model-detail'
import { Code } from '../../parts/panel'

interface RuleFormProps {
  /** Null for a new one. */
  readonly rule: Rule | null
  readonly onClose: () => void
}

const kinds = ['vendor', 'owner', 'type', 'model', 'everything'] as const
const bases = ['highest', 'first', 'typed'] as const

interface Typed {
  readonly kind: Rule['kind']
  readonly name: string
  readonly markup: string
  readonly fee: string
  readonly digits: string
  readonly basis: Rule['basis']
}

const typedOf = (rule: Rule | null): Typed => ({
  kind: rule?.kind ?? 'vendor',
  name: rule?.name ?? '',
  markup: rule?.markup_percent ?? '',
  fee: usdField(rule?.fee_per_call_usd ?? null),
  digits: rule?.digits === null || rule === null ? '' : String(rule.digits),
  basis: rule?.basis ?? 'highest',
})

/** A number above -100, with its sign before it as it is typed. */
const percentOf = (typed: string): string => plainNumber(typed).replace(/^−/, '-')

/** Null as long as it is no rule. */
function ruleOf({ kind, name, markup, fee, digits, basis }: Typed) {
  const percent = percentOf(markup)
  const count = plainNumber(digits)
  const isWhole =
    /^-?\d{1,5}(?:\.\d{1,6})?$/.test(percent) &&
    Number(percent) > -100 &&
    (kind === 'everything' || name.trim() !== '') &&
    (fee.trim() === '' || isUsd(fee)) &&
    (count === '' || /^(?:[1-9]|1[0-5])$/.test(count))
  if (!isWhole) return null
  return {
    kind,
    name: kind === 'everything' ? '' : name.trim(),
    markup_percent: percent,
    fee_per_call_usd: fee.trim() === '' ? null : plainNumber(fee),
    digits: count === '' ? null : Number(count),
    basis,
  }
}

/** Form of the price rule of a scope, with a preview. */
export function RuleForm({ rule, onClose }: RuleFormProps) {
  const t = useTranslations('priceRules')
  const [typed, setTyped] = useState(() => typedOf(rule))
  const set = ruleOf(typed)
  const change = (change: Partial<Typed>) => setTyped({ ...typed, ...change })
  const field = (name: 'markup' | 'fee' | 'digits') => ({
    label: t(name),
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ [name]: event.currentTarget.value }),
  })
  return (
    <Dialog opened onClose={onClose} title={t(rule === null ? 'add' : 'change')} size="lg">
      <Previewed
        thought={set === null ? null : { rule: set }}
        action={t('save')}
        save={async () => {
          if (set !== null) await operate('PUT /price-rules', { body: set })
        }}
        onClose={onClose}
      >
        {rule === null ? (
          <ScopeFields typed={typed} onChange={change} />
        ) : (
          <Text size="sm">
            {t(rule.kind)} <Code>{rule.name}</Code>
          </Text>
        )}
        <TextInput
          {...field('markup')}
          description={t('markupLead')}
          inputMode="decimal"
          data-autofocus
        />
        <UsdInput {...field('fee')} description={t('feeLead')} />
        <TextInput {...field('digits')} description={t('digitsLead')} inputMode="numeric" />
        <NativeSelect
          label={t('basis')}
          description={t('basisLead')}
          value={typed.basis}
          data={bases.map((value) => ({ value, label: t(value) }))}
          onChange={(event) => {
            const basis = bases.find((each) => each === event.currentTarget.value)
            if (basis !== undefined) change({ basis })
          }}
        />
      </Previewed>
    </Dialog>
  )
}

interface ScopeFieldsProps {
  readonly typed: Typed
  readonly onChange: (change: Partial<Typed>) => void
}

/** Scope of a rule. */
function ScopeFields({ typed: { kind, name }, onChange }: ScopeFieldsProps) {
  const t = useTranslations('priceRules')
  const inFamilies = useTranslations('families')
  const vendors = useQuery({
    queryKey: ['op', 'vendors'],
    queryFn: () => operate('GET /vendors', {}),
  })
  const names = (vendors.data?.data ?? []).map((vendor) => vendor.name)
  const choices =
    kind === 'vendor'
      ? names.map((value) => ({ value, label: value }))
      : kind === 'type'
        ? modelTypes.map((value) => ({ value, label: inFamilies(value) }))
        : null
  return (
    <>
      <NativeSelect
        label={t('scope')}
        value={kind}
        data={kinds.map((value) => ({ value, label: t(value) }))}
        onChange={(event) => {
          const chosen = kinds.find((each) => each === event.currentTarget.value)
          if (chosen !== undefined) onChange({ kind: chosen, name: '' })
        }}
      />
      {choices !== null && (
        <NativeSelect
          label={t(kind)}
          value={name}
          data={[{ value: '', label: t('choose') }, ...choices]}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      )}
      {(kind === 'owner' || kind === 'model') && (
        <TextInput
          label={t(kind)}
          placeholder={kind === 'owner' ? 'openai' : 'openai/gpt-5'}
          value={name}
          dir="ltr"
          maxLength={256}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      )}
    </>
  )
}
