import { dayMs, monthStart } from '../../domain/clock'
import { addedTo } from './added-to'
import type { Connection } from './database'
import type { DayColumns, DayPlace } from './day-sums'
import { freshDays, zoneDayOf, type DayKind } from './fresh-charges'
import { monthSql } from './month-cover'

/** Adds to rows of usage by days, and by months where the days are of UTC. */
export interface UsageWriter {
  readonly add: (place: DayPlace, columns: DayColumns) => void
  /** Brings up what an earlier process left, its pending calls as errors, inside of a transaction. */
  recover(): void
}

const counted = 'requests, errors, input_tokens, output_tokens, cached_tokens, cost'
const addTo = (table: string, period: 'day' | 'month', rows: string): string => `
  INSERT INTO ${table} (project, ${period}, key, model, ${counted}) ${rows}
  ON CONFLICT (project, ${period}, key, model) DO UPDATE SET ${addedTo(table, counted)}`
const row = 'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'

const dayOfRow = { utc: `r.created / ${dayMs}`, zone: zoneDayOf('r') } as const
const pendingAsErrors = (period: string): string => `
  SELECT project, ${period}, key, model, count(*), count(*), 0, 0, 0, 0
  FROM requests r INDEXED BY requests_pending WHERE status = 'pending' GROUP BY 1, 2, 3, 4`
const freshSummed = (days: DayKind, period: string): string => `
  SELECT project, ${period}, key, model, sum(requests), sum(errors), sum(input_tokens),
    sum(output_tokens), sum(cached_tokens), sum(cost) FROM (${freshDays(days)}) AS found
  WHERE true GROUP BY 1, 2, 3, 4`

export function openUsageWriter({ raw }: Connection, days: DayKind): UsageWriter {
  const table = days === 'utc' ? 'usage_days' : 'usage_zone_days'
  const addDay = raw.prepare(addTo(table, 'day', row))
  const addMonth = days === 'utc' ? raw.prepare(addTo('usage_months', 'month', row)) : null
  return {
    add(place, columns) {
      addDay.run(...place, ...columns)
      if (addMonth === null) return
      const [project, day, key, model] = place
      addMonth.run(project, monthStart(day), key, model, ...columns)
    },
    recover() {
      const day = dayOfRow[days]
      raw.run(addTo(table, 'day', freshSummed(days, 'day')))
      raw.run(addTo(table, 'day', pendingAsErrors(day)))
      if (addMonth === null) return
      raw.run(addTo('usage_months', 'month', freshSummed(days, monthSql('day'))))
      raw.run(addTo('usage_months', 'month', pendingAsErrors(monthSql(`(${day})`))))
    },
  }
}
