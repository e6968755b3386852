import { Alert, Button, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { presets, usdOfCoins } from '../money-amounts'
import { useNumbers } from '../numbers'
import { queries } from '../queries'
import { plainNumber } from '../typed'
import { Failed } from './failed'
import { useGatewayName } from './gateway-name'

type Answer = NonNullable<Awaited<ReturnType<(typeof api)['top-ups']['get']>>['data']>
export type Offer = Answer['offer']
type Way = Offer['ways'][number]

/** Ways to pay by card; why there is none, where that is so. */
export function TopUpForm({ offer }: { readonly offer: Offer }) {
  const t = useTranslations('credit')
  const gatewayName = useGatewayName()
  const { ways } = offer
  const [name, setName] = useState(ways[0]?.name ?? '')
  const way = ways.find((each) => each.name === name) ?? ways[0]
  if (way === undefined) return <Closed text={t('closedOff')} />
  return (
    <Stack gap="lg">
      {ways.length > 1 && (
        <div>
          <Text size="sm" fw={500} id="way" mb={4}>
            {t('way')}
          </Text>
          <SegmentedControl
            fullWidth
            aria-labelledby="way"
            value={way.name}
            onChange={setName}
            data={ways.map((each) => ({ value: each.name, label: gatewayName(each.kind) }))}
          />
        </div>
      )}
      <Pay key={way.name} way={way} offer={offer} />
    </Stack>
  )
}

function Pay(props: PayProps) {
  const t = useTranslations('credit')
  const trouble = useTrouble(props)
  if (trouble !== null) return <Closed text={trouble} />
  const rate = props.way.paid_in === 'usd' ? null : (props.offer.rate?.coins_per_usd ?? null)
  return (
    <section className="card panel" aria-label={t('title')}>
      <Amounts {...props} rate={rate} />
    </section>
  )
}

function Closed({ text }: { readonly text: string }) {
  const t = useTranslations('credit')
  return (
    <Alert className="notice" role="status" title={t('closed')}>
      {text}
    </Alert>
  )
}

interface PayProps {
  readonly way: Way
  readonly offer: Offer
}

/** Why nobody can pay by a way at this moment; null where one can. */
function useTrouble({ way, offer }: PayProps): string | null {
  const t = useTranslations('credit')
  const { moment } = useNumbers()
  const { rate } = offer
  if (way.paid_in === 'usd') return null
  if (rate === null) return t('closedNoRate')
  return way.closed === null ? null : t('closedOldRate', { since: moment(rate.since) })
}

interface AmountsProps extends PayProps {
  /** Null where dollars are paid. */
  readonly rate: string | null
}

const minUsd = 1
const usualPreset = 2

function Amounts({ way, offer, rate }: AmountsProps) {
  const t = useTranslations('credit')
  const { count, usd } = useNumbers()
  const choices = rate === null ? presets.usd : presets.coins
  const [preset, setPreset] = useState<number>(choices[usualPreset])
  const [other, setOther] = useState('')
  const typed = plainNumber(other)
  const isTyped = typed !== ''
  const amount = isTyped ? Number(typed) : preset
  const min = rate === null ? minUsd : offer.minimum_coins
  const isValid =
    (rate === null ? /^\d{1,5}(?:\.\d{1,2})?$/ : /^\d{1,9}$/).test(String(amount)) && amount >= min
  const pay = useMutation({
    mutationFn: () =>
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
  const shown = (value: number) =>
    rate === null ? usd(String(value)) : t('tomans', { count: count(value) })
  const worth = (value: number, places?: number) =>
    rate === null ? null : usd(usdOfCoins(value, rate), places)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid && !pay.isPending) pay.mutate()
      }}
    >
      <Stack gap="md">
        {way.is_trial && (
          <Text size="sm" className="trial-note">
            {t('trial')}
          </Text>
        )}
        <fieldset className="presets">
          <legend>{t('amount')}</legend>
          {choices.map((value) => (
            <label key={value} className="preset">
              <input
                type="radio"
                name="amount"
                value={value}
                checked={!isTyped && preset === value}
                onChange={() => {
                  setPreset(value)
                  setOther('')
                }}
              />
              <span className="preset-amount">{shown(value)}</span>
              {rate !== null && <span className="soft number">{worth(value)}</span>}
            </label>
          ))}
        </fieldset>
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
          {rate !== null && isValid && (
            <Text size="sm" className="number" aria-live="polite">
              {t('get', { usd: worth(amount, 4) ?? '' })}
            </Text>
          )}
        </div>
        {rate !== null && <RateNote rate={rate} seconds={offer.promise_seconds} />}
      </Stack>
    </form>
  )
}

const minuteSeconds = 60
const ratePlaces = 6

function RateNote({ rate, seconds }: { readonly rate: string; readonly seconds: number }) {
  const t = useTranslations('credit')
  const { amount } = useNumbers()
  return (
    <Text size="sm" className="soft">
      <span className="number">{t('rate', { count: amount(Number(rate), ratePlaces) })}</span>
      {' · '}
      {t('promise', { minutes: seconds / minuteSeconds })}
    </Text>
  )
}

/** Names the part of a page, as the others are named. */
export const PartTitle = ({ id, children }: { readonly id: string; readonly children: string }) => (
  <Title order={2} fz="md" id={id}>
    {children}
  </Title>
)
