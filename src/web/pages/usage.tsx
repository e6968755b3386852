import { Button, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconChartBar, IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { useNumbers } from '../numbers'
import { Empty } from '../parts/empty'
import { Failed } from '../parts/failed'
import { FilterChips } from '../parts/filter-chips'
import { lazyPage } from '../parts/lazy-page'
import { PageHead } from '../parts/page-head'
import { ProjectPicker } from '../parts/project-picker'
import { RangePicker, useDays, useZone } from '../parts/range-picker'
import { numberOf, useFilters } from '../parts/search-filters'
import { UsageTable } from '../parts/money/usage-table'
import { rangeText, readRange, type DayRange, type RangeName } from '../ranges'
import { Soft } from '../parts/panel'

const UsageChart = lazyPage(
  () => import('../parts/money/usage-chart').then((part) => part.UsageChart),
  <div className="chart-place" />,
)

const dimensions = ['model', 'key', 'project'] as const
type Dimension = (typeof dimensions)[number]
type UsageAnswer = NonNullable<Awaited<ReturnType<typeof api.usage.get>>['data']>

const known = <T extends string>(text: string | null, all: readonly T[], otherwise: T): T =>
  all.find((each) => each === text) ?? otherwise

/** Page of spending by day, model, key and project. */
export function Usage() {
  const t = useTranslations('usage')
  const { zoneName } = useNumbers()
  const zone = useZone()
  const filters = useFilters()
  const range = readRange(filters.get('range')) ?? 'month'
  const days = useDays(range)
  const by = known(filters.get('by'), dimensions, 'model')
  const asked = {
    ...days,
    ...filterFields(filters),
  }
  const usage = useQuery({
    queryKey: ['usage', asked, by],
    queryFn: () => ask(api.usage.get({ query: { ...asked, by } })),
    placeholderData: (before) => before,
  })
  const csv = new URLSearchParams(
    Object.entries(asked).map(([name, value]) => [name, String(value)]),
  )
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead', { zone: zoneName(zone) })}>
        <Button
          component="a"
          href={`/app/api/usage.csv?${csv}`}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          CSV
        </Button>
      </PageHead>
      <Fields filters={filters} range={range} by={by} />
      <FilterChips filters={filters} />
      <Failed error={usage.error} />
      {usage.data === undefined ? (
        !usage.isError && <Skeleton h={420} radius="lg" />
      ) : (
        <Sums usage={usage.data} by={by} filters={filters} />
      )}
    </Stack>
  )
}

type Filters = ReturnType<typeof useFilters>

function filterFields(filters: Filters) {
  const [project, key] = [numberOf(filters.get('project')), numberOf(filters.get('key'))]
  const model = filters.get('model')
  return {
    ...(project === null ? {} : { project }),
    ...(key === null ? {} : { key }),
    ...(model === null ? {} : { model }),
  }
}

interface FieldsProps {
  readonly filters: Filters
  readonly range: RangeName | DayRange
  readonly by: Dimension
}

function Fields({ filters, range, by }: FieldsProps) {
  const t = useTranslations('usage')
  return (
    <div className="filters">
      <RangePicker value={range} onChange={(value) => filters.set('range', rangeText(value))} />
      <ProjectPicker
        label={t('project')}
        all={t('allProjects')}
        value={filters.get('project') ?? ''}
        onChange={(project) => filters.set('project', project)}
      />
      <div>
        <Text size="sm" fw={500} id="by" mb={4}>
          {t('by')}
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="by"
          value={by}
          onChange={(value) => filters.set('by', value)}
          data={dimensions.map((value) => ({ value, label: t(value) }))}
        />
      </div>
    </div>
  )
}

interface SumsProps {
  readonly usage: UsageAnswer
  readonly by: Dimension
  readonly filters: Filters
}

function Sums({ usage, by, filters }: SumsProps) {
  const t = useTranslations('usage')
  const { day } = useNumbers()
  if (usage.total.requests === 0)
    return (
      <section className="card">
        <Empty icon={IconChartBar} title={t('empty')} lead={t('emptyLead')} />
      </section>
    )
  const groups = usage.groups.map((group) => ({
    ...group,
    onChoose: () => filters.set(by, group.group),
  }))
  const hidden = usage.group_count - usage.groups.length
  return (
    <>
      <Totals usage={usage} />
      {Number(usage.total.usd) > 0 && (
        <section className="card panel" aria-labelledby="chart">
          <Text className="eyebrow" id="chart" mb="sm">
            {t('chart')}
          </Text>
          <UsageChart from={usage.from} to={usage.to} days={usage.days} groups={usage.groups} />
        </section>
      )}
      <UsageTable caption={t('table')} head={t(by)} lines={groups} areIds={by === 'model'} />
      {hidden > 0 && <Soft>{t('hidden', { count: hidden })}</Soft>}
      <details className="more">
        <summary>{t('daily')}</summary>
        <UsageTable
          caption={t('daily')}
          head={t('day')}
          lines={usage.days.toReversed().map((each) => ({ ...each, name: day(each.day) }))}
          areIds={false}
        />
      </details>
    </>
  )
}

function Totals({ usage: { total } }: { readonly usage: UsageAnswer }) {
  const t = useTranslations('usage')
  const { count, usd, percent } = useNumbers()
  const figures = [
    ['cost', usd(total.usd, 6)],
    ['requests', count(total.requests)],
    ['errors', percent(total.errors / total.requests)],
    ['tokens', count(total.input_tokens + total.output_tokens)],
  ] as const
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      {figures.map(([name, value]) => (
        <section key={name} className="card panel">
          <Text className="eyebrow">{t(name)}</Text>
          <div className="figure">{value}</div>
        </section>
      ))}
    </SimpleGrid>
  )
}
