import type { AccountId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'

/** An account that its people want closed. */
export interface ClosingAccount {
  readonly name: string
  readonly balance: NanoUsd
  readonly isClosed: boolean
  /** Calls of it run. */
  readonly isBusy: boolean
  /** Somebody may be at a page of the bank for it. */
  readonly isPaying: boolean
}

/** Outcome of closing an account. */
export interface Closed {
  readonly keys: number
  readonly sessions: number
  /** People who belong to no other account: nothing is kept of them. */
  readonly people: number
}

/**
 * Closes accounts: keys are revoked, sessions end, and what tells of people is removed. Money and
 * calls stay, as the ledger is never edited.
 */
export interface ClosingStore {
  /** Null where there is no such account. */
  find(account: AccountId): Promise<ClosingAccount | null>
  /**
   * All or nothing, with its line of the trail.
   * @param balance given up, which counts against an operator's allowance; null is returned where it is another
   *   by now, a call runs, or a payment waits
   * @throws AllowanceExceeded
   */
  close(account: AccountId, balance: NanoUsd): Promise<Closed | null>
}
