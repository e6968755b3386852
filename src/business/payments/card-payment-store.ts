import { and, asc, count, desc, eq, gt, isNotNull, lt, lte, ne } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { AccountId, PaymentId } from '../../domain/ids'
import { showUsd, type NanoUsd } from '../../domain/money'
import type { Verdict } from './card-gateway'
import type { CardPayment, CardPaymentStore } from './card-payment'
import { dollarsOfCoins } from './rate'
import { cardPayments } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openMoveMoney } from '../../ledger/store/transfers'
import { openNewestRates } from './latest-rates-query'
import { openPayRow } from './credit-payment-sql'
import { openPaymentNotice } from './payment-notices-sql'
import type { WriteAudit } from '../audit-log/audit-log-sql'
import { refuseClosed } from '../accounts/refuse-closed-sql'

type Row = typeof cardPayments.$inferSelect
type Paid = Extract<Verdict, { readonly state: 'paid' }>

/** What a payment came to, and the transfer that moved it. */
interface Moved {
  readonly amount: NanoUsd
  readonly rate: string | null
  readonly transfer: number
  readonly balance: NanoUsd
}

/** Payments by card, as rows. */
export function openCardPaymentRows(
  connection: Connection,
  clock: Clock,
  record: WriteAudit,
): CardPaymentStore {
  const { orm, transaction } = connection
  const reads = openReads(connection)
  const begun = openBegun(connection)
  const creditRow = openCredit(connection, clock)
  const tell = openPaymentNotice(connection, clock)
  return {
    ...reads,
    begin: async ({ coins, charge, ...payment }, { since, max }) =>
      record({
        what: 'payment.start',
        work() {
          // Of those that were asked for at once each finds the ones before it.
          const oldest = begun(payment.account, since, max)[max - 1]
          if (oldest !== undefined) return oldest
          const { count: coinCount = null, rate = null, until = null } = coins ?? {}
          const promised = { coins: coinCount, rate, rateUntil: until }
          const charged = { currency: charge.currency, charged: charge.amount }
          orm
            .insert(cardPayments)
            .values({ ...payment, ...promised, ...charged, state: 'started' })
            .run()
          return null
        },
        subject: () => `account:${payment.account}`,
        before: () => null,
        after: (oldest) =>
          oldest === null
            ? {
                payment: payment.id,
                gateway: payment.gateway,
                amount_usd: showUsd(payment.amount),
                ...(coins === null ? {} : { coins: coins.count, rate: coins.rate }),
              }
            : null,
      }),
    refer: async (id, reference) =>
      transaction(() => {
        const { kind } = existing(rowOf(orm, id), id)
        if (referredRow(orm, kind, reference) !== undefined) return { isNew: false }
        orm.update(cardPayments).set({ reference }).where(eq(cardPayments.id, id)).run()
        return { isNew: true }
      }, 'durable').isNew,
    credit: async (id, paid) => {
      const { payment, moved } = record({
        what: 'account.topup',
        work: () => creditRow(id, paid),
        subject: ({ payment: { account } }) => `account:${account}`,
        before: () => null,
        after: (result) => (result.moved === null ? null : creditFields(result)),
      })
      return { payment, repeated: moved === null }
    },
    note: async (id, verdict) =>
      transaction(() => {
        const before = rowOf(orm, id)
        const row = orm.update(cardPayments).set(verdict).where(isOpen(id)).returning().get()
        // Whoever never came to a page of the bank knows already.
        const isAtBank = before?.state === 'started' && before.reference !== null
        if (row?.state === 'refused' && isAtBank)
          tell('payment_refused', { ...row, payment: row.id })
        return { payment: paymentOrNull(row ?? rowOf(orm, id)) }
      }, 'durable').payment,
  }
}

type Orm = Connection['orm']

const rowOf = (orm: Orm, id: PaymentId): Row | undefined =>
  orm.select().from(cardPayments).where(eq(cardPayments.id, id)).limit(1).get()

const referredRow = (orm: Orm, kind: Row['kind'], reference: string): Row | undefined =>
  orm
    .select()
    .from(cardPayments)
    .where(and(eq(cardPayments.kind, kind), eq(cardPayments.reference, reference)))
    .limit(1)
    .get()

function existing(row: Row | undefined, id: PaymentId): Row {
  if (row === undefined) throw new RangeError(`there is no payment ${id}`)
  return row
}

const isOpen = (id: PaymentId) => and(eq(cardPayments.id, id), ne(cardPayments.state, 'credited'))

