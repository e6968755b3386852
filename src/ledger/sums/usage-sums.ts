import { dayMs, monthStart } from '../../domain/clock'
import type { Connection } from '../../storage/sqlite/connection'
import type { DayColumns, DayPlace } from './day-sums'
import { freshDays, zoneDayOf, type DayKind } from './unaggregated'
import { addUsage, usageValues } from './usage-columns'
import { openUtcRollups, openZoneRollups } from './rollups'

/** Adds to rows of usage by days, and by months where the days are of UTC. */
export interface UsageWriter {
  readonly add: (place: DayPlace, columns: DayColumns) => void
  /** Brings up what an earlier process left, its pending calls as errors, inside of a transaction. */
  recover(): void
}

const dayOfRow = { utc: `r.created / ${dayMs}`, zone: zoneDayOf('r') } as const
const pendingAsErrors = (period: string): string => `
  SELECT project, ${period}, key, model, count(*), count(*), 0, 0, 0, 0
  FROM requests r INDEXED BY requests_pending WHERE status = 'pending' GROUP BY 1, 2, 3, 4`
const freshSummed = (days: DayKind, period: string): string => `
  SELECT project, ${period}, key, model, sum(requests), sum(errors), sum(input_tokens),
    sum(output_tokens), sum(cached_tokens), sum(cost) FROM (${freshDays(days)}) AS found
  WHERE true GROUP BY 1, 2, 3, 4`

const placeBy = (period: 'day' | 'month') => ['project', period, 'key', 'model']
const addTo = (table: string, period: 'day' | 'month', rows: string): string =>
  addUsage(table, placeBy(period), rows)

export function openUsageWriter(connection: Connection, days: DayKind): UsageWriter {
  const { raw } = connection
  const add = (days === 'utc' ? openUtcAdding : openZoneAdding)(connection)
  return {
    add,
    recover() {
      // There is little of it.
      for (const rows of [freshSummed(days, 'day'), pendingAsErrors(dayOfRow[days])])
        for (const row of raw.prepare<unknown, []>(rows).values()) {
          const [project, day, key, model, ...columns] = row as [...DayPlace, ...DayColumns]
          add([project, day, key, model], columns)
        }
    },
  }
}

/** Days with their roll-ups. */
function openZoneAdding(connection: Connection): UsageWriter['add'] {
  const addDay = connection.raw.prepare(addTo('usage_zone_days', 'day', usageValues(4)))
  const addToRollups = openZoneRollups(connection)
  return (place, columns) => {
    addDay.run(...place, ...columns)
    addToRollups(place, columns)
  }
}

/** Days with their months and roll-ups. */
function openUtcAdding(connection: Connection): UsageWriter['add'] {
  const { raw } = connection
  const addDay = raw.prepare(addTo('usage_days', 'day', usageValues(4)))
  const addMonth = raw.prepare(addTo('usage_months', 'month', usageValues(4)))
  const addToRollups = openUtcRollups(connection)
  return (place, columns) => {
    const [project, day, key, model] = place
    addDay.run(...place, ...columns)
    addMonth.run(project, monthStart(day), key, model, ...columns)
    addToRollups(place, columns)
  }
}
