import { Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { PagedList } from '../../parts/paged-list'
import { queries } from '../../queries'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { Code } from '../../parts/panel'

type Notice = Result<'GET /notices'>['data'][number]
type Delivery = Notice['deliveries'][number]
type Shown = 'all' | 'pending' | 'failed'

const colours = { pending: 'saffron', delivered: 'firuze', failed: 'red' } as const
const maxOnPage = 50

/** Page of the notice outbox: each notice, its channels, and failed deliveries with their retry. */
export function NoticeOutbox() {
  const t = useTranslations('outbox')
  const { locale } = useNumbers()
  const may = useMay()
  const [shown, setShown] = useState<Shown>('all')
  const sample = useMutation({
    mutationFn: () => operate('POST /notices/sample', {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['op', 'notices'] }),
  })
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        {may('staff') && (
          <Button variant="default" loading={sample.isPending} onClick={() => sample.mutate()}>
            {t('sample')}
          </Button>
        )}
      </PageHead>
      <Failed error={sample.error} />
      {sample.data !== undefined && (
        <Text size="sm" role="status">
          {t('sampled', { channels: new Intl.ListFormat(locale).format(sample.data.channels) })}
        </Text>
      )}
      <SegmentedControl
        className="desk-filter"
        value={shown}
        onChange={setShown}
        aria-label={t('state')}
        data={[
          { value: 'all', label: t('all') },
          { value: 'pending', label: t('waiting') },
          { value: 'failed', label: t('failed') },
        ]}
      />
      <PagedList<Notice, string>
        queryKey={['op', 'notices', shown]}
        read={(before) =>
          operate('GET /notices', {
            query: {
              max: maxOnPage,
              pending: shown === 'pending',
              failed: shown === 'failed',
              ...(before === undefined ? {} : { before }),
            },
          })
        }
        keyOf={({ id }) => id}
        row={(notice) => <NoticeRow notice={notice} />}
        empty={<Empty icon={IconBell} title={t('none')} lead={t('noneLead')} />}
      />
    </Stack>
  )
}

function NoticeRow({ notice }: { readonly notice: Notice }) {
  const { moment, locale } = useNumbers()
  const t = useTranslations('outbox')
  const may = useMay()
  const retry = useMutation({
    mutationFn: () => operate('POST /notices/{id}/retry', { params: { id: notice.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['op', 'notices'] }),
  })
  const isLost = notice.deliveries.some(({ state }) => state === 'failed')
  const texts = notice.text as { readonly en: string; readonly fa: string }
  return (
    <div className="list-link still">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="lg">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {locale === 'fa' ? texts.fa : texts.en}
          </Text>
          <Group gap="xs" mt={4}>
            <Code isSoft>{notice.kind}</Code>
            {notice.deliveries.map((delivery) => (
              <DeliveryBadge key={delivery.channel} delivery={delivery} />
            ))}
          </Group>
        </div>
        <Stack gap={6} align="flex-end" style={{ flexShrink: 0 }}>
          <Text size="sm" className="soft number">
            {moment(Date.parse(notice.created))}
          </Text>
          {isLost && may('staff') && (
            <Button
              size="xs"
              variant="default"
              loading={retry.isPending}
              onClick={() => retry.mutate()}
            >
              {t('retry')}
            </Button>
          )}
          <Failed error={retry.error} />
        </Stack>
      </Group>
      {notice.deliveries
        .filter(({ error }) => error !== null)
        .map(({ channel, error }) => (
          <Text
            key={channel}
            size="xs"
            className="code soft"
            dir="ltr"
            lang="en"
            ta="start"
            style={{ overflowWrap: 'anywhere' }}
          >
            {channel}: {error}
          </Text>
        ))}
    </div>
  )
}

function DeliveryBadge({ delivery }: { readonly delivery: Delivery }) {
  const t = useTranslations('outbox')
  const { count } = useNumbers()
  const { channel, state, attempts } = delivery
  return (
    <Badge
      variant="light"
      color={colours[state]}
      {...(state === 'pending' ? { c: 'var(--ink)' } : {})}
      tt="none"
    >
      {t('delivery', {
        channel,
        state: t(attempts > 0 && state !== 'delivered' ? `${state}After` : state, {
          count: count(attempts),
        }),
      })}
    </Badge>
  )
}
