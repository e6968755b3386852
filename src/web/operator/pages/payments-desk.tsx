import { Anchor, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconCoins } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { PagedList } from '../../parts/paged-list'
import { PaymentState } from '../../parts/money/payment-state'
import { queries } from '../../queries'
import { CoinRateCard } from '../desk/coin-rate'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { DeskRow } from '../parts/desk-row'
import { Code } from '../../parts/panel'

type Payment = Result<'GET /payments'>['data'][number]
type Shown = 'all' | Payment['state']

const states: readonly Shown[] = ['all', 'started', 'credited', 'refused', 'expired']
const maxOnPage = 50

/** Page of payments: money that came in, and payments that wait for a gateway. */
export function PaymentsDesk() {
  const t = useTranslations('paymentsDesk')
  const words = useTranslations('credit')
  const [shown, setShown] = useState<Shown>('all')
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <CoinRateCard />
      <SegmentedControl
        className="desk-filter"
        value={shown}
        onChange={setShown}
        aria-label={t('state')}
        data={states.map((value) => ({
          value,
          label: value === 'all' ? t('all') : words(value),
        }))}
      />
      <PagedList<Payment, string>
        queryKey={['op', 'payments', 'all', shown]}
        read={(before) =>
          operate('GET /payments', {
            query: {
              max: maxOnPage,
              ...(shown === 'all' ? {} : { state: shown }),
              ...(before === undefined ? {} : { before }),
            },
          })
        }
        keyOf={({ id }) => id}
        row={(payment) => <PaymentRow payment={payment} />}
        empty={<Empty icon={IconCoins} title={t('none')} lead={t('noneLead')} />}
      />
    </Stack>
  )
}

function PaymentRow({ payment }: { readonly payment: Payment }) {
  const t = useTranslations('paymentsDesk')
  const { moment, count, usd } = useNumbers()
  const may = useMay()
  const { id, account, way, state, coins, reference, code } = payment
  const ask = useMutation({
    mutationFn: () => operate('POST /payments/{id}/settle', { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['op'] }),
  })
  const isAsked = way === 'card' && state !== 'credited' && may('staff')
  return (
    <DeskRow
      below={
        <>
          <Failed error={ask.error} />
          {ask.data !== undefined && ask.data.state !== 'credited' && (
            <Text size="sm" role="status">
              {t('stillNot', { code: ask.data.code ?? ask.data.state })}
            </Text>
          )}
        </>
      }
    >
      <div>
        <Text size="sm" className="number">
          {moment(Date.parse(payment.created))}
        </Text>
        <Anchor component={Link} href={`/operator/accounts/${account}`} size="sm">
          {t('account', { id: account })}
        </Anchor>
      </div>
      <div>
        <Text size="sm" fw={600} className="number">
          {usd(payment.usd)}
        </Text>
        {coins !== null && (
          <Text size="sm" className="soft number">
            {t('coins', { count: count(coins) })}
          </Text>
        )}
      </div>
      <div style={{ minWidth: 0 }}>
        {way === 'card' ? (
          <Anchor
            component={Link}
            href={`/operator/payments/${id}`}
            className="code"
            dir="ltr"
            lang="en"
          >
            {payment.by}
          </Anchor>
        ) : (
          <Code isSoft>{payment.by}</Code>
        )}
        <Text size="xs" className="code soft" dir="ltr" lang="en" truncate="end" ta="start">
          {code ?? reference ?? '–'}
        </Text>
      </div>
      <Stack gap={6} align="flex-end">
        <PaymentState state={state} />
        {isAsked && (
          <Button
            size="compact-sm"
            variant="default"
            loading={ask.isPending}
            onClick={() => ask.mutate()}
          >
            {t('ask')}
          </Button>
        )}
      </Stack>
    </DeskRow>
  )
}
