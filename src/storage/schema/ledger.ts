import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts'
import { money } from './columns'

/** Append-only double entry: `amount` leaves `debit` and reaches `credit`. */
export const transfers = sqliteTable(
  'transfers',
  {
    id: integer().primaryKey(),
    debit: integer()
      .notNull()
      .references(() => accounts.id),
    credit: integer()
      .notNull()
      .references(() => accounts.id),
    amount: money().notNull(),
    kind: text({ enum: ['charge', 'topup', 'adjustment', 'refund'] }).notNull(),
    /** The request id of a charge, the payment of a topup; counts once per kind. */
    reference: text().notNull(),
    created: integer().notNull(),
  },
  (table) => [
    uniqueIndex('transfers_reference').on(table.kind, table.reference),
    // Only customers: every charge credits the house, and nobody lists the house's side.
    index('transfers_debit')
      .on(table.debit)
      .where(sql`${table.debit} > 0`),
    index('transfers_credit')
      .on(table.credit)
      .where(sql`${table.credit} > 0`),
    check('transfers_amount', sql`${table.amount} > 0`),
    check('transfers_sides', sql`${table.debit} <> ${table.credit}`),
  ],
)

/** Sums of charges that caps are checked against; see the ledger's `Scope`. */
export const spent = sqliteTable(
  'spent',
  {
    kind: text().notNull(),
    id: integer().notNull(),
    period: text().notNull(),
    amount: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id, table.period] })],
)
