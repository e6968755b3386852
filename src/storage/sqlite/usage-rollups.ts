import { monthStart } from '../../domain/clock'
import type { Connection, ReadConnection } from './database'
import type { DayColumns, DayPlace } from './day-sums'
import { addUsage, usageValues } from './usage-columns'

/** Up to which day of which project days are in the roll-ups; null where all are. */
type RollupMark = { readonly project: number; readonly day: number } | null

/** Sums over keys, models or projects of the days of UTC, written with them. */
interface RollupWriter {
  /** Adds what was added to a day, inside of the same transaction. */
  add(place: DayPlace, columns: DayColumns): void
  /** Same, of a day that is only now brought in. */
  bringIn(place: DayPlace, columns: DayColumns): void
}

export function openRollupWriter(connection: Connection): RollupWriter {
  const { raw } = connection
  const markOf = openRollupMark(connection)
  const modelDay = raw.prepare(
    addUsage('usage_model_days', ['project', 'day', 'model'], usageValues(3)),
  )
  const serviceDay = raw.prepare(addUsage('usage_service_days', ['day', 'model'], usageValues(2)))
  const keyMonth = raw.prepare(
    addUsage('usage_key_months', ['month', 'project', 'key'], usageValues(3)),
  )
  const bringIn: RollupWriter['bringIn'] = ([project, day, key, model], columns) => {
    modelDay.run(project, day, model, ...columns)
    serviceDay.run(day, model, ...columns)
    keyMonth.run(monthStart(day), project, key, ...columns)
  }
  return {
    add(place, columns) {
      // The rest comes in with its whole day.
      if (isIn(place, markOf())) bringIn(place, columns)
    },
    bringIn,
  }
}

function isIn([project, day]: DayPlace, mark: RollupMark): boolean {
  if (mark === null || project < mark.project) return true
  return project === mark.project && day <= mark.day
}

/** What the roll-ups have: once it is all, it stays so. */
export function openRollupMark({ raw }: ReadConnection): () => RollupMark {
  const read = raw.prepare<NonNullable<RollupMark>, []>(
    'SELECT project, day FROM usage_rollup_fill WHERE id = 1',
  )
  let isWhole = false
  return () => {
    if (isWhole) return null
    const mark = read.get()
    isWhole = mark === null
    return mark
  }
}
