import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { money } from './columns'

const sums = {
  /** Calls that ended. */
  calls: integer().notNull(),
  charged: money().notNull(),
  /** What of it went back, on the day of its call. */
  refunded: money().notNull(),
  vendorCost: money('vendor_cost').notNull(),
  /** Calls that a vendor answered whose cost nobody knows. */
  uncosted: integer().notNull(),
}

/**
 * What was earned, by UTC day of the calls' beginning: written behind the charges as days of usage
 * are, for all projects at once. The migration makes both WITHOUT ROWID, which the schema has no
 * word for.
 */
export const profitDays = sqliteTable(
  'profit_days',
  {
    /** Days since 1970. */
    day: integer().notNull(),
    model: text().notNull(),
    /** Who answered, or billed without an answer; empty for nobody. */
    vendor: text().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.day, table.model, table.vendor] })],
)

export const profitAccounts = sqliteTable(
  'profit_accounts',
  {
    day: integer().notNull(),
    account: integer().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.day, table.account] })],
)

/** Days added up by month, written with them: what long ranges are read from. */
export const profitMonths = sqliteTable(
  'profit_months',
  {
    /** First day of the month, in days since 1970. */
    month: integer().notNull(),
    model: text().notNull(),
    vendor: text().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.month, table.model, table.vendor] })],
)

export const profitAccountMonths = sqliteTable(
  'profit_account_months',
  {
    month: integer().notNull(),
    account: integer().notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.month, table.account] })],
)
