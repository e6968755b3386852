import type { AccountId } from '../ids'
import type { NanoUsd } from '../money'

/** Money that a person moves into or out of an account. */
export interface Movement {
  readonly account: AccountId
  /** Positive: into the account. */
  readonly amount: NanoUsd
  readonly kind: 'topup' | 'adjustment'
  /** Reason, or the payment's own reference; counts once for each kind. */
  readonly reference: string
  /** Why it was moved, in the words of whoever did. */
  readonly note?: string
  /** Whether the account's people read the note (default: no). */
  readonly told?: boolean
  /** Actor who moved it. */
  readonly by?: string
  /** The least that it may leave; without it, anything. */
  readonly floor?: NanoUsd
}

/** Refusal of a movement: it would have left less than its floor. */
export class BelowFloor extends Error {
  constructor(
    /** As it was found. */
    readonly balance: NanoUsd,
  ) {
    super('less would be left than may be')
    this.name = 'BelowFloor'
  }
}
