import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { nanoUsd } from '../../domain/money'
import type { Reports, UsageQuery } from '../../domain/report'
import type { ReadConnection } from './database'
import { freshDaysOfProject } from './fresh-charges'
import type { Rows } from './store-rows'

/** Days of one project by UTC, from sums and from what waits to be in them. */
export function openProjectUsage({ raw }: ReadConnection): Rows<Reports>['usage'] {
  const usage = {
    day: raw.prepare<UsageRow, [number, number, number]>(usageSql.day),
    model: raw.prepare<UsageRow, [number, number, number]>(usageSql.model),
    key: raw.prepare<UsageRow, [number, number, number]>(usageSql.key),
  }
  return ({ project, fromDay, toDay, group }: UsageQuery) =>
    usage[group].all(project, fromDay, toDay).map(({ day, model, ...row }) => ({
      ...row,
      key: group === 'day' ? dayOf((day * dayMs) as Ms) : model,
      cost: nanoUsd(row.cost),
    }))
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

/** Parameters: the project, first and last day. */
const usageBy = (columns: string, order: string): string => `
  SELECT ${columns}, sum(requests) AS requests, sum(errors) AS errors,
    sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens, sum(cost) AS cost
  FROM (
    ${freshDaysOfProject('utc')} AND created / ${dayMs} BETWEEN ?2 AND ?3
    UNION ALL SELECT * FROM usage_days WHERE project = ?1 AND day BETWEEN ?2 AND ?3 AND in_time(day)
  ) GROUP BY 1, 2 ORDER BY ${order}`

const usageSql = {
  day: usageBy(`day, '' AS model`, 'day'),
  model: usageBy('0 AS day, model', 'cost DESC, model'),
  key: usageBy('0 AS day, CAST(key AS TEXT) AS model', 'cost DESC, model'),
}
