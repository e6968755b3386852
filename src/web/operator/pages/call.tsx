import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { TextInput } from '@mantine/core'
import { useNumbers } from '../../numbers'
import { CallState } from '../../parts/call-state'
import { CopyOnce } from '../../parts/copy-once'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { Receipt } from '../../parts/money/receipt'
import { UsdInput } from '../../parts/money/usd-input'
import { queries } from '../../queries'
import { isUsd, plainNumber } from '../../typed'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { Panel, Code, Soft } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'
import { useTyped } from '../../parts/form'

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
          <Panel id="facts" title={t('facts')}>
            <CopyOnce text={call.id} label={t('id')} />
            <Facts call={call} />
          </Panel>
          {call.receipt !== null && (
            <Panel id="receipt" title={t('receipt')}>
              <Receipt receipt={call.receipt} />
            </Panel>
          )}
        </>
      )}
      {isRefunding && call !== undefined && (
        <Refund call={call} onClose={() => setRefunding(false)} />
      )}
    </Stack>
  )
}

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
          <Soft>{name}</Soft>
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
  const { typed, field } = useTyped({ usd: call.charged_usd, reason: '' })
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
  const isAmount = isUsd(typed.usd) && Number(plainNumber(typed.usd)) > 0
  return (
    <FormDialog
      title={t('refund')}
      action={isAmount ? t('refundNow', { amount: shown(plainNumber(typed.usd), 9) }) : t('refund')}
      isReady={isAmount}
      isDangerous
      saving={refund}
      onClose={onClose}
    >
      <Soft>{t('refundLead')}</Soft>
      <UsdInput label={t('amount')} {...field('usd')} data-autofocus />
      <TextInput label={t('reason')} {...field('reason')} maxLength={500} />
    </FormDialog>
  )
}
