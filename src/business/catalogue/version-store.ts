import { eq, sql } from 'drizzle-orm'
import { settings } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

const row = eq(settings.key, 'catalogue_version')

/** Tells every process that the catalogue is another one now; inside of the transaction that changes it. */
export function countCatalogue(orm: Connection['orm']): void {
  const value = sql`cast(${settings.value} as integer) + 1`
  orm.update(settings).set({ value }).where(row).run()
}

/** A reader of that number. */
export function openCatalogueVersion({ orm }: Connection): () => number {
  const version = orm.select({ value: settings.value }).from(settings).where(row).limit(1).prepare()
  return () => Number(version.get()?.value ?? 0)
}
