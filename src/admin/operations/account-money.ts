import { Type } from '@sinclair/typebox'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import { showUsd, type NanoUsd } from '../../domain/money'
import { minimumCoins } from '../../payments/topup'
import { adjustBalance } from '../adjust-balance'
import { AdminError } from '../admin-error'
import { accountIn } from '../accounts'
import { topUpCoins, topUpDollars } from '../top-up'
import { textForms } from '../refusals/text-forms'
import { amountOf, Id, max, orNull, pageOf, Reason, Reference, SignedUsd, Usd } from './fields'
import { operation } from './operation'

const Moved = Type.Object({
  account: Id,
  usd: Type.String(),
  reference: Type.String(),
  /** The reference was counted before: nothing changed. */
  repeated: Type.Boolean(),
  balance_usd: Type.String(),
})

const LedgerLineView = Type.Object({
  kind: Type.String(),
  at: Type.String(),
  usd: Type.String(),
  balance_usd: Type.String(),
  /** Null for the charges of a day. */
  reference: orNull(Type.String()),
  note: orNull(Type.String()),
})

const DayText = Type.String({ pattern: textForms.day })
const maxDays = 366

const moved = (
  account: number,
  amount: NanoUsd,
  reference: string,
  { balance, repeated }: { readonly balance: NanoUsd; readonly repeated: boolean },
) => ({ account, usd: showUsd(amount), reference, repeated, balance_usd: showUsd(balance) })

export const moneyOperations = [
  operation({
    name: 'account.adjust',
    method: 'POST',
    path: '/accounts/{id}/adjustments',
    role: 'staff',
    about: 'Correct a balance, up or down, for a reason that is kept',
    params: { id: Id },
    body: {
      usd: SignedUsd,
      reason: Reason,
      reference: Reference,
      /** Keeps the reason off the customer’s statement. */
      private: Type.Optional(Type.Boolean()),
      /** Confirms a balance below zero. */
      below_zero: Type.Optional(Type.Boolean()),
    },
    result: Moved,
    async run(parts, { params, body }) {
      const { id } = await accountIn(parts, params.id)
      const amount = amountOf(body.usd)
      await parts.service.flush()
      const reference = body.reference.trim()
      const result = await adjustBalance(parts.storage.directory, {
        account: id,
        amount,
        reference,
        note: body.reason.trim(),
        told: body.private !== true,
        by: parts.requester.actor,
        belowZero: body.below_zero === true,
      })
      return moved(id, amount, reference, result)
    },
  }),
  operation({
    name: 'account.topup',
    method: 'POST',
    path: '/accounts/{id}/topups',
    role: 'staff',
    about: 'Put dollars on an account, or local coins at the rate of now',
    params: { id: Id },
    body: {
      usd: Type.Optional(Usd),
      coins: Type.Optional(
        Type.Integer({ minimum: minimumCoins, maximum: Number.MAX_SAFE_INTEGER }),
      ),
      reference: Reference,
      /** With dollars only. */
      note: Type.Optional(Reason),
    },
    result: Moved,
    async run(parts, { params, body }) {
      const { usd, coins, note } = body
      if ((usd === undefined) === (coins === undefined))
        throw new AdminError('input_invalid', {
          field: 'usd',
          rule: 'one_of_fields',
          fields: ['usd', 'coins'],
        })
      if (coins !== undefined && note !== undefined)
        throw new AdminError('input_invalid', {
          field: 'note',
          rule: 'not_beside',
          fields: ['coins'],
        })
      const reference = body.reference.trim()
      await parts.service.flush()
      const order = { account: params.id as AccountId, reference, by: parts.requester.actor }
      if (coins !== undefined) {
        const paid = await topUpCoins(parts, { ...order, coins })
        return moved(params.id, paid.payment.amount, reference, paid)
      }
      const amount = amountOf(usd ?? '0')
      const result = await topUpDollars(parts, { ...order, amount, note: note?.trim() ?? null })
      return moved(params.id, amount, reference, result)
    },
  }),
  operation({
    name: 'account.statement',
    method: 'GET',
    path: '/accounts/{id}/statement',
    role: 'viewer',
    about: 'Every movement of an account’s money, newest first, charges by UTC day',
    params: { id: Id },
    query: {
      from: Type.Optional(DayText),
      to: Type.Optional(DayText),
      before: Type.Optional(Type.String({ maxLength: 100 })),
      max,
    },
    result: Type.Composite([
      pageOf(LedgerLineView, Type.String()),
      Type.Object({ opening_usd: Type.String(), closing_usd: Type.String() }),
    ]),
    async run(parts, { params, query }) {
      const { id } = await accountIn(parts, params.id)
      const { storage, service } = parts
      await service.flush()
      const range = daysOf(query, service.clock.now())
      const { before = null, max } = query
      const page = await storage.accountReader.statement({
        account: id,
        ...range,
        by: 'day',
        before,
        max,
      })
      return {
        data: page.lines.map(({ kind, at, amount, balance, reference, note }) => ({
          kind,
          at: new Date(at).toISOString(),
          usd: showUsd(amount),
          balance_usd: showUsd(balance),
          reference,
          note,
        })),
        next: page.next,
        opening_usd: showUsd(page.sums.opening),
        closing_usd: showUsd(page.sums.closing),
      }
    },
  }),
] as const

const daysUnlessTold = 30

/** UTC days since 1970. @throws AdminError input_invalid for days that are none, and for too many */
function daysOf({ from, to }: { from?: string; to?: string }, now: Ms) {
  const toDay = to === undefined ? Math.floor(now / dayMs) : dayIn(to, 'to')
  const fromDay = from === undefined ? toDay - daysUnlessTold + 1 : dayIn(from, 'from')
  if (fromDay > toDay || toDay - fromDay >= maxDays)
    throw new AdminError('input_invalid', { field: 'from', rule: 'too_many_days', limit: maxDays })
  return { fromDay, toDay }
}

function dayIn(text: string, field: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at) || dayOf(at as Ms) !== text)
    throw new AdminError('input_invalid', { field, rule: 'bad_form', form: 'day' })
  return at / dayMs
}
