import { Type } from '@sinclair/typebox'
import { showUsd, type NanoUsd } from '../../../domain/money'
import type { Paid } from '../../payments/contract'
import type { LedgerPage } from '../../../domain/reports/report'
import { Id, orNull, pageOf } from '../../operations/fields'

/** An amount that came on an account, or left it. */
export const Moved = Type.Object({
  account: Id,
  usd: Type.String(),
  reference: Type.String(),
  /** The reference was counted before: nothing changed. */
  repeated: Type.Boolean(),
  balance_usd: Type.String(),
})

export const Adjusted = Type.Composite([
  Moved,
  Type.Object({
    reason: Type.String(),
    by: Type.String(),
  }),
])

/** Members on coins are left out for dollars. */
export const ToppedUp = Type.Composite([
  Moved,
  Type.Object({
    /** Id of the payment. */
    payment: Type.Optional(Type.String()),
    coins: Type.Optional(Type.Integer()),
    /** Coins per dollar. */
    rate: Type.Optional(Type.String()),
    created: Type.Optional(Type.String()),
    by: Type.Optional(Type.String()),
  }),
])

export const moved = (
  account: number,
  amount: NanoUsd,
  reference: string,
  { balance, repeated }: { readonly balance: NanoUsd; readonly repeated: boolean },
) => ({ account, usd: showUsd(amount), reference, repeated, balance_usd: showUsd(balance) })

/** Coins that came on an account. */
export function paidView(paid: Paid) {
  const { id, account, coins, rate, amount, reference, created, by } = paid.payment
  return {
    ...moved(account, amount, reference, paid),
    payment: id as string,
    coins,
    rate,
    created: new Date(created).toISOString(),
    by,
  }
}

export const LedgerLineView = Type.Object({
  kind: Type.String(),
  at: Type.String(),
  usd: Type.String(),
  balance_usd: Type.String(),
  /** Null for the charges of a day. */
  reference: orNull(Type.String()),
  note: orNull(Type.String()),
})

const Movement = Type.Object({
  created: Type.String(),
  kind: Type.String(),
  /** Negative: it left the account. */
  usd: Type.String(),
  /** Once this movement is counted. */
  balance_usd: Type.String(),
  reference: Type.String(),
  by: orNull(Type.String()),
  note: orNull(Type.String()),
})

/** Balances around the movements of a page are null while the first one is summed up. */
export const LedgerView = Type.Composite([
  Type.Object({
    account: Id,
    opening_usd: orNull(Type.String()),
    closing_usd: orNull(Type.String()),
  }),
  pageOf(Movement, Type.String()),
])

const usdOrNull = (amount: NanoUsd | null) => (amount === null ? null : showUsd(amount))

export const ledgerShown = (account: number, { lines, next, opening, closing }: LedgerPage) => ({
  account,
  opening_usd: usdOrNull(opening),
  closing_usd: usdOrNull(closing),
  data: lines.map(({ created, kind, amount, balance, reference, by, note }) => ({
    created: new Date(created).toISOString(),
    kind,
    usd: showUsd(amount),
    balance_usd: showUsd(balance),
    reference,
    by,
    note,
  })),
  next,
})
