import { Anchor, Button, Skeleton, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { useNumbers } from '../../numbers'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { PaymentState } from '../../parts/money/payment-state'
import { queries } from '../../queries'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { DeskFact } from '../parts/fact'

type CardPayment = Result<'GET /payments/{id}'>

/** Page of one payment by card: the promise, and the gateway's last word. */
export function CardPaymentPage() {
  const { id } = useParams<{ id: string }>()
  const t = useTranslations('cardPayment')
  const payment = useQuery({
    queryKey: ['op', 'payment', id],
    queryFn: () => operate('GET /payments/{id}', { params: { id } }),
  })
  return (
    <Stack gap="lg">
      <Anchor component={Link} href="/operator/payments" size="sm">
        {t('back')}
      </Anchor>
      <PageHead title={t('title')} lead={id}>
        {payment.data !== undefined && <PaymentState state={payment.data.state} />}
      </PageHead>
      <Failed error={payment.error} onRetry={() => void payment.refetch()} />
      {payment.data === undefined
        ? !payment.isError && <Skeleton h={260} radius="lg" />
        : payment.data !== null && <Facts payment={payment.data} />}
    </Stack>
  )
}

function Facts({ payment }: { readonly payment: CardPayment }) {
  const t = useTranslations('cardPayment')
  const { moment, count, usd, decimal } = useNumbers()
  const may = useMay()
  const ask = useMutation({
    mutationFn: () => operate('POST /payments/{id}/settle', { params: { id: payment.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['op'] }),
  })
  const when = (text: string | null) => (text === null ? '–' : moment(Date.parse(text)))
  return (
    <section className="card panel">
      <div className="facts">
        <div>
          <DeskFact name={t('account')} value={count(payment.account)} />
          <Anchor component={Link} href={`/operator/accounts/${payment.account}`} size="sm">
            {t('openAccount')}
          </Anchor>
        </div>
        <DeskFact name={t('amount')} value={usd(payment.usd)} />
        <DeskFact name={t('promised')} value={usd(payment.promised_usd)} />
        <DeskFact name={t('rate')} value={payment.rate === null ? '–' : decimal(payment.rate)} />
        <DeskFact name={t('promisedUntil')} value={when(payment.promised_until)} />
        <DeskFact name={t('charged')} value={`${payment.charged} ${payment.currency}`} isCode />
        <DeskFact name={t('created')} value={when(payment.created)} />
        <DeskFact name={t('credited')} value={when(payment.credited)} />
        <DeskFact name={t('askedAgain')} value={when(payment.asked_again)} />
        <DeskFact name={t('gateway')} value={payment.gateway} isCode />
        <DeskFact name={t('reference')} value={payment.reference ?? '–'} isCode />
        <DeskFact name={t('code')} value={payment.code ?? '–'} isCode />
        <DeskFact name={t('receipt')} value={payment.receipt ?? '–'} isCode />
        <DeskFact name={t('card')} value={payment.card ?? '–'} isCode />
      </div>
      <Failed error={ask.error} />
      {payment.state !== 'credited' && may('staff') && (
        <Button mt="md" loading={ask.isPending} onClick={() => ask.mutate()}>
          {t('ask')}
        </Button>
      )}
    </section>
  )
}
