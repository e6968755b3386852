import { Alert, Anchor, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { api, ask } from '../client'
import { useNumbers } from '../numbers'
import { CallState } from '../parts/call-state'
import { CopyOnce } from '../parts/copy-once'
import { Failed } from '../parts/failed'
import { PageHead } from '../parts/page-head'
import { Receipt } from '../parts/money/receipt'
import { Panel, Code } from '../parts/panel'

type CallAnswer = NonNullable<Awaited<ReturnType<ReturnType<typeof api.requests>['get']>>['data']>

const againMs = 2000

/** Page of one call: its receipt, its times, and its error. */
export function Request() {
  const { id } = useParams<{ id: string }>()
  const t = useTranslations('request')
  const found = useQuery({
    queryKey: ['request', id],
    queryFn: () => ask(api.requests({ id }).get()),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? againMs : false),
  })
  return (
    <Stack gap="lg">
      <PageHead title={t('title')}>
        {found.data !== undefined && <CallState status={found.data.status} />}
      </PageHead>
      <Failed error={found.error} />
      {found.data === undefined ? (
        !found.isError && <Skeleton h={360} radius="lg" />
      ) : (
        <CallParts call={found.data} />
      )}
      <Anchor component={Link} href="/requests" size="sm">
        {t('back')}
      </Anchor>
    </Stack>
  )
}

function CallParts({ call }: { readonly call: CallAnswer }) {
  const t = useTranslations('request')
  return (
    <>
      {call.error !== null && <Problem code={call.error.code} status={call.error.status} />}
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
  )
}

/** Error of a call, and its remedy. */
function Problem({ code, status }: { readonly code: string; readonly status: number | null }) {
  const t = useTranslations('problems')
  // One of the codes there are texts for; the rest have the one for all.
  const known = code as 'upstream_error'
  return (
    <Alert color="red">
      <Text size="sm">{t.has(known) ? t(known) : t('any')}</Text>
      <Code>{status === null ? code : `${status} ${code}`}</Code>
    </Alert>
  )
}

function Facts({ call }: { readonly call: CallAnswer }) {
  const t = useTranslations('request')
  const { moment, count } = useNumbers()
  const ms = (value: number | null) => (value === null ? '–' : t('ms', { count: count(value) }))
  const { usage } = call
  const rows = [
    [t('model'), <Id key="model">{call.model}</Id>],
    [t('endpoint'), <Id key="endpoint">{call.endpoint}</Id>],
    [t('when'), moment(call.created)],
    [
      t('key'),
      <Anchor key="key" component={Link} href={`/keys/${call.key.id}`} size="sm">
        <bdi>{call.key.name}</bdi>
      </Anchor>,
    ],
    [t('project'), <bdi key="project">{call.project.name}</bdi>],
    [t('input'), count(usage.input_tokens)],
    [t('cached'), count(usage.cached_tokens)],
    [t('output'), count(usage.output_tokens)],
    [t('reasoning'), count(usage.reasoning_tokens)],
    [t('firstByte'), ms(call.first_byte_ms)],
    [t('latency'), ms(call.latency_ms)],
    [t('streamed'), t(call.streamed ? 'yes' : 'no')],
  ] as const
  return (
    <>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <Group key={name} className="fact" justify="space-between" wrap="nowrap">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Group>
        ))}
      </dl>
      {usage.estimated && (
        <Text size="sm" className="soft" mt="sm">
          {t('estimated')}
        </Text>
      )}
    </>
  )
}

const Id = ({ children }: { readonly children: string }) => <Code>{children}</Code>
