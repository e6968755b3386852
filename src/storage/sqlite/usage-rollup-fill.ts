import { asc, eq, sql } from 'drizzle-orm'
import { usageDays, usageRollupFill, usageZoneDays } from '../schema'
import type { Connection } from './database'
import type { DayColumns, DayPlace } from './day-sums'
import type { DayKind } from './fresh-charges'
import { openRollupWriter, rollupFills } from './usage-rollups'

const tables = { utc: usageDays, zone: usageZoneDays } as const

/**
 * Brings days of before there were roll-ups into them, whole days of a project at a time.
 * @returns a slice: brings in about so many rows, and tells whether there are more
 */
export function openRollupSlices(connection: Connection, days: DayKind): (rows: number) => boolean {
  const { orm, transaction } = connection
  const table = tables[days]
  const rollups = openRollupWriter(connection, days)
  const isBehind = (project: number, day: number) =>
    sql`(${table.project}, ${table.day}) > (${project}, ${day})`
  const ownMark = eq(usageRollupFill.id, rollupFills[days])
  return (rows) =>
    // What a day comes to and that it is in are of one moment: others add to it too.
    transaction(() => {
      const mark = orm.select().from(usageRollupFill).where(ownMark).get()
      if (mark === undefined) return false
      const last = orm
        .select({ project: table.project, day: table.day })
        .from(table)
        .where(isBehind(mark.project, mark.day))
        .orderBy(asc(table.project), asc(table.day))
        .limit(1)
        .offset(rows - 1)
        .get()
      const found = orm
        .select()
        .from(table)
        .where(
          last === undefined
            ? isBehind(mark.project, mark.day)
            : sql`${isBehind(mark.project, mark.day)} and (${table.project}, ${table.day}) <= (${last.project}, ${last.day})`,
        )
        .all()
      for (const row of found) rollups.bringIn(placeOf(row), columnsOf(row))
      if (last === undefined) orm.delete(usageRollupFill).where(ownMark).run()
      else orm.update(usageRollupFill).set(last).where(ownMark).run()
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
