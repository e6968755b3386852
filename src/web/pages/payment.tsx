import { Alert, Anchor, Button, Group, Loader, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { api, ask } from '../client'
import { readMeAgain } from '../me'
import { useNumbers } from '../numbers'
import { Failed } from '../parts/failed'
import { PageHead } from '../parts/page-head'
import { PaymentReceipt, type PaymentAnswer } from '../parts/money/payment-receipt'
import { queries } from '../queries'
import { serviceName } from '../title'
import { Code, PartTitle, Soft } from '../parts/panel'

const soonMs = 2000
const laterMs = 15_000
const patienceSeconds = 60

/** Page of one payment by card: our own record of it, whatever the bank's page said. */
export function Payment() {
  const { id } = useParams<{ id: string }>()
  const t = useTranslations('payment')
  const seconds = useSeconds()
  const found = useQuery({
    queryKey: ['top-up', id],
    queryFn: () => ask(api['top-ups']({ id }).get()),
    refetchInterval: ({ state }) =>
      state.data?.state === 'started' ? (seconds < patienceSeconds ? soonMs : laterMs) : false,
  })
  const state = found.data?.state
  useEffect(() => {
    // The balance is another one.
    if (state === 'credited') void readMeAgain()
    if (state !== undefined) void queries.invalidateQueries({ queryKey: ['top-ups'] })
  }, [state])
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} />
      <Failed error={found.error} onRetry={() => void found.refetch()} />
      {found.data === undefined ? (
        !found.isError && <Skeleton h={360} radius="lg" />
      ) : (
        <PaymentParts payment={found.data} seconds={seconds} />
      )}
      <Anchor component={Link} href="/credit" size="sm" className="unprinted">
        {t('all')}
      </Anchor>
    </Stack>
  )
}

/** Seconds since the page was opened. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}

interface PaymentProps {
  readonly payment: PaymentAnswer
}

function PaymentParts({ payment, seconds }: PaymentProps & { readonly seconds: number }) {
  if (payment.state === 'started') return <Waiting seconds={seconds} />
  if (payment.receipt === null) return <NotPaid payment={payment} />
  return <Credited payment={payment} />
}

function Waiting({ seconds }: { readonly seconds: number }) {
  const t = useTranslations('payment')
  const isLong = seconds >= patienceSeconds
  return (
    <section className="card panel">
      <Group wrap="nowrap" align="flex-start">
        {!isLong && <Loader size="sm" mt={4} aria-hidden="true" />}
        <div>
          <Text fw={650} role="status">
            {t(isLong ? 'longWait' : 'waiting')}
          </Text>
          {!isLong && <Soft>{t('waited', { seconds })}</Soft>}
        </div>
      </Group>
    </section>
  )
}

function NotPaid({ payment: { state, code } }: PaymentProps) {
  const t = useTranslations('payment')
  return (
    <section className="card panel">
      <div role="status">
        <Title order={2} fz="lg">
          {t(state === 'expired' ? 'expired' : 'refused')}
        </Title>
        <Text size="sm" mt={4}>
          {t('refusedLead')}
        </Text>
      </div>
      {code !== null && (
        <Text size="sm" className="soft" mt="sm">
          {t('fault')}: <Code>{code}</Code>
        </Text>
      )}
      <Button component={Link} href="/credit" mt="lg">
        {t('again')}
      </Button>
    </section>
  )
}

function Credited({ payment }: PaymentProps) {
  const t = useTranslations('payment')
  const { usd } = useNumbers()
  return (
    <>
      <Alert role="status" className="unprinted">
        <Group justify="space-between">
          <span>
            {t('credited')}: <b className="number">{usd(payment.usd, 4)}</b>
          </span>
          <Anchor component={Link} href="/" size="sm">
            {t('home')}
          </Anchor>
        </Group>
      </Alert>
      <section className="card panel" aria-labelledby="receipt">
        <Text className="printed" fw={650} mb="sm">
          {serviceName}
        </Text>
        <Group justify="space-between" mb="sm">
          <PartTitle id="receipt">{t('receipt')}</PartTitle>
          <Button
            variant="default"
            size="xs"
            className="unprinted"
            leftSection={<IconPrinter size={16} />}
            onClick={() => window.print()}
          >
            {t('print')}
          </Button>
        </Group>
        <PaymentReceipt payment={payment} />
      </section>
    </>
  )
}
