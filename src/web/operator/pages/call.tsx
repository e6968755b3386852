import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { TextInput } from '@mantine/core'
import { useNumbers } from '../../numbers'
import { CallState } from '../../parts/call-state'
import { CopyOnce } from '../../parts/copy-once'
import { Dialog } from '../../parts/dialog'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { Receipt } from '../../parts/receipt'
import { UsdInput } from '../../parts/usd-input'
import { queries } from '../../queries'
import { isUsd, plainNumber } from '../../typed'
import { useMay } from '../me'
import { operate, type Result } from '../operate'

type Call = Result<'GET /requests/{id}'>

/** Page of one call, with what only operators see of it. */
export function CallPage() {
  const { id } = useParams<{ id: string }>()
  const t = useTranslations('operatorCalls')
  const may = useMay()
  const [isRefunding, setRefunding] = useState(false)
  const found = useQuery({
    queryKey: ['op', 'call', id],
    queryFn: () => operate('GET /requests/{id}', { params: { id } }),
  })
  const call = found.data
  const isRefundable =
    call !== undefined &&
    call.status !== 'pending' &&
    Number(call.charged_usd) > 0 &&
    Number(call.refunded_usd) === 0
  return (
    <Stack gap="lg">
      <PageHead title={t('one')}>
        {call !== undefined && (
          <Group gap="xs">
            <CallState status={call.status} />
            {isRefundable && may('staff') && (
              <Button variant="default" size="xs" onClick={() => setRefunding(true)}>
                {t('refund')}
              </Button>
            )}
          </Group>
        )}
      </PageHead>
      <Failed error={found.error} />
      {call === undefined ? (
        !found.isError && <Skeleton h={360} radius="lg" />
      ) : (
        <>
          <section className="card panel" aria-labelledby="facts">
            <Title order={2} fz="md" id="facts" mb="sm">
              {t('facts')}
            </Title>
            <CopyOnce text={call.id} label={t('id')} />
            <Facts call={call} />
          </section>
          {call.receipt !== null && (
            <section className="card panel" aria-labelledby="receipt">
              <Title order={2} fz="md" id="receipt" mb="sm">
                {t('receipt')}
              </Title>
              <Receipt receipt={call.receipt} />
            </section>
          )}
        </>
      )}
      {isRefunding && call !== undefined && (
        <Refund call={call} onClose={() => setRefunding(false)} />
      )}
    </Stack>
  )
}

const Code = ({ children }: { readonly children: ReactNode }) => (
  <bdi className="code" dir="ltr" lang="en">
    {children}
  </bdi>
)

function Facts({ call }: { readonly call: Call }) {
  const t = useTranslations('operatorCalls')
  const { moment, count, usd, digits } = useNumbers()
  const ms = (value: number | null) => (value === null ? '–' : t('ms', { count: count(value) }))
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t('when'), moment(Date.parse(call.created))],
    [
      t('account'),
      <Anchor key="a" component={Link} href={`/operator/accounts/${call.account}`} size="sm">
        {digits(String(call.account))}
      </Anchor>,
    ],
    [t('key'), digits(String(call.key))],
    [t('address'), <Code key="i">{call.address}</Code>],
    [t('endpoint'), <Code key="e">{call.endpoint}</Code>],
    [t('model'), <Code key="m">{call.model}</Code>],
    [
      t('vendor'),
      call.vendor === null ? (
        '–'
      ) : (
        <Code key="v">{`${call.vendor} ${call.vendor_model ?? ''}`}</Code>
      ),
    ],
    [t('error'), call.error === null ? '–' : <Code key="x">{call.error}</Code>],
    [t('input'), count(call.input_tokens)],
    [t('output'), count(call.output_tokens)],
    [t('firstByte'), ms(call.first_byte_ms)],
    [t('latency'), ms(call.latency_ms)],
    [t('charged'), usd(call.charged_usd, 9)],
    [t('refunded'), usd(call.refunded_usd, 9)],
    [t('vendorCost'), call.vendor_cost_usd === null ? '–' : usd(call.vendor_cost_usd, 9)],
    [t('unpaid'), call.unpaid_usd === null ? '–' : usd(call.unpaid_usd, 9)],
  ]
  return (
    <div className="facts" style={{ marginTop: 16 }}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <Text size="sm" className="soft">
            {name}
          </Text>
          <Text size="sm" className="number" component="div" style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </div>
  )
}

interface RefundProps {
  readonly call: Call
  readonly onClose: () => void
}

function Refund({ call, onClose }: RefundProps) {
  const t = useTranslations('operatorCalls')
  const { usd: shown } = useNumbers()
  const [typed, setTyped] = useState({ usd: call.charged_usd, reason: '' })
  const refund = useMutation({
    mutationFn: () =>
      operate('POST /requests/{id}/refund', {
        params: { id: call.id },
        body: {
          usd: plainNumber(typed.usd),
          ...(typed.reason.trim() === '' ? {} : { reason: typed.reason }),
        },
      }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['op'] })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    refund.mutate()
  }
  const isAmount = isUsd(typed.usd) && Number(plainNumber(typed.usd)) > 0
  return (
    <Dialog opened onClose={onClose} title={t('refund')}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" className="soft">
            {t('refundLead')}
          </Text>
          <UsdInput
            label={t('amount')}
            value={typed.usd}
            onChange={(event) => setTyped({ ...typed, usd: event.currentTarget.value })}
            data-autofocus
          />
          <TextInput
            label={t('reason')}
            value={typed.reason}
            onChange={(event) => setTyped({ ...typed, reason: event.currentTarget.value })}
            maxLength={500}
          />
          <Failed error={refund.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" loading={refund.isPending} disabled={!isAmount}>
              {isAmount
                ? t('refundNow', { amount: shown(plainNumber(typed.usd), 9) })
                : t('refund')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
