import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AccountId } from '../../domain/ids'
import { accounts } from './accounts'
import { money } from './columns'
import { transfers } from './ledger'

/** Coins per dollar, with its history: a new rate is a new row, and none is ever edited. */
export const coinRates = sqliteTable(
  'coin_rates',
  {
    id: integer().primaryKey(),
    /** A decimal number, as it was set. */
    rate: text().notNull(),
    validFrom: integer('valid_from').notNull(),
    by: text().notNull(),
  },
  (table) => [index('coin_rates_valid_from').on(table.validFrom)],
)

/** Coins that came in, with the rate that turned them into dollars: neither changes any more. */
export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    account: integer()
      .notNull()
      .references(() => accounts.id)
      .$type<AccountId>(),
    coins: integer().notNull(),
    rate: text().notNull(),
    amount: money().notNull(),
    /** That of the transfer, too. */
    reference: text().notNull(),
    transfer: integer()
      .notNull()
      .references(() => transfers.id),
    created: integer().notNull(),
    by: text().notNull(),
  },
  (table) => [
    uniqueIndex('payments_reference').on(table.reference),
    uniqueIndex('payments_transfer').on(table.transfer),
    check('payments_coins', sql`${table.coins} > 0`),
    check('payments_amount', sql`${table.amount} > 0`),
  ],
)
