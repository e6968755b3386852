import { Value } from '@sinclair/typebox/value'
import { eq } from 'drizzle-orm'
import { ServiceProfile, type ServiceProfileStore } from '../../settings/service-profile'
import { settings } from '../schema'
import type { Connection } from './database'

/** Beside the settings, under a name that is none of theirs. */
const rowName = 'service_profile'

/** The service's own configuration, as one row. */
export function openServiceProfile({ orm, transaction }: Connection): ServiceProfileStore {
  return {
    read: async () => {
      const row = orm.select().from(settings).where(eq(settings.key, rowName)).limit(1).get()
      const profile: unknown = row === undefined ? null : JSON.parse(row.value)
      return Value.Check(ServiceProfile, profile) ? profile : null
    },
    write: async (profile) => {
      const value = JSON.stringify(profile)
      transaction(() => {
        orm
          .insert(settings)
          .values({ key: rowName, value })
          .onConflictDoUpdate({ target: settings.key, set: { value } })
          .run()
      })
    },
  }
}
