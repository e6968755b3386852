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
import type { NoticeSubject } from '../../domain/notice'
import { money } from './columns'

/** Every notice that was ever due. */
export const notices = sqliteTable(
  'notices',
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    /** Number of the account, project or key; 0 for the service. */
    subject: integer().notNull(),
    period: text().notNull(),
    /** Per cent; 0 for a floor. */
    threshold: integer().notNull(),
    limit: money().notNull(),
    amount: money().notNull(),
    /** Ids and names as they were. */
    about: text({ mode: 'json' }).notNull().$type<NoticeSubject>(),
    created: integer().notNull(),
    /** When the balance was back at the floor: from then on it can be told again. */
    recovered: integer(),
  },
  (table) => [
    // Who was told already is asked here; no two can be told at once.
    uniqueIndex('notices_told')
      .on(table.subject, table.kind, table.period, table.threshold, table.limit)
      .where(sql`${table.recovered} is null`),
  ],
)

/** The outbox: one row for each channel that carries a notice. */
export const noticeDeliveries = sqliteTable(
  'notice_deliveries',
  {
    notice: text()
      .notNull()
      .references(() => notices.id),
    channel: text().notNull(),
    state: text({ enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attempts: integer().notNull(),
    /** When it is tried next; when it ended, once it is not pending. */
    due: integer().notNull(),
    /** What the last attempt came to; null when it was well. */
    error: text(),
  },
  (table) => [
    primaryKey({ columns: [table.notice, table.channel] }),
    index('notice_deliveries_pending')
      .on(table.channel, table.due)
      .where(sql`${table.state} = 'pending'`),
    index('notice_deliveries_failed')
      .on(table.notice)
      .where(sql`${table.state} = 'failed'`),
    check('notice_deliveries_state', sql`${table.state} in ('pending', 'delivered', 'failed')`),
  ],
)
