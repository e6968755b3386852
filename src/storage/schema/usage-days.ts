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

/** UTC days by model, over all keys of a project: what its days are told from, however many keys it has. */
export const usageModelDays = sqliteTable(
  'usage_model_days',
  {
    project: integer().notNull(),
    day: integer().notNull(),
    model: text().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.project, table.day, table.model] })],
)

/** UTC days by model, over all projects. */
export const usageServiceDays = sqliteTable(
  'usage_service_days',
  {
    day: integer().notNull(),
    model: text().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.day, table.model] })],
)

/** Months by key, over all models: ordered by month, so that a range of all keys is read in one piece. */
export const usageKeyMonths = sqliteTable(
  'usage_key_months',
  {
    month: integer().notNull(),
    project: integer().notNull(),
    key: integer().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.month, table.project, table.key] })],
)

/** Days of the service's zone by model, over all keys of a project. */
export const usageZoneModelDays = sqliteTable(
  'usage_zone_model_days',
  {
    project: integer().notNull(),
    day: integer().notNull(),
    model: text().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.project, table.day, table.model] })],
)

/** Days of the service's zone by key, over all models: each key's days lie side by side. */
export const usageZoneKeyDays = sqliteTable(
  'usage_zone_key_days',
  {
    project: integer().notNull(),
    key: integer().notNull(),
    day: integer().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.project, table.key, table.day] })],
)

/**
 * Roll-up progress that a program of f6524a40 left: 1 for days of UTC, 2 for days of the service's zone. Empty once
 * this program has opened the folder.
 */
export const usageRollupFill = sqliteTable('usage_rollup_fill', {
  id: integer().primaryKey(),
  /** Days up to this one of this project are in, and all of earlier projects. */
  project: integer().notNull(),
  day: integer().notNull(),
})
