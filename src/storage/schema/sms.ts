import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Who carries sign-in codes; tried by position. */
export const smsProviders = sqliteTable('sms_providers', {
  name: text().primaryKey(),
  provider: text().notNull(),
  position: integer().notNull(),
  /** What the provider needs to know, none of it secret, as JSON. */
  options: text({ mode: 'json' }).notNull().$type<Readonly<Record<string, string>>>(),
  /** Sealed by the vault; null for providers that need none. */
  secret: text(),
})
