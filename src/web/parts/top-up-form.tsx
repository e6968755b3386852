import { Alert, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../numbers'
import { AmountForm, type Offer, type PayProps } from './amount-form'
import { useGatewayName } from './gateway-name'

/** Top-up by card: its ways to pay, or why there is none. */
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
      <AmountForm {...props} rate={rate} />
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

/** Why nobody can pay by a way at this moment; null where one can. */
function useTrouble({ way, offer }: PayProps): string | null {
  const t = useTranslations('credit')
  const { moment } = useNumbers()
  const { rate } = offer
  if (way.closed === 'public_url_missing') return t('closedNoAddress')
  if (way.paid_in === 'usd') return null
  if (rate === null) return t('closedNoRate')
  return way.closed === null ? null : t('closedOldRate', { since: moment(rate.since) })
}
