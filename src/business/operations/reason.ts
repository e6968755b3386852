import { Type } from '@sinclair/typebox'
import { parseUsd, showUsd } from '../../domain/money'
import { AdminError } from './admin-error'
import { Reason } from './fields'
import { asOption } from './from-fields'

/** Body fields for the reason of a movement of money: words for the customer, or for operators alone. */
export const reasonFields = {
  reason: asOption(Type.Optional(Reason), 'why; the customer reads it on the statement', {
    kind: 'name',
    option: 'reason <text>',
  }),
  note: asOption(Type.Optional(Reason), 'why, for operators alone: on no statement', {
    kind: 'name',
    option: 'note <text>',
    conflicts: ['reason'],
  }),
  /** Keeps the reason off the customer’s statement, as a note is. */
  private: asOption(Type.Optional(Type.Boolean()), 'a reason that is a note', {
    kind: 'flag',
    isHidden: true,
  }),
}

interface SentReason {
  readonly reason?: string
  readonly note?: string
  readonly private?: boolean
}

/** An amount that moves, as it is typed. @throws RangeError */
export function amountMoved(text: string): string {
  const amount = parseUsd(text)
  if (amount === 0) throw new RangeError('An amount of nothing moves nothing.')
  return showUsd(amount)
}

/** Same, of what can only be given. @throws RangeError */
export function amountGiven(text: string): string {
  const amount = amountMoved(text)
  if (amount.startsWith('-')) throw new RangeError('An amount in dollars is needed, from 0.')
  return amount
}

/** @throws AdminError input_invalid where none is given, or two are */
export function checkReason({ reason, note }: SentReason): void {
  if ((reason === undefined) === (note === undefined))
    throw new AdminError('input_invalid', {
      field: 'reason',
      rule: 'one_of_fields',
      fields: ['reason', 'note'],
    })
}

/** Reason kept with a movement, and whether the account's people read it. */
export const reasonOf = ({
  reason,
  note,
  private: isPrivate,
}: SentReason): { readonly note: string | null; readonly told: boolean } => ({
  note: (note ?? reason)?.trim() ?? null,
  told: note === undefined && reason !== undefined && isPrivate !== true,
})
