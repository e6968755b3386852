import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'

/** The sister service whose users sign in by a ticket: one row. */
export const sisterService = sqliteTable('sister_service', {
  id: integer().primaryKey(),
  name: text().notNull(),
  signInUrl: text('sign_in_url').notNull(),
  /** Sealed by the vault; null where it is forgotten. */
  secret: text(),
})

/** Tickets that signed somebody in, until they are too old for it. */
export const usedTickets = sqliteTable(
  'used_tickets',
  {
    /** SHA-256 HMAC of the ticket's id, hexadecimal. */
    hash: text().primaryKey(),
    expires: integer().notNull().$type<Ms>(),
  },
  (table) => [index('used_tickets_expires').on(table.expires)],
)
