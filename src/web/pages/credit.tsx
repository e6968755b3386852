import { Skeleton, Stack } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { api, ask } from '../client'
import { useNumbers } from '../numbers'
import { Empty } from '../parts/empty'
import { Failed } from '../parts/failed'
import { PageHead } from '../parts/page-head'
import { PagedList } from '../parts/paged-list'
import { PaymentState } from '../parts/payment-state'
import { RedeemForm } from '../parts/redeem-form'
import { TopUpForm } from '../parts/top-up-form'
import { PartTitle } from '../parts/panel'

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
