import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Calls that ended, by account: written behind the charges, since an index of `requests` would cost
 * each call a page of its own. The migration makes it WITHOUT ROWID, which the schema has no word for.
 */
export const accountCalls = sqliteTable(
  'account_calls',
  {
    account: integer().notNull(),
    request: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.request] })],
)

/** Progress of the index that a program of f6524a40 left. Empty once this program has opened the folder. */
export const accountCallsFill = sqliteTable('account_calls_fill', {
  id: integer().primaryKey(),
  /** Calls from this id on are in the index. */
  before: text().notNull(),
})
