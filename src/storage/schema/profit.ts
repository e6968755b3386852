import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
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
  (table) => [
    primaryKey({ columns: [table.month, table.account] }),
    // The accounts that a month's list begins with; see `top-accounts`.
    index('profit_account_months_charged').on(table.month, table.charged),
    index('profit_account_months_margin').on(
      table.month,
      sql`(${table.charged} - ${table.refunded} - ${table.vendorCost})`,
    ),
  ],
)

/** Accounts with calls on days that are over, kept so that a month of them is counted at once. */
export const activeDays = sqliteTable('active_days', {
  /** Days since 1970. */
  day: integer().primaryKey(),
  /** Calls of the day when this was written: where there are more by now, it does not hold. */
  calls: integer().notNull(),
  /** Base64 of a bit for each number of an account, the lowest of the first byte for 0. */
  accounts: text().notNull(),
})
