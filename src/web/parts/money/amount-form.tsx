import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { presets, usdOfCoins } from '../../money-amounts'
import { useNumbers } from '../../numbers'
import { queries } from '../../queries'
import { plainNumber } from '../../typed'
import { Failed } from '../failed'
import { Soft } from '../panel'
import { Form } from '../form'

type Answer = NonNullable<Awaited<ReturnType<(typeof api)['top-ups']['get']>>['data']>
export type Offer = Answer['offer']

/** Props of a way to pay by card: the way, and the offer. */
export interface PayProps {
  readonly way: Offer['ways'][number]
  readonly offer: Offer
}

interface AmountFormProps extends PayProps {
  /** Coins per dollar; null where dollars are paid. */
  readonly rate: string | null
}

const minUsd = 1
const usualPreset = 2
/** Whole coins, or dollars and cents. */
const shapes = { coins: /^\d{1,9}$/, usd: /^\d{1,5}(?:\.\d{1,2})?$/ }

/** Form of an amount to pay by card, and the way to the bank. */
export function AmountForm({ way, offer, rate }: AmountFormProps) {
  const t = useTranslations('credit')
  const shown = useShownAmount(rate)
  const paidIn = rate === null ? 'usd' : 'coins'
  const [preset, setPreset] = useState<number>(presets[paidIn][usualPreset])
  const [other, setOther] = useState('')
  const typed = plainNumber(other)
  const isTyped = typed !== ''
  const amount = isTyped ? Number(typed) : preset
  const min = rate === null ? minUsd : offer.minimum_coins
  const isValid = shapes[paidIn].test(String(amount)) && amount >= min
  const pay = usePay({ way, offer, rate })
  return (
    <Form
      onSubmit={() => {
        if (isValid && !pay.isPending) pay.mutate(amount)
      }}
    >
      <Stack gap="md">
        {way.is_trial && (
          <Text size="sm" className="trial-note">
            {t('trial')}
          </Text>
        )}
        <Presets
          rate={rate}
          chosen={isTyped ? null : preset}
          onChoose={(value) => {
            setPreset(value)
            setOther('')
          }}
        />
        <TextInput
          label={t('other')}
          description={t(rate === null ? 'inDollars' : 'inTomans')}
          inputMode="decimal"
          value={other}
          maxLength={20}
          maw={320}
          onChange={({ currentTarget }) => setOther(currentTarget.value)}
          error={isTyped && !isValid ? t('atLeast', { amount: shown(min) }) : null}
        />
        <Failed error={pay.error} />
        <div className="pay-line">
          <Button
            type="submit"
            size="md"
            disabled={!isValid}
            loading={pay.isPending || pay.isSuccess}
          >
            {t('pay', { amount: shown(isValid ? amount : preset) })}
          </Button>
          {rate !== null && isValid && <Worth coins={amount} rate={rate} />}
        </div>
        {rate !== null && <RateNote rate={rate} seconds={offer.promise_seconds} />}
      </Stack>
    </Form>
  )
}

/** Opens a payment, and leaves for its page. */
function usePay({ way, rate }: AmountFormProps) {
  const pay = useMutation({
    mutationFn: (amount: number) =>
      ask(
        api['top-ups'].post(
          rate === null
            ? { gateway: way.name, usd: String(amount) }
            : { gateway: way.name, coins: amount, rate },
        ),
      ),
    onSuccess: ({ page }) => location.assign(page),
    // What was shown does not hold any more.
    onError: () => void queries.invalidateQueries({ queryKey: ['top-ups'] }),
  })
  const { reset } = pay
  useEffect(() => {
    // Back from the bank by the browser’s own button, the page is as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset()
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [reset])
  return pay
}

function useShownAmount(rate: string | null): (value: number) => string {
  const t = useTranslations('credit')
  const { count, usd } = useNumbers()
  return (value) => (rate === null ? usd(String(value)) : t('tomans', { count: count(value) }))
}

interface PresetsProps {
  readonly rate: string | null
  /** Null where another amount is typed. */
  readonly chosen: number | null
  readonly onChoose: (value: number) => void
}

const presetPlaces = 2

function Presets({ rate, chosen, onChoose }: PresetsProps) {
  const t = useTranslations('credit')
  const { usd } = useNumbers()
  const shown = useShownAmount(rate)
  return (
    <fieldset className="presets">
      <legend>{t('amount')}</legend>
      {presets[rate === null ? 'usd' : 'coins'].map((value) => (
        <label key={value} className="preset">
          <input
            type="radio"
            name="amount"
            value={value}
            checked={chosen === value}
            onChange={() => onChoose(value)}
          />
          <span className="preset-amount">{shown(value)}</span>
          {rate !== null && (
            <span className="soft number">{usd(usdOfCoins(value, rate, presetPlaces))}</span>
          )}
        </label>
      ))}
    </fieldset>
  )
}

const worthPlaces = 4

function Worth({ coins, rate }: { readonly coins: number; readonly rate: string }) {
  const t = useTranslations('credit')
  const { usd } = useNumbers()
  return (
    <Text size="sm" className="number" aria-live="polite">
      {t('get', { usd: usd(usdOfCoins(coins, rate, worthPlaces), worthPlaces) })}
    </Text>
  )
}

const minuteSeconds = 60
const ratePlaces = 6

function RateNote({ rate, seconds }: { readonly rate: string; readonly seconds: number }) {
  const t = useTranslations('credit')
  const { amount } = useNumbers()
  return (
    <Soft>
      <span className="number">{t('rate', { count: amount(Number(rate), ratePlaces) })}</span>
      {' · '}
      {t('promise', { minutes: seconds / minuteSeconds })}
    </Soft>
  )
}
