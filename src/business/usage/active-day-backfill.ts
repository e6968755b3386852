import { max } from 'drizzle-orm'
import { activeDays, profitDays } from '../../storage/schema'
import { callsByDay, openAccountBits, textOfBits } from './active-accounts'
import type { Connection } from '../../storage/sqlite/connection'

/** As far back as operators' first page looks. */
const daysBack = 60

/**
 * Keeps the accounts of days that are over, one day at a time, so that the first look of a process at
 * a month finds them together. Days that become over meanwhile are in the memory of whoever looks.
 * @returns a slice: writes a day that is not there or has more calls by now, and tells whether there
 *   may be more
 */
export function openActiveDaySlices(connection: Connection): () => boolean {
  const { orm, transaction } = connection
  const bitsOfDay = openAccountBits(connection)
  return () =>
    // Accounts and the number of calls that they are of are of one moment.
    transaction(() => {
      const last = orm
        .select({ day: max(profitDays.day) })
        .from(profitDays)
        .get()?.day
      if (typeof last !== 'number') return false
      const kept = new Map(
        orm
          .select({ day: activeDays.day, calls: activeDays.calls })
          .from(activeDays)
          .all()
          .map(({ day, calls }) => [day, calls]),
      )
      const days = callsByDay(connection, { fromDay: last - daysBack, toDay: last - 1 })
      const next = [...days].find(([day, calls]) => kept.get(day) !== calls)
      if (next === undefined) return false
      const [day, calls] = next
      const row = { day, calls, accounts: textOfBits(bitsOfDay(day)) }
      orm
        .insert(activeDays)
        .values(row)
        .onConflictDoUpdate({ target: activeDays.day, set: row })
        .run()
      return true
    }, 'brief')
}
