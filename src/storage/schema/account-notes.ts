import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import { accounts } from './accounts'

/** What operators tell each other of an account; its people never read it. */
export const accountNotes = sqliteTable(
  'account_notes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account: integer()
      .notNull()
      .references(() => accounts.id)
      .$type<AccountId>(),
    text: text().notNull(),
    by: text().notNull(),
    created: integer().notNull().$type<Ms>(),
  },
  (table) => [index('account_notes_account').on(table.account)],
)
