import { and, count, eq, inArray, lte } from 'drizzle-orm'
import { dayMs, type Ms } from '../../domain/clock'
import type { KnownDeviceStore } from '../notices/recipients/contract'
import { knownPlaces } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openNoticeWriter } from '../../storage/sqlite/notice-writer'

/** A place where somebody was not for so long is new again. */
const rememberedMs = 180 * dayMs

/** Places that people signed in from, as rows. @param holders channels to people of accounts */
export function openKnownDeviceRows(
  connection: Connection,
  holders: readonly string[],
): KnownDeviceStore {
  const { orm, transaction } = connection
  const write = openNoticeWriter(connection)
  return {
    visit: async (person, { hash: place, known: hashes }, notice, now) =>
      transaction(() => {
        orm
          .delete(knownPlaces)
          .where(
            and(eq(knownPlaces.person, person), lte(knownPlaces.seen, (now - rememberedMs) as Ms)),
          )
          .run()
        const known = orm
          .select({ places: count() })
          .from(knownPlaces)
          .where(eq(knownPlaces.person, person))
          .get()
        // Kept under one hash alone, that of now.
        const isKnown =
          orm
            .delete(knownPlaces)
            .where(and(eq(knownPlaces.person, person), inArray(knownPlaces.place, [...hashes])))
            .returning({ seen: knownPlaces.seen })
            .all().length > 0
        orm
          .insert(knownPlaces)
          .values({ person, place, seen: now })
          .onConflictDoUpdate({
            target: [knownPlaces.person, knownPlaces.place],
            set: { seen: now },
          })
          .run()
        const isNew = !isKnown && (known?.places ?? 0) > 0
        if (isNew) write([{ notice: notice(String(now)), channels: holders }])
        return { isNew }
      }, 'durable'),
  }
}
