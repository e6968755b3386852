import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { nanoUsd } from '../../domain/money'
import type { Reports, UsageQuery } from '../../domain/reports/report'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { freshDaysOfProject } from '../../ledger/sums/unaggregated'
import { coveredRows, monthCover } from '../../ledger/sums/month-cover'
import type { Rows } from '../../storage/sqlite/sync-store'
import { isLeft, reported, reportedSums } from '../../ledger/sums/usage-columns'

/** Usage of one project by UTC, from sums and from what waits to be in them. */
export function openProjectUsage({ raw }: ReadConnection): Rows<Reports>['usage'] {
  const kept = raw.prepare<{ from: number | null; to: number | null }, [number]>(
    `SELECT (SELECT min(day) FROM usage_days WHERE project = ?1) AS "from",
      (SELECT max(day) FROM usage_days WHERE project = ?1) AS "to"`,
  )
  const coverOf = ({ project, fromDay, toDay }: UsageQuery) => {
    const { from, to } = kept.get(project) ?? { from: null, to: null }
    return monthCover(
      { from: fromDay, to: toDay },
      from === null || to === null ? null : { from, to },
    )
  }
  return (query: UsageQuery) => {
    const { project, fromDay, toDay, group } = query
    const cover = group === 'day' ? {} : coverOf(query)
    return raw
      .query<UsageRow, [Record<string, number>]>(usageSql[group])
      .all({ project, fromDay, toDay, ...cover })
      .map(({ day, model, ...row }) => ({
        ...row,
        key: group === 'day' ? dayOf((day * dayMs) as Ms) : model,
        cost: nanoUsd(row.cost),
      }))
  }
}

interface UsageRow {
  readonly day: number
  readonly model: string
  readonly requests: number
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
}

const usageBy = (columns: string, rows: string, order: string): string => `
  SELECT ${columns}, ${reportedSums}
  FROM (
    SELECT 1 AS sign, day, key, model, ${reported} FROM (${freshDaysOfProject('utc', '$project')}) AS found
    WHERE day BETWEEN $fromDay AND $toDay
    UNION ALL ${rows}
  ) AS found GROUP BY 1, 2
  HAVING ${isLeft} ORDER BY ${order}`

const days = `
  SELECT 1, day, 0, model, ${reported} FROM usage_model_days
  WHERE project = $project AND day BETWEEN $fromDay AND $toDay AND in_time(day)`
const months = coveredRows(
  `0 AS day, key, model, ${reported}`,
  'usage_months',
  'usage_days',
  'project = $project AND in_time(key) AND',
)
const usageSql = {
  day: usageBy(`day, '' AS model`, days, 'day'),
  model: usageBy('0 AS day, model', months, 'cost DESC, model'),
  key: usageBy('0 AS day, CAST(key AS TEXT) AS model', months, 'cost DESC, model'),
}
