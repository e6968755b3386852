import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import type { Actor } from '../../domain/audit-log'

/** Operators who look at an account as its owner sees it. Rows stay: the owner reads them. */
export const impersonations = sqliteTable(
  'account_looks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account: integer().notNull().$type<AccountId>(),
    /** The owner whose pages are shown. */
    person: integer().notNull().$type<PersonId>(),
    who: text().notNull().$type<Actor>(),
    /** HMAC-SHA-256 of the token, hexadecimal: of the ticket until it is opened, then of the cookie. */
    hash: text().notNull(),
    begun: integer().notNull().$type<Ms>(),
    /** When a browser came with the ticket; null before. */
    opened: integer().$type<Ms>(),
    expires: integer().notNull().$type<Ms>(),
    ended: integer().$type<Ms>(),
  },
  (table) => [
    uniqueIndex('account_looks_hash').on(table.hash),
    index('account_looks_account').on(table.account, table.id),
    index('account_looks_open').on(table.ended, table.expires),
  ],
)
