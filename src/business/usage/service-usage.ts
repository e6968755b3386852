import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { nanoUsd } from '../../domain/money'
import type { Reports, ServiceUsageGroup, UsageSum } from '../../domain/reports/report'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { freshDays, freshDaysOfAccount } from '../../ledger/sums/unaggregated'
import { coveredRows, keptProfitDays, monthCover } from '../../ledger/sums/month-cover'
import type { Rows } from '../../storage/sqlite/sync-store'
import { isLeft, reported, reportedSums } from '../../ledger/sums/usage-columns'

/** Usage of all projects by UTC, or of those of one account, in one statement. */
export function openServiceUsage({ raw }: ReadConnection): Rows<Reports>['serviceUsage'] {
  // Profit has the same days, and is ordered by them.
  const kept = raw.prepare<{ from: number | null; to: number | null }, []>(keptProfitDays)
  return ({ account, fromDay, toDay, group }) => {
    const { from, to } = kept.get() ?? { from: null, to: null }
    const range = { from: fromDay, to: toDay }
    const cover = monthCover(range, from === null || to === null ? null : { from, to })
    const isOfOne = account !== null
    const source = sourceOf(group, isOfOne)
    const parameters = { fromDay, toDay, ...(isOfOne ? { account } : {}) }
    return raw
      .query<SumRow, [Record<string, number>]>(usageSql(group, source, isOfOne))
      .all(source.months === null ? parameters : { ...parameters, ...cover })
      .map((row) => sumOf(row, group))
      .sort(group === 'day' ? byKey : byCost)
  }
}

interface SumRow extends Omit<UsageSum, 'key' | 'cost'> {
  readonly group: string | number
  readonly cost: number
}

const sumOf = ({ group: found, ...row }: SumRow, group: ServiceUsageGroup): UsageSum => ({
  ...row,
  key: group === 'day' ? dayOf((Number(found) * dayMs) as Ms) : String(found),
  cost: nanoUsd(row.cost),
})

const byKey = (one: UsageSum, other: UsageSum): number => (one.key < other.key ? -1 : 1)
const byCost = (one: UsageSum, other: UsageSum): number =>
  other.cost - one.cost || byKey(one, other)

/** What a report is read from. */
interface Source {
  /** Null where days alone are few. */
  readonly months: string | null
  readonly days: string
  /** What rows fulfil, with an `AND` behind it. */
  readonly where: string
}

const ofProjects = (table: string): string => `projects p CROSS JOIN ${table} u`

function sourceOf(group: ServiceUsageGroup, isOfOne: boolean): Source {
  const isWide = group === 'day' || group === 'model'
  if (!isOfOne && isWide) return { months: null, days: 'usage_service_days u', where: '' }
  return {
    months:
      group === 'day'
        ? null
        : !isOfOne
          ? `usage_key_months u CROSS JOIN projects p`
          : ofProjects('usage_months'),
    days: ofProjects(isWide ? 'usage_model_days' : 'usage_days'),
    where: `p.id = u.project AND ${isOfOne ? 'p.account = $account AND' : ''}`,
  }
}

const groupSql: Readonly<Record<ServiceUsageGroup, string>> = {
  day: 'u.day',
  model: 'u.model',
  key: 'u.key',
  project: 'u.project',
  account: 'p.account',
}

function usageSql(group: ServiceUsageGroup, { months, days, where }: Source, isOfOne: boolean) {
  const columns = `${groupSql[group]} AS grouped, ${reported}`
  const inRange = 'day BETWEEN $fromDay AND $toDay'
  const fresh = isOfOne ? freshDaysOfAccount('utc') : freshDays('utc')
  return `
  SELECT grouped AS "group", ${reportedSums} FROM (
    SELECT 1 AS sign, ${columns} FROM (${fresh}) u JOIN projects p ON p.id = u.project WHERE ${inRange}
    UNION ALL ${
      months === null
        ? `SELECT 1, ${columns} FROM ${days} WHERE ${where} ${inRange}`
        : coveredRows(columns, months, days, where)
    }
  ) AS found GROUP BY grouped HAVING ${isLeft}`
}
