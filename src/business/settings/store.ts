import { eq } from 'drizzle-orm'
import type { SettingsStore } from './settings'
import { settings } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { Rows } from '../../storage/sqlite/sync-store'

/** Settings as rows; the table also holds what the program keeps for itself. */
export function openSettingRows({ orm, transaction }: Connection): Rows<SettingsStore> {
  const all = orm.select().from(settings).prepare()
  return {
    all: () => new Map(all.all().map(({ key, value }) => [key, value])),
    get: (key) =>
      orm.select().from(settings).where(eq(settings.key, key)).limit(1).get()?.value ?? null,
    set: (key, value) =>
      transaction(() => {
        orm
          .insert(settings)
          .values({ key, value })
          .onConflictDoUpdate({ target: settings.key, set: { value } })
          .run()
      }),
    unset: (key) =>
      transaction(() => {
        orm.delete(settings).where(eq(settings.key, key)).run()
      }),
  }
}
