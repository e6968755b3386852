import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { eq } from 'drizzle-orm'
import { settings } from '../schema'
import type { Connection } from './connection'

/** One record of the service itself, replaced as a whole. */
interface KeptRecord<Kept> {
  /** Null where there is none, or one of another form. */
  read(): Promise<Kept | null>
  write(record: Kept): Promise<void>
}

/** @param name of its row, which stands beside the settings and is none of them */
export function openKeptRecord<Schema extends TSchema>(
  { orm, transaction }: Connection,
  name: string,
  schema: Schema,
): KeptRecord<Static<Schema>> {
  return {
    read: async () => {
      const row = orm.select().from(settings).where(eq(settings.key, name)).limit(1).get()
      const record: unknown = row === undefined ? null : JSON.parse(row.value)
      return Value.Check(schema, record) ? record : null
    },
    write: async (record) => {
      const value = JSON.stringify(record)
      transaction(() => {
        orm
          .insert(settings)
          .values({ key: name, value })
          .onConflictDoUpdate({ target: settings.key, set: { value } })
          .run()
      })
    },
  }
}
