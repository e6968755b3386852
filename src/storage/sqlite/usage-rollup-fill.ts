import { asc, eq, sql } from 'drizzle-orm'
import { usageDays, usageRollupFill } from '../schema'
import type { Connection } from './database'
import type { DayColumns, DayPlace } from './day-sums'
import { openRollupWriter } from './usage-rollups'

/**
 * Brings days of before there were roll-ups into them, whole days of a project at a time.
 * @returns a slice: brings in about so many rows, and tells whether there are more
 */
export function openRollupSlices(connection: Connection): (rows: number) => boolean {
  const { orm, transaction } = connection
  const rollups = openRollupWriter(connection)
  const isBehind = (project: number, day: number) =>
    sql`(${usageDays.project}, ${usageDays.day}) > (${project}, ${day})`
  return (rows) =>
    // What a day comes to and that it is in are of one moment: others add to it too.
    transaction(() => {
      const mark = orm.select().from(usageRollupFill).limit(1).get()
      if (mark === undefined) return false
      const last = orm
        .select({ project: usageDays.project, day: usageDays.day })
        .from(usageDays)
        .where(isBehind(mark.project, mark.day))
        .orderBy(asc(usageDays.project), asc(usageDays.day))
        .limit(1)
        .offset(rows - 1)
        .get()
      const found = orm
        .select()
        .from(usageDays)
        .where(
          last === undefined
            ? isBehind(mark.project, mark.day)
            : sql`${isBehind(mark.project, mark.day)} and (${usageDays.project}, ${usageDays.day}) <= (${last.project}, ${last.day})`,
        )
        .all()
      for (const row of found) rollups.bringIn(placeOf(row), columnsOf(row))
      if (last === undefined) orm.delete(usageRollupFill).run()
      else orm.update(usageRollupFill).set(last).where(eq(usageRollupFill.id, mark.id)).run()
      return last !== undefined
    }, 'brief')
}

type UsageDayRow = typeof usageDays.$inferSelect

const placeOf = ({ project, day, key, model }: UsageDayRow): DayPlace => [project, day, key, model]

const columnsOf = (row: UsageDayRow): DayColumns => [
  row.requests,
  row.errors,
  row.inputTokens,
  row.outputTokens,
  row.cachedTokens,
  row.cost,
]
