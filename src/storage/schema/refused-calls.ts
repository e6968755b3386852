import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Refused calls, added up by key or source, code and minute; the oldest go when there are too many. */
export const refusedCalls = sqliteTable(
  'refused_calls',
  {
    id: integer().primaryKey(),
    /** Milliseconds of its beginning. */
    minute: integer().notNull(),
    /** 0: none of ours. */
    key: integer().notNull(),
    source: text().notNull(),
    code: text().notNull(),
    account: integer(),
    project: integer(),
    count: integer().notNull(),
    endpoint: text(),
    address: text().notNull(),
    request: text().notNull(),
    time: integer().notNull(),
  },
  (table) => [
    uniqueIndex('refused_calls_line').on(table.minute, table.key, table.source, table.code),
  ],
)
