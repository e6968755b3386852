import { monthStart } from '../../domain/clock'
import type { Connection } from '../../storage/sqlite/connection'
import type { DayColumns, DayPlace } from './day-sums'
import { addUsage, usageValues } from './usage-columns'

/** Adds what was added to a day to its sums over keys, models or projects, inside of the same transaction. */
type AddToRollups = (place: DayPlace, columns: DayColumns) => void

/** Roll-ups of days of UTC. */
export function openUtcRollups({ raw }: Connection): AddToRollups {
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

/** Roll-ups of days of the service's zone. */
export function openZoneRollups({ raw }: Connection): AddToRollups {
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
