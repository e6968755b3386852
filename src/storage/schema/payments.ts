import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'
import type { AccountId, PaymentId, PersonId } from '../../domain/ids'
import type { Rial } from '../../domain/payment'
import { paymentStates } from '../../domain/payment'
import { gatewayKinds, trialBank } from '../../domain/payment'
import type { RedeemCodeId } from '../../domain/ids'
import { accounts } from './accounts'
import { money } from './columns'
import { transfers } from './ledger'
import { people } from './people'

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

/** Gateways that customers pay by, in the order of `position`. */
export const cardGateways = sqliteTable('card_gateways', {
  name: text().primaryKey(),
  kind: text({ enum: gatewayKinds }).notNull(),
  position: integer().notNull(),
  /** None of it secret, as JSON. */
  options: text({ mode: 'json' }).notNull().$type<Readonly<Record<string, string>>>(),
  /** Sealed by the vault. */
  secret: text(),
})

/** Payments by card, from before the customer leaves for the bank. */
export const cardPayments = sqliteTable(
  'card_payments',
  {
    id: text().primaryKey().$type<PaymentId>(),
    account: integer()
      .notNull()
      .references(() => accounts.id)
      .$type<AccountId>(),
    person: integer()
      .references(() => people.id)
      .$type<PersonId>(),
    gateway: text().notNull(),
    kind: text({ enum: [...gatewayKinds, trialBank] }).notNull(),
    /** Null for a payment in dollars, as are the promised rate and its end. */
    coins: integer(),
    rate: text(),
    rateUntil: integer('rate_until').$type<Ms>(),
    /** Promised. */
    amount: money().notNull(),
    currency: text().notNull(),
    /** In the currency's smallest unit. */
    charged: integer().notNull(),
    reference: text(),
    state: text({ enum: paymentStates }).notNull(),
    code: text(),
    /** When the gateway is asked next; null when it is not, by itself. */
    due: integer().$type<Ms>(),
    created: integer().notNull().$type<Ms>(),
    credited: integer().$type<Ms>(),
    creditedAmount: money('credited_amount'),
    /** Null for a payment in dollars. */
    creditedRate: text('credited_rate'),
    receipt: text(),
    card: text(),
    transfer: integer().references(() => transfers.id),
  },
  (table) => [
    uniqueIndex('card_payments_reference').on(table.kind, table.reference),
    uniqueIndex('card_payments_transfer').on(table.transfer),
    index('card_payments_account').on(table.account, table.id),
    index('card_payments_state').on(table.state, table.id),
    index('card_payments_due')
      .on(table.due)
      .where(sql`${table.due} is not null`),
    check(
      'card_payments_state',
      sql`${table.state} in ('started', 'credited', 'refused', 'expired')`,
    ),
    check('card_payments_amount', sql`${table.amount} > 0 and ${table.charged} > 0`),
    check(
      'card_payments_credit',
      sql`(${table.state} = 'credited') = (${table.transfer} is not null)`,
    ),
  ],
)

/** Payments at the bank inside of the program. */
export const trialSlips = sqliteTable('trial_slips', {
  reference: text().primaryKey(),
  payment: text().notNull().$type<PaymentId>(),
  rials: integer().notNull().$type<Rial>(),
  state: text({ enum: ['open', 'paid', 'refused'] }).notNull(),
})

/** Codes that are worth money once. */
export const redeemCodes = sqliteTable(
  'redeem_codes',
  {
    id: integer().primaryKey({ autoIncrement: true }).$type<RedeemCodeId>(),
    /** HMAC-SHA-256 with the pepper, hexadecimal: the database alone holds no money. */
    hash: text().notNull(),
    batch: text().notNull(),
    amount: money().notNull(),
    ending: text().notNull(),
    created: integer().notNull().$type<Ms>(),
    by: text().notNull(),
    expires: integer().$type<Ms>(),
    revoked: integer().$type<Ms>(),
    redeemed: integer().$type<Ms>(),
    account: integer()
      .references(() => accounts.id)
      .$type<AccountId>(),
    transfer: integer().references(() => transfers.id),
  },
  (table) => [
    uniqueIndex('redeem_codes_hash').on(table.hash),
    uniqueIndex('redeem_codes_transfer').on(table.transfer),
    index('redeem_codes_batch').on(table.batch),
    check('redeem_codes_amount', sql`${table.amount} > 0`),
    check('redeem_codes_redeemed', sql`(${table.redeemed} is null) = (${table.transfer} is null)`),
  ],
)

/** Wrong redeem codes of the last hour. */
export const redeemTries = sqliteTable(
  'redeem_tries',
  {
    id: integer().primaryKey(),
    person: integer().notNull().$type<PersonId>(),
    address: text().notNull(),
    at: integer().notNull().$type<Ms>(),
  },
  (table) => [
    index('redeem_tries_person').on(table.person, table.at),
    index('redeem_tries_address').on(table.address, table.at),
    index('redeem_tries_at').on(table.at),
  ],
)
