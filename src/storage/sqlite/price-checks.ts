import { Value } from '@sinclair/typebox/value'
import { eq } from 'drizzle-orm'
import { PriceCheckRecord, type PriceCheckStore } from '../../pricing/check-record'
import { settings } from '../schema'
import type { Connection } from './database'

/** Beside the settings, under a name that is none of theirs. */
const rowName = 'price_check'

/** The last check of public prices, as one row. */
export function openPriceChecks({ orm, transaction }: Connection): PriceCheckStore {
  return {
    read: async () => {
      const row = orm.select().from(settings).where(eq(settings.key, rowName)).limit(1).get()
      const record: unknown = row === undefined ? null : JSON.parse(row.value)
      return Value.Check(PriceCheckRecord, record) ? record : null
    },
    write: async (record) => {
      const value = JSON.stringify(record)
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
