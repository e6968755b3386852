import { Type } from '@sinclair/typebox'
import { dayMs, dayOf, type Ms } from '../../../domain/clock'
import type { AccountId } from '../../../domain/ids'
import { latinDigits } from '../../../domain/digits'
import { showUsd } from '../../../domain/money'
import { minimumCoins } from '../../payments/coins'
import { adjustBalance } from '../adjust-balance'
import { AdminError } from '../../operations/admin-error'
import { accountIn } from '../find-account'
import { topUpCoins, topUpDollars } from '../top-up'
import { textForms } from '../../operations/refusals/text-forms'
import {
  amountOf,
  Id,
  max,
  pageOf,
  Reason,
  Reference,
  SignedUsd,
  Usd,
} from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { moneyCommands } from './money-commands'
import {
  Adjusted,
  LedgerLineView,
  LedgerView,
  ledgerShown,
  moved,
  paidView,
  ToppedUp,
} from './money-view'
import { operation } from '../../operations/operation'
import { amountMoved, checkReason, reasonFields, reasonOf } from '../../operations/reason'
import { requestedSpan, spanFields } from '../../operations/date-range'

const DayText = Type.String({ pattern: textForms.day })
const maxDays = 366

/** Thousands may be set apart by commas, as the minimum is written. @throws RangeError */
function coinsOf(typed: string): number {
  const text = latinDigits(typed)
  const plain = /^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text
  const coins = Number(plain)
  if (!/^\d+$/.test(plain) || !Number.isSafeInteger(coins))
    throw new RangeError('A whole number of coins is needed.')
  return coins
}

const referenceOf = (about: string, kind: string) =>
  asOption(Reference, about, {
    kind: 'name',
    option: 'reference <text>',
    unlessTyped: () => `${kind}-${Bun.randomUUIDv7()}`,
  })

export const moneyOperations = [
  operation({
    name: 'account.adjust',
    method: 'POST',
    path: '/accounts/{id}/adjustments',
    role: 'staff',
    about: 'Correct a balance, up or down, for a reason that is kept',
    params: { id: Id },
    body: {
      usd: asOption(SignedUsd, 'dollars to add, or to take when negative', {
        read: amountMoved,
      }),
      reference: referenceOf('the same reference counts once', 'adjustment'),
      below_zero: asOption(Type.Optional(Type.Boolean()), 'confirm a balance below zero', {
        kind: 'flag',
        option: 'yes',
      }),
      ...reasonFields,
    },
    result: Adjusted,
    commands: [moneyCommands.adjust],
    async run(parts, { params, body }) {
      const { id } = await accountIn(parts, params.id)
      const amount = amountOf(body.usd)
      checkReason(body)
      const { note, told } = reasonOf(body)
      await parts.service.flush()
      const reference = body.reference.trim()
      const by = parts.requester.actor
      const result = await adjustBalance(parts.storage.directory, {
        account: id,
        amount,
        reference,
        note: note ?? '',
        told,
        by,
        belowZero: body.below_zero === true,
      })
      return { ...moved(id, amount, reference, result), reason: note ?? '', by }
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
      usd: asOption(Type.Optional(Usd), 'dollars to add', { kind: 'usd' }),
      coins: asOption(
        Type.Optional(Type.Integer({ minimum: minimumCoins, maximum: Number.MAX_SAFE_INTEGER })),
        'local coins instead of dollars, 50,000 at least',
        { option: 'coins <n>', read: coinsOf },
      ),
      reference: referenceOf('what it is for; the same reference counts once', 'topup'),
      note: asOption(Type.Optional(Reason), 'a note for people; with dollars only', {
        kind: 'name',
        option: 'note <text>',
      }),
    },
    result: ToppedUp,
    commands: [moneyCommands.topup],
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
      if (coins !== undefined) return paidView(await topUpCoins(parts, { ...order, coins }))
      const amount = amountOf(usd ?? '0')
      const result = await topUpDollars(parts, { ...order, amount, note: note?.trim() ?? null })
      return moved(params.id, amount, reference, result)
    },
  }),
  operation({
    name: 'account.ledger',
    method: 'GET',
    path: '/accounts/{id}/ledger',
    role: 'viewer',
    about:
      'Every movement of an account with the balance behind it, oldest first; a page may be empty before the last',
    params: { id: Id },
    query: {
      ...spanFields,
      after: Type.Optional(Type.String({ maxLength: 120 })),
      max,
    },
    result: LedgerView,
    commands: [moneyCommands.ledger],
    async run(parts, { params, query }) {
      const { id } = await accountIn(parts, params.id)
      const { storage, service } = parts
      const { after = null, max } = query
      if (after === null) await service.flush()
      const span = requestedSpan(query, service.clock.now())
      return ledgerShown(
        id,
        await storage.accountReader.ledger({ account: id, ...span, after, max }),
      )
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

const daysUnlessReported = 30

/** UTC days since 1970. @throws AdminError input_invalid for days that are none, and for too many */
function daysOf({ from, to }: { from?: string; to?: string }, now: Ms) {
  const toDay = to === undefined ? Math.floor(now / dayMs) : dayIn(to, 'to')
  const fromDay = from === undefined ? toDay - daysUnlessReported + 1 : dayIn(from, 'from')
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
