import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { callNanos, coinsOf, usdOfNanos } from '../../call-price'
import { fieldsOf, textSizes, type CalculatorField, type TextSize } from '../../calculator-fields'
import { useMeterWords } from '../../meter-words'
import { useNumbers } from '../../numbers'
import type { Model } from '../../sold-models'
import { plainNumber } from '../../typed'
import { Panel } from '../panel'

const usualCalls = '1000'
const maxCount = 1_000_000_000

/** @returns null for what is no count from 0 */
function countOf(typed: string): number | null {
  const text = plainNumber(typed)
  if (text === '') return 0
  const count = Number(text)
  return /^\d+(?:\.\d+)?$/.test(text) && count <= maxCount ? count : null
}

/** Whole units of what was typed: of minutes their seconds. */
const unitsOf = ({ kind }: CalculatorField, count: number): number =>
  Math.round(kind === 'minutes' ? count * 60 : count)

/** Typed text of a field, and the meter that it is of. */
interface Typed {
  readonly text: string
  readonly meter: string
}

/** Calculator of a call's price, by the rates that it will be charged by. */
export function PriceCalculator({ model }: { readonly model: Model }) {
  const t = useTranslations('calculator')
  const fields = fieldsOf(model.rates)
  const [typed, setTyped] = useState<Readonly<Record<string, Typed>>>({})
  const [calls, setCalls] = useState(usualCalls)
  const typedIn = (field: CalculatorField): Typed =>
    typed[keyOf(field)] ?? { text: field.preset, meter: field.meters[0] ?? field.base }
  const set = (field: CalculatorField, change: Partial<Typed>) =>
    setTyped({ ...typed, [keyOf(field)]: { ...typedIn(field), ...change } })
  const take = (size: TextSize) => {
    const sizes: Readonly<Record<string, string>> = textSizes[size]
    const taken = fields.filter(({ base }) => base in sizes)
    setTyped({
      ...typed,
      ...Object.fromEntries(
        taken.map((field) => [
          keyOf(field),
          { ...typedIn(field), text: sizes[field.base] ?? field.preset },
        ]),
      ),
    })
  }
  const units: Record<string, number> = {}
  for (const field of fields) {
    const { text, meter } = typedIn(field)
    units[meter] = unitsOf(field, countOf(text) ?? 0)
  }
  const field = (each: CalculatorField) => (
    <Field
      key={keyOf(each)}
      field={each}
      typed={typedIn(each)}
      onChange={(change) => set(each, change)}
    />
  )
  const rare = fields.filter(({ isRare }) => isRare)
  const isText = fields.some(({ base }) => base === 'output')
  return (
    <Panel id="calculator" title={t('title')} lead={t('lead')}>
      {isText && <TextSizes onTake={take} />}
      <div className="filters" style={{ marginBlockStart: 16 }}>
        {fields.filter(({ isRare }) => !isRare).map(field)}
        <CountField label={t('calls')} value={calls} onChange={setCalls} />
      </div>
      {rare.length > 0 && (
        <details className="more" style={{ marginBlockStart: 12 }}>
          <summary>{t('more')}</summary>
          <div className="filters">{rare.map(field)}</div>
        </details>
      )}
      <Sum
        nanos={callNanos(units, model.rates)}
        calls={Math.round(countOf(calls) ?? 0)}
        rate={model.coins_per_usd}
      />
    </Panel>
  )
}

/** Tools and partial pictures have a field each. */
const keyOf = ({ base, meters }: CalculatorField): string =>
  meters.length === 1 ? (meters[0] ?? base) : base

function TextSizes({ onTake }: { readonly onTake: (size: TextSize) => void }) {
  const t = useTranslations('calculator')
  return (
    <Group gap="xs" mt="sm" role="group" aria-label={t('usual')}>
      {(['short', 'talk', 'document'] as const).map((size) => (
        <Button key={size} size="compact-sm" variant="light" onClick={() => onTake(size)}>
          {t(size)}
        </Button>
      ))}
    </Group>
  )
}

interface FieldProps {
  readonly field: CalculatorField
  readonly typed: Typed
  readonly onChange: (change: Partial<Typed>) => void
}

function Field({ field, typed, onChange }: FieldProps) {
  const t = useTranslations('calculator')
  const { meter } = useMeterWords()
  const { base, kind, meters } = field
  const { name, variant } = meter(meters[0] ?? base)
  // Of one of several the choice tells which.
  const named = meters.length > 1 || variant === null ? name : `${name} \u2066${variant}\u2069`
  return (
    <>
      {meters.length > 1 && (
        <NativeSelect
          label={`${name}: ${t('variant')}`}
          value={typed.meter}
          onChange={(event) => onChange({ meter: event.currentTarget.value })}
          data={meters.map((value) => ({ value, label: meter(value).variant ?? value }))}
        />
      )}
      <CountField
        label={t(kind, { meter: named })}
        value={typed.text}
        onChange={(text) => onChange({ text })}
      />
    </>
  )
}

interface CountFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function CountField({ label, value, onChange }: CountFieldProps) {
  const t = useTranslations('calculator')
  const { locale, digits } = useNumbers()
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={locale === 'fa' ? digits(value) : value}
      maxLength={12}
      error={countOf(value) === null ? t('wrong') : null}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface SumProps {
  readonly nanos: bigint
  readonly calls: number
  readonly rate: string | null
}

function Sum({ nanos, calls, rate }: SumProps) {
  const t = useTranslations('calculator')
  const { count } = useNumbers()
  return (
    <dl className="calculated" aria-live="polite">
      <dt>{t('one')}</dt>
      <Amount nanos={nanos} rate={rate} />
      <dt>{t('all', { count: calls, shown: count(calls) })}</dt>
      <Amount nanos={nanos * BigInt(calls)} rate={rate} isSum />
    </dl>
  )
}

interface AmountProps {
  readonly nanos: bigint
  readonly rate: string | null
  readonly isSum?: boolean
}

function Amount({ nanos, rate, isSum = false }: AmountProps) {
  const { usd, tomans } = useNumbers()
  const dollars = usdOfNanos(nanos)
  return (
    <dd className={isSum ? 'figure' : ''}>
      <span className="number">{usd(dollars, 9)}</span>
      {rate !== null && (
        <Text component="span" size="sm" className="soft number">
          {tomans(coinsOf(dollars, rate))}
        </Text>
      )}
    </dd>
  )
}
