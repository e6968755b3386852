import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { money } from './columns'

const sums = {
  requests: integer().notNull(),
  errors: integer().notNull(),
  inputTokens: integer('input_tokens').notNull(),
  outputTokens: integer('output_tokens').notNull(),
  cachedTokens: integer('cached_tokens').notNull(),
  cost: money().notNull(),
}

const columns = {
  project: integer().notNull(),
  /** Days since 1970. */
  day: integer().notNull(),
  key: integer().notNull(),
  model: text().notNull(),
  ...sums,
}

/**
 * Calls that ended, by UTC day of their beginning: what reports are made of, whatever the history.
 * The migration makes it WITHOUT ROWID, which the schema has no word for.
 */
export const usageDays = sqliteTable('usage_days', columns, (table) => [
  primaryKey({ columns: [table.project, table.day, table.key, table.model] }),
])

/** Usage by the days of the service's zone, as each record has its own: what pages show. */
export const usageZoneDays = sqliteTable('usage_zone_days', columns, (table) => [
  primaryKey({ columns: [table.project, table.day, table.key, table.model] }),
])

/** UTC days added up by month, written with them: what long ranges are read from. */
export const usageMonths = sqliteTable(
  'usage_months',
  {
    project: integer().notNull(),
    /** First day of the month, in days since 1970. */
    month: integer().notNull(),
    key: integer().notNull(),
    model: text().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.project, table.month, table.key, table.model] })],
)