/** Reads, each by an index. */
function openReads({
  orm,
}: Connection): Omit<CardPaymentStore, 'begin' | 'refer' | 'credit' | 'note'> {
  return {
    find: async (id) => paymentOrNull(rowOf(orm, id)),
    findByReference: async (kind, reference) => paymentOrNull(referredRow(orm, kind, reference)),
    due: async (now, max) =>
      orm
        .select({ id: cardPayments.id })
        .from(cardPayments)
        .where(and(isNotNull(cardPayments.due), lte(cardPayments.due, now)))
        .orderBy(asc(cardPayments.due))
        .limit(max)
        .all()
        .map(({ id }) => id),
    waitingAt: async (gateway) =>
      orm
        .select({ waiting: count() })
        .from(cardPayments)
        .where(
          and(
            eq(cardPayments.gateway, gateway),
            eq(cardPayments.state, 'started'),
            isNotNull(cardPayments.due),
          ),
        )
        .get()?.waiting ?? 0,
    list: async ({ account, state, before, max }) =>
      orm
        .select()
        .from(cardPayments)
        .where(
          and(
            account === null ? undefined : eq(cardPayments.account, account),
            state === null ? undefined : eq(cardPayments.state, state),
            before === null ? undefined : lt(cardPayments.id, before),
          ),
        )
        .orderBy(desc(cardPayments.id))
        .limit(max)
        .all()
        .map(paymentOf),
  }
}

/** When an account's payments since then began, newest first. */
const openBegun =
  ({ orm }: Connection) =>
  (account: AccountId, since: Ms, max: number): readonly Ms[] =>
    orm
      .select({ created: cardPayments.created })
      .from(cardPayments)
      .where(and(eq(cardPayments.account, account), gt(cardPayments.created, since)))
      .orderBy(desc(cardPayments.id))
      .limit(max)
      .all()
      .map(({ created }) => created)

/** Ends a payment with its money, inside of the caller's transaction. */
function openCredit(connection: Connection, clock: Clock) {
  const { orm } = connection
  const move = openMove(connection, clock)
  const tell = openPaymentNotice(connection, clock)
  return (
    id: PaymentId,
    { receipt, card }: Paid,
  ): { readonly payment: CardPayment; readonly moved: Moved | null } => {
    const row = existing(rowOf(orm, id), id)
    if (row.state === 'credited') return { payment: paymentOf(row), moved: null }
    // Its people are gone: whose money it is now, an operator has to decide.
    refuseClosed(connection, row.account)
    const moved = move(row)
    const { amount, rate, transfer } = moved
    const values = { credited: clock.now(), creditedAmount: amount, creditedRate: rate }
    const ended = { state: 'credited' as const, code: null, due: null, receipt, card, transfer }
    const after = orm
      .update(cardPayments)
      .set({ ...values, ...ended })
      .where(isOpen(id))
      .returning()
      .get()
    tell('payment_credited', { account: row.account, payment: row.id, amount })
    return { payment: paymentOf(after), moved }
  }
}

/** Moves the money of a payment that its gateway calls paid, inside of the caller's transaction. */
function openMove(connection: Connection, clock: Clock): (row: Row) => Moved {
  const payRow = openPayRow(connection, clock)
  const moveMoney = openMoveMoney(connection, clock)
  const newestRates = openNewestRates(connection)
  return ({ id, account, coins, rate, rateUntil, amount, kind, gateway, reference: told }) => {
    const reference = `${kind}:${told}`
    const by = `gateway:${gateway}`
    if (coins === null || rate === null || rateUntil === null) {
      const moved = moveMoney({ account, amount, kind: 'topup', reference, by })
      return { ...moved, amount, rate: null }
    }
    // An operator may have counted it by hand, under the same reference.
    const before = payRow.earlier({ account, coins, reference })
    const isKept = clock.now() <= rateUntil
    const used = isKept ? rate : (newestRates(1)[0]?.rate ?? rate)
    const paid =
      before ??
      payRow.write({
        id,
        account,
        coins,
        rate: used,
        amount: dollarsOfCoins(coins, used),
        reference,
        by,
      })
    const { payment, balance, transfer } = paid
    return { amount: payment.amount, rate: payment.rate, transfer, balance }
  }
}

const creditFields = ({ payment, moved }: { payment: CardPayment; moved: Moved | null }) => ({
  payment: payment.id,
  amount_usd: showUsd(payment.credit?.amount ?? payment.amount),
  ...(moved === null ? {} : { balance_usd: showUsd(moved.balance) }),
  ...(payment.coins === null
    ? {}
    : { coins: payment.coins.count, rate: payment.credit?.rate ?? payment.coins.rate }),
  gateway: payment.gateway,
  reference: payment.reference,
})

const paymentOrNull = (row: Row | undefined): CardPayment | null =>
  row === undefined ? null : paymentOf(row)

function paymentOf(row: Row): CardPayment {
  const { id, account, person, gateway, kind, amount, reference, state, code, due, created } = row
  const { coins, rate, rateUntil, currency, charged } = row
  const isInCoins = coins !== null && rate !== null && rateUntil !== null
  const { credited, creditedAmount, creditedRate, receipt, card } = row
  const isCredited = credited !== null && creditedAmount !== null
  return {
    id,
    account,
    person,
    gateway,
    kind,
    coins: isInCoins ? { count: coins, rate, until: rateUntil } : null,
    amount,
    charge: { currency, amount: charged },
    reference,
    state,
    code,
    due,
    created,
    credit: isCredited
      ? { amount: creditedAmount, rate: creditedRate, at: credited, receipt: receipt ?? '', card }
      : null,
  }
}
