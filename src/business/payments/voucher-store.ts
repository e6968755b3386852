import { and, count, desc, eq, gt, inArray, isNull, lt, lte, min } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import { maxUsd, nanoUsd, showUsd } from '../../domain/money'
import type { RefusedPayment } from './payment-refusal'
import type { Redeemed, RedeemBounds, RedeemCode, RedeemCodeStore, Redeeming } from './voucher'
import type { RedeemCodeId } from '../../domain/ids'
import { redeemCodes, redeemTries } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openMoveMoney } from '../../ledger/store/transfers'
import { openPaymentNotice } from './payment-notices-sql'
import type { WriteAudit } from '../audit-log/audit-log-sql'

type Row = typeof redeemCodes.$inferSelect

const hourMs = 3_600_000

/** Redeem codes, as rows. */
export function openRedeemCodeRows(
  connection: Connection,
  clock: Clock,
  record: WriteAudit,
): RedeemCodeStore {
  const { orm } = connection
  const redeem = openRedeemRow(connection, clock)
  return {
    create: async ({ codes, ...common }) =>
      record({
        what: 'code.create',
        work: () =>
          codes.map((code) =>
            codeOf(
              orm
                .insert(redeemCodes)
                .values({ ...common, ...code, created: clock.now() })
                .returning()
                .get(),
            ),
          ),
        subject: () => `codes:${common.batch}`,
        before: () => null,
        after: (made) => ({ count: made.length, amount_usd: showUsd(common.amount) }),
        gives: (made) => ({ usd: nanoUsd(Math.min(common.amount * made.length, maxUsd)) }),
      }),
    list: async ({ batch, before, max }) =>
      orm
        .select()
        .from(redeemCodes)
        .where(
          and(
            batch === null ? undefined : eq(redeemCodes.batch, batch),
            before === null ? undefined : lt(redeemCodes.id, before),
          ),
        )
        .orderBy(desc(redeemCodes.id))
        .limit(max)
        .all()
        .map(codeOf),
    find: async (id) =>
      orm.select().from(redeemCodes).where(eq(redeemCodes.id, id)).all().map(codeOf)[0] ?? null,
    revoke: async (which) =>
      record({
        what: 'code.revoke',
        work: () =>
          orm
            .update(redeemCodes)
            .set({ revoked: clock.now() })
            .where(unused(which))
            .returning({ id: redeemCodes.id })
            .all().length,
        subject: () => ('id' in which ? `code:${which.id}` : `codes:${which.batch}`),
        before: () => null,
        after: (revoked) => (revoked === 0 ? null : { revoked }),
      }),
    redeem: async (redeeming, bounds) =>
      record({
        what: 'code.redeem',
        work: () => redeem(redeeming, bounds),
        subject: () => `account:${redeeming.account}`,
        before: () => null,
        after: (redeemed) =>
          'refusal' in redeemed
            ? null
            : { amount_usd: showUsd(redeemed.amount), balance_usd: showUsd(redeemed.balance) },
      }),
  }
}

const unused = (which: { readonly id: RedeemCodeId } | { readonly batch: string }) =>
  and(
    'id' in which ? eq(redeemCodes.id, which.id) : eq(redeemCodes.batch, which.batch),
    isNull(redeemCodes.revoked),
    isNull(redeemCodes.redeemed),
  )

/** One try, inside of the caller's transaction. */
function openRedeemRow(connection: Connection, clock: Clock) {
  const { orm } = connection
  const moveMoney = openMoveMoney(connection, clock)
  const tries = openTries(connection)
  const tell = openPaymentNotice(connection, clock)
  return (redeeming: Redeeming, bounds: RedeemBounds): Redeemed => {
    const { hashes, account, person } = redeeming
    const now = clock.now()
    const untried = (refusal: RefusedPayment): Redeemed => ({ refusal, wrongInHour: 0 })
    const waitSeconds = tries.waitSeconds(redeeming, bounds, now)
    if (waitSeconds !== null) return untried({ code: 'redeem_locked', facts: { waitSeconds } })
    const row = orm
      .select()
      .from(redeemCodes)
      .where(inArray(redeemCodes.hash, [...hashes]))
      .limit(1)
      .get()
    if (row === undefined) {
      const { wrongInHour, left } = tries.countWrong(redeeming, bounds, now)
      return { refusal: { code: 'redeem_code_unknown', facts: { left } }, wrongInHour }
    }
    if (row.redeemed !== null) {
      const isYours = row.account === account
      return untried({ code: isYours ? 'redeem_code_yours' : 'redeem_code_used', facts: {} })
    }
    if (row.revoked !== null || (row.expires !== null && row.expires <= now))
      return untried({ code: 'redeem_code_over', facts: {} })
    const { amount } = row
    const { transfer, balance } = moveMoney({
      account,
      amount,
      kind: 'topup',
      reference: `code:${row.id}`,
      by: `person:${person}`,
    })
    orm
      .update(redeemCodes)
      .set({ redeemed: now, account, transfer })
      .where(eq(redeemCodes.id, row.id))
      .run()
    tell('payment_credited', { account, payment: `code:${row.id}`, amount })
    return { amount, balance }
  }
}

/** Wrong codes of the last hour: a restart forgets none. */
function openTries({ orm }: Connection) {
  const since = (now: Ms) => (now - hourMs) as Ms
  const of = (which: ReturnType<typeof eq> | undefined, now: Ms) =>
    orm
      .select({ wrong: count(), oldest: min(redeemTries.at) })
      .from(redeemTries)
      .where(and(which, gt(redeemTries.at, since(now))))
      .get() ?? { wrong: 0, oldest: null }
  const both = ({ person, address }: Redeeming, bounds: RedeemBounds, now: Ms) => [
    { ...of(eq(redeemTries.person, person), now), bound: bounds.perPerson },
    { ...of(eq(redeemTries.address, address), now), bound: bounds.perAddress },
  ]
  return {
    /** Until the oldest is forgotten; null where one may try. */
    waitSeconds(who: Redeeming, bounds: RedeemBounds, now: Ms): number | null {
      const waits = both(who, bounds, now)
        .filter(({ wrong, bound }) => wrong >= bound)
        .map(({ oldest }) => Math.max(1, Math.ceil(((oldest ?? now) + hourMs - now) / 1000)))
      return waits.length === 0 ? null : Math.max(...waits)
    },
    countWrong(who: Redeeming, bounds: RedeemBounds, now: Ms) {
      const { person, address } = who
      orm
        .delete(redeemTries)
        .where(lte(redeemTries.at, since(now)))
        .run()
      orm.insert(redeemTries).values({ person, address, at: now }).run()
      const left = Math.min(...both(who, bounds, now).map(({ wrong, bound }) => bound - wrong))
      return { wrongInHour: of(undefined, now).wrong, left: Math.max(0, left) }
    },
  }
}

const codeOf = ({
  id,
  batch,
  amount,
  ending,
  created,
  by,
  expires,
  revoked,
  redeemed,
  account,
}: Row): RedeemCode => ({
  id,
  batch,
  amount,
  ending,
  created,
  by,
  expires,
  revoked,
  redeemed: redeemed === null || account === null ? null : { at: redeemed, account },
})
