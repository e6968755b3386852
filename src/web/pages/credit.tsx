import {
  Skeleton,
  Stack,
  Alert,
  Button,
  Group,
  Text,
  TextInput,
  SegmentedControl,
} from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useQuery, useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useState } from 'react'
import { api, ask } from '../client'
import { useNumbers } from '../numbers'
import { Empty } from '../parts/empty'
import { Failed } from '../parts/failed'
import { PageHead } from '../parts/page-head'
import { PagedList } from '../parts/paged-list'
import { PaymentState } from '../parts/money/payment-state'
import { PartTitle } from '../parts/panel'
import { readMeAgain } from '../me'
import { Form } from '../parts/form'
import { AmountForm, type Offer, type PayProps } from '../parts/money/amount-form'
import { useGatewayName } from '../parts/gateway-name'

type Answer = NonNullable<Awaited<ReturnType<(typeof api)['top-ups']['get']>>['data']>
type Payment = Answer['data'][number]

const maxOnPage = 20

/** Page of top-ups: the rate, the amount, the way to the bank, redeem codes. */
export function Credit() {
  const t = useTranslations('credit')
  const found = useQuery({
    queryKey: ['top-ups', 'offer'],
    queryFn: async () => (await ask(api['top-ups'].get({ query: { max: 1 } }))).offer,
  })
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      {found.data === undefined ? (
        found.isError ? (
          <Failed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <Skeleton h={420} radius="lg" />
        )
      ) : (
        <TopUpForm offer={found.data} />
      )}
      <RedeemForm />
      <Stack gap="sm" component="section" aria-labelledby="history">
        <PartTitle id="history">{t('history')}</PartTitle>
        <PagedList<Payment, string>
          queryKey={['top-ups', 'list']}
          read={(before) =>
            ask(
              api['top-ups'].get({
                query: { max: maxOnPage, ...(before === undefined ? {} : { before }) },
              }),
            )
          }
          keyOf={({ id }) => id}
          row={(payment) => <PaymentRow payment={payment} />}
          empty={<Empty icon={IconCreditCard} title={t('noPayments')} lead={t('noPaymentsLead')} />}
        />
      </Stack>
    </Stack>
  )
}

function PaymentRow({ payment }: { readonly payment: Payment }) {
  const t = useTranslations('credit')
  const { moment, count, usd } = useNumbers()
  const { id, coins, created, state } = payment
  return (
    <Link href={`/credit/${id}`} className="list-link payment-row">
      <span className="what number">
        {coins === null ? usd(payment.usd) : t('tomans', { count: count(coins) })}
      </span>
      <span className="soft when">{moment(created)}</span>
      <span className="number dollars">
        {state === 'refused' || state === 'expired' ? '–' : usd(payment.usd, 4)}
      </span>
      <span className="state">
        <PaymentState state={state} />
      </span>
    </Link>
  )
}

/** Form of a redeem code. */
export function RedeemForm() {
  const t = useTranslations('credit')
  const { usd } = useNumbers()
  const [code, setCode] = useState('')
  const redeem = useMutation({
    mutationFn: () => ask(api.codes.post({ code })),
    async onSuccess() {
      setCode('')
      await readMeAgain()
    },
  })
  return (
    <section className="card panel" aria-labelledby="redeem">
      <Form
        onSubmit={() => {
          if (code.trim() !== '' && !redeem.isPending) redeem.mutate()
        }}
      >
        <Stack gap="sm">
          <div>
            <PartTitle id="redeem">{t('redeem')}</PartTitle>
            <Text size="sm" className="soft" mt={4}>
              {t('redeemLead')}
            </Text>
          </div>
          <Group align="end" gap="sm">
            <TextInput
              className="code-input"
              label={t('code')}
              value={code}
              onChange={({ currentTarget }) => {
                setCode(currentTarget.value)
                if (!redeem.isIdle) redeem.reset()
              }}
              inputMode="numeric"
              autoComplete="off"
              maxLength={60}
              classNames={{ input: 'phone-input' }}
            />
            <Button type="submit" variant="default" loading={redeem.isPending}>
              {t('redeemNow')}
            </Button>
          </Group>
          <Failed error={redeem.error} />
          {redeem.data !== undefined && (
            <Alert role="status">{t('redeemed', { usd: usd(redeem.data.usd, 4) })}</Alert>
          )}
        </Stack>
      </Form>
    </section>
  )
}

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
