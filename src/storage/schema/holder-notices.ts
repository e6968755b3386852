import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import { accounts } from './accounts'
import { notices } from './notices'
import { people } from './people'

/** Where a person is reached besides by phone, and in which language. */
export const contacts = sqliteTable('contacts', {
  person: integer()
    .primaryKey()
    .references(() => people.id)
    .$type<PersonId>(),
  language: text({ enum: ['fa', 'en'] }),
  /** Confirmed by a code. */
  email: text(),
  emailPending: text('email_pending'),
  /** HMAC-SHA-256 of address and code, hexadecimal. */
  codeHash: text('code_hash'),
  codeSent: integer('code_sent').$type<Ms>(),
  codeExpires: integer('code_expires').$type<Ms>(),
  codeWrong: integer('code_wrong').notNull().default(0),
  /** Codes of the hour that began with `code_since`. */
  codeCount: integer('code_count').notNull().default(0),
  codeSince: integer('code_since').$type<Ms>(),
})

/** What a person switched: rows are there for what differs from the preset. */
export const noticeChoices = sqliteTable(
  'notice_choices',
  {
    person: integer()
      .notNull()
      .references(() => people.id)
      .$type<PersonId>(),
    way: text({ enum: ['bell', 'sms', 'email'] }).notNull(),
    topic: text().notNull(),
    on: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.person, table.way, table.topic] })],
)

/** Where the programs of an account are told. */
export const accountWebhooks = sqliteTable('account_webhooks', {
  account: integer()
    .primaryKey()
    .references(() => accounts.id)
    .$type<AccountId>(),
  url: text().notNull(),
  /** Sealed by the vault; null where it is forgotten: nothing is sent until it is set again. */
  secret: text(),
  /** What was switched, by topic. */
  choices: text({ mode: 'json' }).notNull().$type<Readonly<Record<string, boolean>>>(),
  /** Who set it; null where that was before it was kept. */
  madeBy: integer('made_by').$type<PersonId>(),
})

/** Notices that a person finds in the app. */
export const bellNotices = sqliteTable(
  'bell_notices',
  {
    person: integer().notNull().$type<PersonId>(),
    /** 0: the person's own, whatever account they look at. */
    account: integer().notNull(),
    notice: text()
      .notNull()
      .references(() => notices.id),
    seen: integer().$type<Ms>(),
  },
  (table) => [
    primaryKey({ columns: [table.person, table.account, table.notice] }),
    index('bell_notices_notice').on(table.notice),
    index('bell_notices_unseen')
      .on(table.person, table.account)
      .where(sql`${table.seen} is null`),
  ],
)

/** The outbox of people: one row for each way and receiver. */
export const holderDeliveries = sqliteTable(
  'holder_deliveries',
  {
    notice: text()
      .notNull()
      .references(() => notices.id),
    way: text({ enum: ['sms', 'email', 'webhook'] }).notNull(),
    /** 0 for the webhook of the account. */
    person: integer().notNull(),
    /** 0 for what is a person's own. */
    account: integer().notNull(),
    state: text({ enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attempts: integer().notNull(),
    /** When it is tried next; when it ended, once it is not pending. */
    due: integer().notNull().$type<Ms>(),
    created: integer().notNull().$type<Ms>(),
    error: text(),
    /**
     * Phone, address or webhook (JSON) of the moment before a change that the notice is about; null:
     * the receiver's of now, and once it has ended.
     */
    target: text(),
  },
  (table) => [
    primaryKey({ columns: [table.notice, table.way, table.person] }),
    index('holder_deliveries_pending')
      .on(table.way, table.due)
      .where(sql`${table.state} = 'pending'`),
    // SMS of an account's day.
    index('holder_deliveries_account').on(table.account, table.way, table.created),
    check('holder_deliveries_state', sql`${table.state} in ('pending', 'delivered', 'failed')`),
  ],
)

/** Where people signed in from. */
export const knownPlaces = sqliteTable(
  'known_places',
  {
    person: integer()
      .notNull()
      .references(() => people.id)
      .$type<PersonId>(),
    /** HMAC-SHA-256 of device and network, hexadecimal. */
    place: text().notNull(),
    seen: integer().notNull().$type<Ms>(),
  },
  (table) => [primaryKey({ columns: [table.person, table.place] })],
)
