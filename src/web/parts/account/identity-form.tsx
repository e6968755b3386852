import { Button, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  CalendarDate,
  GregorianCalendar,
  PersianCalendar,
  toCalendar,
  today,
} from '@internationalized/date'
import { api, ask } from '../../client'
import { isNationalCode } from '../../national-code'
import { useNumbers } from '../../numbers'
import { Failed } from '../failed'
import { Form } from '../form'

interface IdentityFormProps {
  readonly isAgain: boolean
  readonly onSent: () => Promise<void>
}

const nothingTyped = { firstName: '', lastName: '', nationalCode: '', year: '', month: '', day: '' }

/** Form of an account holder's identity: name, national code, date of birth. */
export function IdentityForm({ isAgain, onSent }: IdentityFormProps) {
  const t = useTranslations('verify')
  const [kept, setTyped] = useState(nothingTyped)
  const typed = { ...kept, day: dayOf(kept) }
  const [agrees, setAgrees] = useState(false)
  const send = useMutation({
    mutationFn: () =>
      ask(
        api.verification.post({
          first_name: typed.firstName,
          last_name: typed.lastName,
          national_code: typed.nationalCode,
          birth_date: isoBirthDate(Number(typed.year), Number(typed.month), Number(typed.day)),
          consent: true,
        }),
      ),
    onSuccess: onSent,
  })
  const set = (name: keyof typeof nothingTyped) => (value: string) =>
    setTyped((before) => ({ ...before, [name]: value }))
  const isWhole = Object.values(typed).every((each) => each.trim() !== '')
  const isCode = isNationalCode(typed.nationalCode)
  const submit = () => {
    if (isWhole && isCode && agrees) send.mutate()
  }
  return (
    <Form className="card panel" onSubmit={submit}>
      <Stack maw={480}>
        <TextInput
          label={t('firstName')}
          autoComplete="given-name"
          value={typed.firstName}
          maxLength={60}
          onChange={(event) => set('firstName')(event.currentTarget.value)}
        />
        <TextInput
          label={t('lastName')}
          autoComplete="family-name"
          value={typed.lastName}
          maxLength={60}
          onChange={(event) => set('lastName')(event.currentTarget.value)}
        />
        <NationalCodeInput value={typed.nationalCode} onChange={set('nationalCode')} />
        <BirthDate typed={typed} set={set} />
        <Switch
          label={t('consent')}
          checked={agrees}
          onChange={(event) => setAgrees(event.currentTarget.checked)}
        />
        <Failed error={send.error} />
        <Button
          type="submit"
          loading={send.isPending}
          disabled={!isWhole || !isCode || !agrees}
          className="form-end"
        >
          {t(isAgain ? 'again' : 'send')}
        </Button>
      </Stack>
    </Form>
  )
}

interface NationalCodeInputProps {
  readonly value: string
  readonly onChange: (typed: string) => void
}

/** Says a slip once the field is left: before that everything is one. */
function NationalCodeInput({ value, onChange }: NationalCodeInputProps) {
  const t = useTranslations('verify')
  const errors = useTranslations('errors')
  const [isLeft, setLeft] = useState(false)
  const isSlip = isLeft && value !== '' && !isNationalCode(value)
  return (
    <TextInput
      label={t('nationalCode')}
      description={t('nationalCodeHint')}
      inputMode="numeric"
      autoComplete="off"
      maxLength={14}
      classNames={{ input: 'phone-input' }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => setLeft(true)}
      error={isSlip ? errors('national_code_invalid') : null}
    />
  )
}

const numberOf = (text: string): number | null => (text === '' ? null : Number(text))

/** Without one that the month, once it was chosen, does not have. */
const dayOf = ({ year, month, day }: typeof nothingTyped): string =>
  Number(day) > daysIn(numberOf(year), numberOf(month)) ? '' : day

interface BirthDateProps {
  readonly typed: typeof nothingTyped
  readonly set: (name: 'day' | 'month' | 'year') => (value: string) => void
}

/** Three selects: nobody scrolls a calendar back to the year of their birth. */
function BirthDate({ typed, set }: BirthDateProps) {
  const t = useTranslations('verify')
  const { digits, locale } = useNumbers()
  const id = useId()
  const empty = (label: string) => ({ value: '', label })
  const last = daysIn(numberOf(typed.year), numberOf(typed.month))
  const days = Array.from({ length: last }, (_, at) => String(at + 1))
  const select = (name: 'day' | 'month' | 'year', options: { value: string; label: string }[]) => (
    <NativeSelect
      aria-label={t(name)}
      data={[empty(t(name)), ...options]}
      value={typed[name]}
      onChange={(event) => set(name)(event.currentTarget.value)}
    />
  )
  return (
    <fieldset className="plain-fieldset" aria-labelledby={id}>
      <Text id={id} size="sm" fw={500} mb={4}>
        {t('birthDate')}
      </Text>
      <div className="three-selects">
        {select(
          'day',
          days.map((value) => ({ value, label: digits(value) })),
        )}
        {select(
          'month',
          monthNames(locale).map((label, at) => ({ value: String(at + 1), label })),
        )}
        {select(
          'year',
          birthYears().map((each) => ({ value: String(each), label: digits(String(each)) })),
        )}
      </div>
    </fieldset>
  )
}

const persian = new PersianCalendar()
const gregorian = new GregorianCalendar()
const oldestYears = 110
const monthsInYear = 12

/** Years of the Solar Hijri calendar that somebody may be born in, the last one first. */
function birthYears(): readonly number[] {
  const { year } = toCalendar(today('UTC'), persian)
  return Array.from({ length: oldestYears }, (_, at) => year - at)
}

/** Names of its months, as the language writes them. */
const monthNames = (locale: string): readonly string[] => {
  const format = new Intl.DateTimeFormat(
    locale === 'fa' ? 'fa-IR-u-ca-persian' : 'en-u-ca-persian',
    { month: 'long', timeZone: 'UTC' },
  )
  return Array.from({ length: monthsInYear }, (_, at) =>
    format.format(new CalendarDate(persian, 1400, at + 1, 1).toDate('UTC')),
  )
}

/** Days of a month; the most that it can have where the year is not known yet. */
const daysIn = (year: number | null, month: number | null): number =>
  month === null ? 31 : persian.getDaysInMonth(new CalendarDate(persian, year ?? 1399, month, 1))

/** `YYYY-MM-DD` of the Gregorian calendar. */
const isoBirthDate = (year: number, month: number, day: number): string =>
  toCalendar(new CalendarDate(persian, year, month, day), gregorian).toString()
