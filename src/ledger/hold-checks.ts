import type { CallEnding, CallOpening, Owed } from '../domain/record'
import type { Entry } from './journal-batch'

/* Faults of our own that no hold may pass on to the journal. */

/** Checks that what a call owes only grows. @throws Error where a call would owe less than before */
export function checkOwed({ opening, owed: before }: Entry, owed: Owed): void {
  if (owed.cost < (before?.cost ?? 0)) throw new Error(`${opening.id} owes less than before`)
}

/** Checks that two openings are of one call. @throws Error where another opening is not of the same call */
export function checkSameCall(
  { opening: { id, account, created } }: Entry,
  other: CallOpening,
): void {
  if (other.id !== id || other.account !== account || other.created !== created)
    throw new Error(`${id} is not ${other.id}`)
}

/** Checks the final cost of a call. @throws Error for a cost below nothing, or below what the call owes */
export function checkCost({ opening: { id }, owed }: Entry, { cost }: CallEnding): void {
  if (cost < 0) throw new Error(`a negative cost of ${id}`)
  if (cost < (owed?.cost ?? 0)) throw new Error(`a cost of ${id} below what it owes`)
}
