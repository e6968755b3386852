import { Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ApiError } from '../../client'
import { useNumbers } from '../../numbers'
import { UsdInput } from '../../parts/money/usd-input'
import { plainNumber } from '../../typed'
import { operate } from '../operate'
import { readAccountAgain, type Account } from './account'
import { Soft } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'
import { useTyped } from '../../parts/form'

interface MoveMoneyProps {
  readonly account: Account
  readonly kind: 'topup' | 'adjust'
  readonly onClose: () => void
}

const texts = {
  topup: { lead: 'topupLead', now: 'topupNow' },
  adjust: { lead: 'adjustLead', now: 'adjustNow' },
} as const

const isBelowZero = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'balance_below_zero'

const isAmount = (text: string): boolean =>
  /^-?\d{1,7}(?:\.\d{1,9})?$/.test(text) && Number(text) !== 0

/** Reference of one movement, however often the button is pressed: it counts once. */
const freshReference = (kind: string): string => `${kind}-${crypto.randomUUID()}`

/** Puts money on an account, or corrects its balance. */
export function MoveMoney({ account, kind, onClose }: MoveMoneyProps) {
  const t = useTranslations('money')
  const { usd: shown } = useNumbers()
  const { typed, setTyped, field } = useTyped({
    usd: '',
    reason: '',
    reference: freshReference(kind),
    isPrivate: false,
    belowZero: false,
  })
  const move = useMutation({
    mutationFn: () => send(account.id, kind, typed),
    async onSuccess() {
      await readAccountAgain()
      onClose()
    },
  })
  const amount = plainNumber(typed.usd)
  const isAllowed = isAmount(amount) && (kind === 'adjust' || Number(amount) > 0)
  return (
    <FormDialog
      title={t(kind)}
      action={isAllowed ? t(texts[kind].now, { amount: shown(amount, 9) }) : t(kind)}
      isReady={isAllowed}
      saving={move}
      onClose={onClose}
    >
      <Soft>
        {t(texts[kind].lead, { name: account.name, balance: shown(account.balance_usd) })}
      </Soft>
      <UsdInput
        label={t('amount')}
        {...field('usd')}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        label={t(kind === 'adjust' ? 'reason' : 'note')}
        description={kind === 'adjust' ? t('reasonLead') : null}
        {...field('reason')}
        required={kind === 'adjust'}
        withAsterisk={false}
        maxLength={500}
      />
      <ReferenceField
        value={typed.reference}
        onChange={(reference) => setTyped({ ...typed, reference })}
      />
      <Consents
        isAdjusting={kind === 'adjust'}
        needsConsent={isBelowZero(move.error)}
        typed={typed}
        onChange={(change) => setTyped({ ...typed, ...change })}
      />
    </FormDialog>
  )
}

interface ReferenceFieldProps {
  readonly value: string
  readonly onChange: (reference: string) => void
}

function ReferenceField({ value, onChange }: ReferenceFieldProps) {
  const t = useTranslations('money')
  return (
    <TextInput
      label={t('reference')}
      description={t('referenceLead')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      required
      withAsterisk={false}
      dir="ltr"
      maxLength={200}
    />
  )
}

interface ConsentsProps {
  readonly isAdjusting: boolean
  readonly needsConsent: boolean
  readonly typed: Typed
  readonly onChange: (change: Partial<Typed>) => void
}

/** Consents that a correction needs before it is made. */
function Consents({ isAdjusting, needsConsent, typed, onChange }: ConsentsProps) {
  const t = useTranslations('money')
  return (
    <>
      {isAdjusting && (
        <Checkbox
          label={t('private')}
          checked={typed.isPrivate}
          onChange={(event) => onChange({ isPrivate: event.currentTarget.checked })}
        />
      )}
      {needsConsent && (
        <Checkbox
          label={t('belowZero')}
          checked={typed.belowZero}
          onChange={(event) => onChange({ belowZero: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

interface Typed {
  readonly usd: string
  readonly reason: string
  readonly reference: string
  readonly isPrivate: boolean
  readonly belowZero: boolean
}

async function send(id: number, kind: MoveMoneyProps['kind'], typed: Typed): Promise<unknown> {
  const { reason, reference } = typed
  const usd = plainNumber(typed.usd)
  const params = { id }
  if (kind === 'topup')
    return await operate('POST /accounts/{id}/topups', {
      params,
      body: { usd, reference, ...(reason.trim() === '' ? {} : { note: reason }) },
    })
  return await operate('POST /accounts/{id}/adjustments', {
    params,
    body: { usd, reason, reference, private: typed.isPrivate, below_zero: typed.belowZero },
  })
}
