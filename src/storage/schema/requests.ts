import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Unpaid } from '../../domain/record'
import { money } from './columns'

/**
 * Metadata of calls whose money was held: never a prompt or an answer. Each call is written here:
 * ids grow with time, so both indexes only grow at their end.
 */
export const requests = sqliteTable(
  'requests',
  {
    id: text().primaryKey(),
    account: integer().notNull(),
    project: integer().notNull(),
    key: integer().notNull(),
    endpoint: text().notNull(),
    model: text().notNull(),
    vendor: text(),
    vendorModel: text('vendor_model'),
    /** The vendor's name of the answer, where a later request can go on from it. */
    vendorAnswer: text('vendor_answer'),
    streamed: integer({ mode: 'boolean' }).notNull(),
    status: text({ enum: ['pending', 'success', 'error', 'cancelled'] }).notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    cachedTokens: integer('cached_tokens').notNull(),
    reasoningTokens: integer('reasoning_tokens').notNull(),
    /** Units of every meter as JSON, where the four counts above do not say it all. */
    units: text(),
    estimated: integer({ mode: 'boolean' }).notNull(),
    cost: money().notNull(),
    held: money().notNull(),
    /** What it owed when it was last told while it ran: charged when its process dies. */
    owed: money(),
    cardVersion: text('card_version').notNull(),
    /** What the vendor counted, where not all of it could be charged. */
    unpaid: text({ mode: 'json' }).$type<Unpaid>(),
    /** What vendors bill us for it; null where nobody knows. Never shown to customers. */
    vendorCost: money('vendor_cost'),
    /** The cost card that it is by. */
    costCard: integer('cost_card'),
    vendorCostEstimated: integer('vendor_cost_estimated', { mode: 'boolean' })
      .notNull()
      .default(false),
    error: text(),
    address: text().notNull(),
    created: integer().notNull(),
    /**
     * The day that it began in by the service's zone of that moment, days since 1970. Null in rows of
     * before there was such a setting: those are of the days of UTC+3:30.
     */
    zoneDay: integer('zone_day'),
    latencyMs: integer('latency_ms'),
    firstByteMs: integer('first_byte_ms'),
  },
  (table) => [
    index('requests_pending')
      .on(table.id)
      .where(sql`${table.status} = 'pending'`),
    // Few, so that it costs other calls nothing: calls that failed are listed by it.
    index('requests_failed')
      .on(table.id)
      .where(sql`${table.status} = 'error'`),
    // Not as a list: SQLite makes a table of that, with a cache of its own, for each row that it checks.
    check(
      'requests_status',
      sql`${table.status} = 'pending' or ${table.status} = 'success' or ${table.status} = 'error' or ${table.status} = 'cancelled'`,
    ),
  ],
)
