import { Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { operate, type Result } from '../operate'
import { KnownPaths } from '../parts/known-paths'
import { Panel, Soft } from '../../parts/panel'

type Overview = Result<'GET /overview'>
type Sums = Overview['today']['now']
type Need = Overview['attention'][number]

const refreshMs = 30_000

/** Page of the service at a glance: earnings, running calls, and tasks for an operator. */
export function OverviewPage() {
  const t = useTranslations('overview')
  const read = useQuery({
    queryKey: ['op', 'overview'],
    queryFn: () => operate('GET /overview', {}),
    refetchInterval: refreshMs,
  })
  const { data } = read
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <Failed error={read.error} onRetry={() => void read.refetch()} />
      {data === undefined ? (
        !read.isError && <Waiting />
      ) : (
        <>
          <Needs needs={data.attention} />
          <Period title={t('today')} before={t('yesterday')} period={data.today} />
          <Period title={t('month')} before={t('monthBefore')} period={data.month} />
          <Moment overview={data} />
        </>
      )}
    </Stack>
  )
}

const Waiting = () => (
  <Stack aria-hidden="true">
    <Skeleton h={96} radius="lg" />
    <Skeleton h={220} radius="lg" />
    <Skeleton h={220} radius="lg" />
  </Stack>
)

/** Where a need is looked after; one without a page of its own is told of by the doctor. */
const pageOf: Readonly<Record<Need['kind'], string>> = {
  vendors_in_trouble: '/operator/vendors',
  price_proposals: '/operator/proposals',
  payments_not_credited: '/operator/payments',
  payments_waiting: '/operator/payments',
  verifications: '/operator/verifications',
  disk_low: '/operator/health',
  no_backup: '/operator/health',
  backup_old: '/operator/health',
  untrusted_proxy: '/operator/health',
  public_url_missing: '/operator/health',
  demo: '/operator/health',
}

function Needs({ needs }: { readonly needs: readonly Need[] }) {
  const t = useTranslations('overview')
  const say = useTranslations('attention')
  const { count, digits } = useNumbers()
  const paths = useContext(KnownPaths)
  const linkOf = (kind: Need['kind']) =>
    paths.includes(pageOf[kind]) ? pageOf[kind] : '/operator/health'
  return (
    <Panel id="needs" title={t('attention')}>
      {needs.length === 0 ? (
        <Soft>{t('calm')}</Soft>
      ) : (
        <ul className="rows">
          {needs.map((need) => (
            <li key={need.kind}>
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm">
                  {say(need.kind, {
                    count: count(need.count),
                    details: digits(need.details.join(' · ')),
                  })}
                </Text>
                <Anchor component={Link} href={linkOf(need.kind)} size="sm">
                  {t('see')}
                </Anchor>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface PeriodProps {
  readonly title: string
  /** What it stands against. */
  readonly before: string
  readonly period: Overview['today']
}

function Period({ title, before, period }: PeriodProps) {
  const t = useTranslations('overview')
  const { usd, count } = useNumbers()
  const figure = (name: Parameters<typeof t>[0], show: (sums: Sums) => string) => (
    <Figure name={t(name)} now={show(period.now)} before={`${before}: ${show(period.before)}`} />
  )
  return (
    <section className="card panel" aria-label={title}>
      <Title order={2} fz="md" mb="sm">
        {title}
      </Title>
      <div className="facts figures">
        {figure('sales', (sums) => usd(sums.sales_usd))}
        {figure('vendorCost', (sums) => usd(sums.vendor_cost_usd))}
        {figure('margin', (sums) => usd(sums.margin_usd))}
        {figure('moneyIn', (sums) => usd(sums.money_in_usd))}
        {figure('calls', (sums) => count(sums.calls))}
        {figure('errors', (sums) => count(sums.errors))}
        {figure('activeAccounts', (sums) => count(sums.active_accounts))}
      </div>
      {period.now.uncosted_calls > 0 && (
        <Text size="sm" className="soft" mt="sm">
          {t('uncosted', { count: count(period.now.uncosted_calls) })}
        </Text>
      )}
    </section>
  )
}

interface FigureProps {
  readonly name: string
  readonly now: string
  readonly before?: string
}

const Figure = ({ name, now, before }: FigureProps) => (
  <div>
    <Soft>{name}</Soft>
    <Text className="number" fz="xl" fw={650}>
      {now}
    </Text>
    {before !== undefined && (
      <Text size="xs" className="soft number">
        {before}
      </Text>
    )}
  </div>
)

function Moment({ overview }: { readonly overview: Overview }) {
  const t = useTranslations('overview')
  const { usd, count } = useNumbers()
  return (
    <Panel id="moment" title={t('now')}>
      <div className="facts figures">
        <Figure name={t('running')} now={count(overview.running_calls)} />
        <Figure name={t('streams')} now={count(overview.open_streams)} />
        <Figure name={t('held')} now={usd(overview.held_usd)} />
      </div>
    </Panel>
  )
}
