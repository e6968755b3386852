import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDownload, IconPrinter, IconReceipt2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { api, ask } from '../client'
import type { Me } from '../me'
import { useNumbers } from '../numbers'
import { Empty } from '../parts/empty'
import { Failed } from '../parts/failed'
import { PageHead } from '../parts/page-head'
import { PageRows, usePages, type PagesRead } from '../parts/paged-list'
import { Days, RangePicker, useDays } from '../parts/range-picker'
import { useFilters } from '../parts/search-filters'
import { isoDay, rangeText, readRange, type DayRange } from '../ranges'
import { serviceName } from '../title'
import { Code } from '../parts/panel'

type StatementAnswer = NonNullable<Awaited<ReturnType<typeof api.statement.get>>['data']>
type Line = StatementAnswer['data'][number]

const maxOnPage = 50
/** Maximum pages on paper; the file has everything. */
const maxPrintedPages = 40
/** Charges are summed by its days, as caps are. */
const zone = 'UTC'
const groupings = ['day', 'call'] as const

/** Page of every movement of the account's money, with the balance after it. */
export function Statement({ me }: { readonly me: Me }) {
  const t = useTranslations('statement')
  const filters = useFilters()
  const chosen = readRange(filters.get('range')) ?? 'month'
  const days = useDays(chosen, zone)
  const by = filters.get('by') === 'call' ? 'call' : 'day'
  const pages = usePages(['statement', days, by], (before: string | undefined) =>
    ask(
      api.statement.get({
        query: { ...days, by, max: maxOnPage, ...(before === undefined ? {} : { before }) },
      }),
    ),
  )
  const file = new URLSearchParams({ ...days, by })
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        <Group gap="xs" className="unprinted">
          <Button
            component="a"
            href={`/app/api/statement.csv?${file}`}
            download
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            CSV
          </Button>
          <Print pages={pages} />
        </Group>
      </PageHead>
      <Printed me={me} days={days} />
      <div className="filters filters-wide unprinted">
        <RangePicker
          zone={zone}
          value={chosen}
          onChange={(range) => filters.set('range', rangeText(range))}
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
            data={groupings.map((value) => ({ value, label: t(value) }))}
          />
        </div>
      </div>
      {pages.data?.pages[0] !== undefined && <Sums sums={pages.data.pages[0].sums} />}
      <PageRows<Line, string>
        pages={pages}
        keyOf={({ kind, at, reference }) => `${kind} ${at} ${reference}`}
        row={(line) => <LineRow line={line} />}
        head={<LineHead />}
        empty={<Empty icon={IconReceipt2} title={t('empty')} lead={t('emptyLead')} />}
      />
    </Stack>
  )
}

/** Reads what is missing, and prints. */
function Print({ pages }: { readonly pages: PagesRead<StatementAnswer> }) {
  const t = useTranslations('statement')
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const print = async () => {
    setReading(true)
    setError(null)
    let read = pages
    for (let page = 0; read.hasNextPage && page < maxPrintedPages; page++) {
      read = await pages.fetchNextPage()
      if (read.isError) break
    }
    setReading(false)
    if (read.isError) setError(read.error)
    else setTimeout(() => window.print())
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} />}
        loading={isReading}
        onClick={() => void print()}
      >
        {t('print')}
      </Button>
      <Failed error={error} />
    </>
  )
}

/** Head of the printed statement: account and days. */
function Printed({ me, days }: { readonly me: Me; readonly days: DayRange }) {
  const t = useTranslations('statement')
  const { count, digits, moment } = useNumbers()
  return (
    <div className="printed">
      <Text fw={650}>{serviceName}</Text>
      <Text size="sm">
        {t('account', { name: digits(me.account.name), number: count(me.account.id) })}
      </Text>
      <Text size="sm">
        <Days range={days} />
      </Text>
      <Text size="xs" className="soft">
        {t('printedAt', { when: moment(Date.now()) })}
      </Text>
    </div>
  )
}

function Sums({ sums }: { readonly sums: StatementAnswer['sums'] }) {
  const t = useTranslations('statement')
  const { usd } = useNumbers()
  const rows = [
    ['opening', sums.opening_usd],
    ['toppedUp', sums.topped_up_usd],
    ['adjusted', sums.adjusted_usd],
    ['refunded', sums.refunded_usd],
    ['charged', minus(sums.charged_usd)],
    ['closing', sums.closing_usd],
  ] as const
  // Corrections and refunds are rare: nothing of them is no line.
  const shown = rows.filter(
    ([name, value]) => !['adjusted', 'refunded'].includes(name) || Number(value) !== 0,
  )
  return (
    <section className="card panel" aria-label={t('sums')}>
      <table className="receipt">
        <tbody>
          {shown.map(([name, value]) => (
            <tr key={name} className={name === 'closing' ? 'sum' : undefined}>
              <th scope="row">{t(name)}</th>
              <td className="number">{usd(value, 9)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const minus = (decimal: string): string => (Number(decimal) === 0 ? decimal : `-${decimal}`)

function LineHead() {
  const t = useTranslations('statement')
  return (
    <div className="money-row money-head" aria-hidden="true">
      <span>{t('when')}</span>
      <span>{t('what')}</span>
      <span className="end">{t('amount')}</span>
      <span className="end">{t('balance')}</span>
    </div>
  )
}

function LineRow({ line }: { readonly line: Line }) {
  const t = useTranslations('statement')
  const { moment, date, usd } = useNumbers()
  const isIn = !line.usd.startsWith('-')
  return (
    <div className="money-row">
      <span className="soft when">
        {line.kind === 'charges' ? date(isoDay(line.at)) : moment(line.at)}
      </span>
      <span className="what">
        <What line={line} />
        {line.note !== null && (
          <Text component="span" size="sm" className="soft" display="block">
            <bdi>{line.note}</bdi>
          </Text>
        )}
      </span>
      <span className={isIn ? 'number end money-in' : 'number end'}>
        {/* The mark keeps the sign in front of its number, whatever the page is. */}
        {isIn ? '\u200e+' : ''}
        {usd(line.usd, 9)}
      </span>
      <span className="number end soft balance-after">
        <span className="narrow-only">{t('balance')} </span>
        {usd(line.balance_usd, 9)}
      </span>
    </div>
  )
}

function What({ line: { kind, at, reference } }: { readonly line: Line }) {
  const t = useTranslations('statement')
  const day = isoDay(at)
  if (kind === 'charges')
    return <Link href={`/requests?range=${rangeText({ from: day, to: day })}`}>{t('charges')}</Link>
  if (kind === 'charge' || kind === 'refund')
    return (
      <Link href={`/requests/${reference}`}>
        {t(kind)}{' '}
        <bdi className="code request-id" dir="ltr" lang="en">
          {reference}
        </bdi>
      </Link>
    )
  if (kind === 'adjustment') return t('adjustment')
  return (
    <>
      {t('topup')} <Code isSoft>{reference}</Code>
    </>
  )
}
