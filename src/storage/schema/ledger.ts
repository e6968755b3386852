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
    /** Why a person moved it, in their words; null for charges. */
    note: text(),
    /** Whether the account's people read the note; what was written before that was so is not told. */
    told: integer({ mode: 'boolean' }).notNull().default(false),
    /** Who moved it; null for charges. */
    by: text(),
  },
  (table) => [
    // No index of charges by account: with many customers it would cost each more than all the rest.
    uniqueIndex('transfers_reference').on(table.kind, table.reference),
    index('transfers_moved_in')
      .on(table.credit)
      .where(sql`${table.kind} <> 'charge'`),
    index('transfers_moved_out')
      .on(table.debit)
      .where(sql`${table.kind} <> 'charge'`),
    // Holds the amounts too: what came in over some days is summed from it alone.
    index('transfers_topups')
      .on(table.created, table.amount)
      .where(sql`${table.kind} = 'topup'`),
    check('transfers_amount', sql`${table.amount} > 0`),
    check('transfers_sides', sql`${table.debit} <> ${table.credit}`),
  ],
)

/**
 * Sums of charges that caps are checked against; see the ledger's `Scope`. Ids come first in the
 * key: an account, its project and its key are mostly made together, so that the sums of a call
 * lie on one page. The migration makes it WITHOUT ROWID, which the schema has no word for.
 */
export const spent = sqliteTable(
  'spent',
  {
    kind: text().notNull(),
    id: integer().notNull(),
    period: text().notNull(),
    amount: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.id, table.kind, table.period] })],
)

/**
 * How far the sums of charges have come. They lie in shards by their id (days by their project),
 * each written behind the charges: those of a transfer above the shard's are not in it yet.
 */
export const summed = sqliteTable('summed', {
  shard: integer().primaryKey(),
  /** The last charge in the sums of this shard. */
  transfer: integer().notNull(),
})
