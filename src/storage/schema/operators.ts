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
import type { OperatorId, OperatorKeyId } from '../../domain/ids'
import { operatorRoles } from '../../domain/fields/operator-fields'
import type { NanoUsd } from '../../domain/money'
import type { Actor } from '../../domain/audit-log'
import { oneOf } from './one-of'

const role = () => text({ enum: operatorRoles }).notNull()

/** Who runs the service. A name is never given anew: the trail speaks of it. */
export const operators = sqliteTable(
  'operators',
  {
    id: integer().primaryKey({ autoIncrement: true }).$type<OperatorId>(),
    name: text().notNull(),
    role: role(),
    /** Argon2id; null until the operator has followed a link. */
    password: text(),
    /** Secret of the one-time codes, sealed; null with the password. */
    totp: text(),
    /** Number of the last one-time code that was used. */
    totpStep: integer('totp_step').notNull().default(0),
    created: integer().notNull().$type<Ms>(),
    removed: integer().$type<Ms>(),
  },
  (table) => [
    uniqueIndex('operators_name').on(table.name),
    check('operators_role', oneOf(table.role, operatorRoles)),
  ],
)

const operator = () =>
  integer()
    .notNull()
    .references(() => operators.id)
    .$type<OperatorId>()

/** Links by which an operator sets a password, each once. */
export const operatorLinks = sqliteTable('operator_links', {
  /** HMAC-SHA-256 of the token, hexadecimal. */
  hash: text().primaryKey(),
  /** Null: the first owner, who names themselves. */
  operator: integer()
    .references(() => operators.id)
    .$type<OperatorId>(),
  /** Secret of the one-time codes to be, sealed. */
  totp: text().notNull(),
  expires: integer().notNull().$type<Ms>(),
  /** Its maker, with whom it ends; null for links of before this was kept. */
  by: text().$type<Actor>(),
})

/** Codes in the place of a one-time code, each once. */
export const operatorRecoveryCodes = sqliteTable(
  'operator_recovery_codes',
  {
    /** HMAC-SHA-256 of operator and code, hexadecimal. */
    hash: text().primaryKey(),
    operator: operator(),
  },
  (table) => [index('operator_recovery_codes_operator').on(table.operator)],
)

/** Failed sign-ins of a name or of an address. */
export const operatorTries = sqliteTable(
  'operator_tries',
  {
    /** `name:sara` or `address:192.0.2.7`. */
    who: text().primaryKey(),
    wrong: integer().notNull(),
    lockedUntil: integer('locked_until').notNull().$type<Ms>(),
    /** When the last of them was tried. */
    last: integer().notNull().$type<Ms>(),
  },
  (table) => [index('operator_tries_last').on(table.last)],
)

/** Browsers in which an operator is signed in. */
export const operatorSessions = sqliteTable(
  'operator_sessions',
  {
    /** HMAC-SHA-256 of the token, hexadecimal. */
    hash: text().primaryKey(),
    operator: operator(),
    created: integer().notNull().$type<Ms>(),
    expires: integer().notNull().$type<Ms>(),
    address: text().notNull(),
    agent: text().notNull(),
    way: text({ enum: ['setup', 'code', 'recovery', 'passkey'] }).notNull(),
    /** The passkey that it ends with; null for other ways. */
    passkey: text(),
  },
  (table) => [
    index('operator_sessions_operator').on(table.operator),
    index('operator_sessions_expires').on(table.expires),
  ],
)

/** Keys of programs that operate the service. */
export const operatorKeys = sqliteTable(
  'operator_keys',
  {
    id: integer().primaryKey({ autoIncrement: true }).$type<OperatorKeyId>(),
    name: text().notNull(),
    role: role(),
    /** HMAC-SHA-256 of the secret, hexadecimal. */
    hash: text().notNull(),
    prefix: text().notNull(),
    by: text().notNull().$type<Actor>(),
    created: integer().notNull().$type<Ms>(),
    /** Null: it does not end by itself. */
    expires: integer().$type<Ms>(),
    revoked: integer().$type<Ms>(),
  },
  (table) => [
    uniqueIndex('operator_keys_hash').on(table.hash),
    check('operator_keys_role', oneOf(table.role, operatorRoles)),
  ],
)

/** What operators below owner gave away on a UTC day, counted with each change. */
export const operatorDays = sqliteTable(
  'operator_days',
  {
    /** As the trail names them: `operator:sara`, or a key that no operator made. */
    operator: text().notNull().$type<Actor>(),
    /** Days since 1970. */
    day: integer().notNull(),
    granted: integer().notNull().$type<NanoUsd>(),
    verifications: integer().notNull(),
    /** The most that they may give in the day, as of the last change. */
    allowance: integer().notNull().$type<NanoUsd>(),
  },
  (table) => [primaryKey({ columns: [table.operator, table.day] })],
)
