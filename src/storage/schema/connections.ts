import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Services outside that an operator set up: one row each. */
export const connections = sqliteTable('connections', {
  name: text({ enum: ['mail', 'verification'] }).primaryKey(),
  /** What is not secret of it. */
  fields: text({ mode: 'json' }).notNull().$type<Readonly<Record<string, string>>>(),
  /** Sealed by the vault; null where there is none, or where it is forgotten. */
  secret: text(),
})
