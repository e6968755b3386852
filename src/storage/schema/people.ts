import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'
import type { AccountId, InvitationId, PersonId } from '../../domain/ids'
import { memberRoles } from '../../domain/fields/member-fields'
import type { Phone } from '../../domain/phone'
import { accounts } from './accounts'
import { oneOf } from './one-of'

/** Who signs in. */
export const people = sqliteTable(
  'people',
  {
    id: integer().primaryKey().$type<PersonId>(),
    /** Where codes go; null once the number has moved to somebody else. */
    phone: text().$type<Phone>(),
    created: integer().notNull().$type<Ms>(),
  },
  (table) => [uniqueIndex('people_phone').on(table.phone)],
)

/** What a person may do with an account. */
export const memberships = sqliteTable(
  'memberships',
  {
    person: integer()
      .notNull()
      .references(() => people.id)
      .$type<PersonId>(),
    account: integer()
      .notNull()
      .references(() => accounts.id)
      .$type<AccountId>(),
    role: text({ enum: memberRoles }).notNull(),
    created: integer().notNull().$type<Ms>(),
  },
  (table) => [
    primaryKey({ columns: [table.person, table.account] }),
    index('memberships_account').on(table.account),
    check('memberships_role', oneOf(table.role, memberRoles)),
  ],
)

/** Who was asked to join an account, and has not answered. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: integer().primaryKey({ autoIncrement: true }).$type<InvitationId>(),
    account: integer()
      .notNull()
      .references(() => accounts.id)
      .$type<AccountId>(),
    phone: text().notNull().$type<Phone>(),
    role: text({ enum: memberRoles }).notNull(),
    /** Who asked. */
    by: integer()
      .notNull()
      .references(() => people.id)
      .$type<PersonId>(),
    created: integer().notNull().$type<Ms>(),
    expires: integer().notNull().$type<Ms>(),
  },
  (table) => [
    uniqueIndex('invitations_account_phone').on(table.account, table.phone),
    index('invitations_phone').on(table.phone),
    // Who is told of them asks for those of late.
    index('invitations_created').on(table.created),
    check('invitations_role', oneOf(table.role, memberRoles)),
  ],
)

/** New numbers of people, and numbers taken from them, that an operator has set and that wait a day. */
export const phoneMoves = sqliteTable(
  'phone_moves',
  {
    person: integer()
      .primaryKey()
      .references(() => people.id)
      .$type<PersonId>(),
    /** Null takes the number away: it belongs to somebody else by now. */
    phone: text().$type<Phone>(),
    by: text().notNull(),
    due: integer().notNull().$type<Ms>(),
  },
  (table) => [index('phone_moves_due').on(table.due)],
)

/** Codes of the release before, whose nodes may serve beside this one; nothing here reads them. */
export const signInCodes = sqliteTable('sign_in_codes', {
  phone: text().primaryKey().$type<Phone>(),
  /** HMAC-SHA-256 of phone and code, hexadecimal; null once it was used or locked. */
  hash: text(),
  sent: integer().notNull().$type<Ms>(),
  expires: integer().notNull().$type<Ms>(),
  wrong: integer().notNull(),
  /** When the first of the wrong ones was tried. */
  wrongSince: integer('wrong_since').notNull().$type<Ms>(),
  lockedUntil: integer('locked_until').notNull().$type<Ms>(),
})

/** Codes that were sent in the last hour. */
export const sentCodes = sqliteTable(
  'sent_codes',
  {
    id: integer().primaryKey(),
    phone: text().notNull().$type<Phone>(),
    /** HMAC-SHA-256 of the asking browser's token, hexadecimal. */
    browser: text().notNull(),
    /** Address that asked. */
    address: text().notNull(),
    /** Place of the number that asked, as in `sign_in_places`; empty for strangers. */
    place: text().notNull(),
    /** A stranger asked, and nobody had an account with this number. */
    newcomer: integer({ mode: 'boolean' }).notNull(),
    /** HMAC-SHA-256 of the leading digits of a long code; null for a short one, which its browser tries alone. */
    name: text(),
    /** HMAC-SHA-256 of phone and code, hexadecimal; null once it was used or is void. */
    hash: text(),
    sent: integer().notNull().$type<Ms>(),
    expires: integer().notNull().$type<Ms>(),
    wrong: integer().notNull(),
    answered: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [
    index('sent_codes_phone').on(table.phone, table.sent),
    index('sent_codes_sent').on(table.sent),
  ],
)

/** Browsers and addresses from which a number signed in, and wrong codes: of all known browsers, addresses, strangers. */
export const signInPlaces = sqliteTable(
  'sign_in_places',
  {
    phone: text().notNull().$type<Phone>(),
    /** HMAC-SHA-256 of a browser's token, or of number and address; `browsers`, `addresses`, or empty for strangers. */
    place: text().notNull(),
    /** Last sign-in; of `browsers`, `addresses` and strangers, the last wrong code. */
    seen: integer().notNull().$type<Ms>(),
    wrong: integer().notNull(),
    /** When the first of the wrong ones was tried. */
    wrongSince: integer('wrong_since').notNull().$type<Ms>(),
  },
  (table) => [
    primaryKey({ columns: [table.phone, table.place] }),
    index('sign_in_places_seen').on(table.seen),
  ],
)

/** Codes that strangers asked for in the last hour and nobody answered, by address and block of addresses. */
export const signInRequests = sqliteTable(
  'sign_in_asks',
  {
    id: integer().primaryKey(),
    who: text().notNull(),
    at: integer().notNull().$type<Ms>(),
  },
  (table) => [
    index('sign_in_asks_who').on(table.who, table.at),
    index('sign_in_asks_at').on(table.at),
  ],
)

/** Sums over all phones, by the hour. */
export const signInHours = sqliteTable('sign_in_hours', {
  /** `YYYY-MM-DDTHH`, UTC. */
  hour: text().primaryKey(),
  sent: integer().notNull(),
  wrong: integer().notNull(),
  /** Of those sent: asked for by strangers, and not answered. */
  strangers: integer().notNull().default(0),
  /** Of those of strangers: to numbers without an account. */
  newcomers: integer().notNull().default(0),
})

/** Browsers that are signed in. */
export const sessions = sqliteTable(
  'sessions',
  {
    /** HMAC-SHA-256 of the token, hexadecimal: the database alone signs nobody in. */
    hash: text().primaryKey(),
    person: integer()
      .notNull()
      .references(() => people.id)
      .$type<PersonId>(),
    /** The account that its pages show. */
    account: integer()
      .notNull()
      .references(() => accounts.id)
      .$type<AccountId>(),
    created: integer().notNull().$type<Ms>(),
    seen: integer().notNull().$type<Ms>(),
    expires: integer().notNull().$type<Ms>(),
    address: text().notNull(),
    agent: text().notNull(),
    /** How it began. */
    way: text({ enum: ['code', 'passkey', 'sister'] })
      .notNull()
      .default('code'),
    /** The passkey that it began with: it ends with that. */
    passkey: text(),
    /** When its person last showed a code or a passkey in it; null for never. */
    proven: integer().$type<Ms>(),
  },
  (table) => [
    index('sessions_person').on(table.person),
    index('sessions_expires').on(table.expires),
  ],
)
