import type { AccountReader } from '../../domain/reports/account-reader'
import { dayNumber } from '../../domain/clock'
import type { KeyId } from '../../domain/ids'
import { yieldToLoop } from '../../domain/yield-to-loop'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { freshDaysOfProject } from '../../ledger/sums/unaggregated'

/** Days of a project, newest first, until one has the key. Parameters: project, key, first day. */
const keptSql = `
  WITH RECURSIVE days (day) AS (
    SELECT max(day) FROM usage_zone_days WHERE project = ?1 AND day >= ?3
    UNION ALL
    SELECT (SELECT max(day) FROM usage_zone_days WHERE project = ?1 AND day >= ?3 AND day < days.day)
    FROM days WHERE days.day IS NOT NULL AND in_time(days.day)
  )
  SELECT day FROM days WHERE day IS NOT NULL
    AND EXISTS (SELECT 1 FROM usage_zone_days WHERE project = ?1 AND day = days.day AND key = ?2)
  LIMIT 1`

/** What is not in the sums yet. Parameter: the project. */
const freshSql = `SELECT key, max(day) AS day FROM (${freshDaysOfProject('zone')}) AS found GROUP BY key`

/** When keys were used last: a look at each day of their project at most. */
export function openLastDays({ raw }: ReadConnection): AccountReader['lastDays'] {
  const kept = raw.prepare<{ day: number }, [number, number, number]>(keptSql)
  const fresh = raw.prepare<{ key: KeyId; day: number }, [number]>(freshSql)
  return async (places) => {
    const found = new Map<KeyId, number>()
    for (const project of new Set(places.map((place) => place.project))) {
      const days = new Map(fresh.all(project).map(({ key, day }) => [key, day]))
      for (const { id, created } of places.filter((place) => place.project === project)) {
        // Its first day by any zone.
        const first = dayNumber(created) - 1
        const day = days.get(id) ?? kept.get(project, id, first)?.day ?? null
        if (day !== null) found.set(id, day)
      }
      await yieldToLoop()
    }
    return found
  }
}
