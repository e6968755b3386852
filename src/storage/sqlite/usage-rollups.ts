import { monthStart } from '../../domain/clock'
import type { Connection, ReadConnection } from './database'
import type { DayColumns, DayPlace } from './day-sums'
import type { DayKind } from './fresh-charges'
import { addUsage, usageValues } from './usage-columns'

/** Up to which day of which project days are in the roll-ups; null where all are. */
type RollupMark = { readonly project: number; readonly day: number } | null

/** Sums over keys, models or projects of days, written with them. */
interface RollupWriter {
  /** Adds what was added to a day, inside of the same transaction. */
  add(place: DayPlace, columns: DayColumns): void
  /** Same, of a day that is only now brought in. */
  bringIn(place: DayPlace, columns: DayColumns): void
}

/** Rows of the marks of how far days of before are in. Part of the database's meaning: they never change. */
export const rollupFills: Readonly<Record<DayKind, number>> = { utc: 1, zone: 2 }

export function openRollupWriter(connection: Connection, days: DayKind): RollupWriter {
  const markOf = openRollupMark(connection, days)
  const bringIn = (days === 'utc' ? openUtcRollups : openZoneRollups)(connection)
  return {
    add(place, columns) {
      // The rest comes in with its whole day.
      if (isIn(place, markOf())) bringIn(place, columns)
    },
    bringIn,
  }
}

function openUtcRollups({ raw }: Connection): RollupWriter['bringIn'] {
  const modelDay = raw.prepare(
    addUsage('usage_model_days', ['project', 'day', 'model'], usageValues(3)),
  )
  const serviceDay = raw.prepare(addUsage('usage_service_days', ['day', 'model'], usageValues(2)))
  const keyMonth = raw.prepare(
    addUsage('usage_key_months', ['month', 'project', 'key'], usageValues(3)),
  )
  return ([project, day, key, model], columns) => {
    modelDay.run(project, day, model, ...columns)
    serviceDay.run(day, model, ...columns)
    keyMonth.run(monthStart(day), project, key, ...columns)
  }
}

function openZoneRollups({ raw }: Connection): RollupWriter['bringIn'] {
  const modelDay = raw.prepare(
    addUsage('usage_zone_model_days', ['project', 'day', 'model'], usageValues(3)),
  )
  const keyDay = raw.prepare(
    addUsage('usage_zone_key_days', ['project', 'key', 'day'], usageValues(3)),
  )
  return ([project, day, key, model], columns) => {
    modelDay.run(project, day, model, ...columns)
    keyDay.run(project, key, day, ...columns)
  }
}

function isIn([project, day]: DayPlace, mark: RollupMark): boolean {
  if (mark === null || project < mark.project) return true
  return project === mark.project && day <= mark.day
}

/** What the roll-ups of these days have: once it is all, it stays so. */
export function openRollupMark({ raw }: ReadConnection, days: DayKind): () => RollupMark {
  const read = raw.prepare<NonNullable<RollupMark>, [number]>(
    'SELECT project, day FROM usage_rollup_fill WHERE id = ?',
  )
  let isWhole = false
  return () => {
    if (isWhole) return null
    const mark = read.get(rollupFills[days])
    isWhole = mark === null
    return mark
  }
}
