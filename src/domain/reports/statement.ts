import type { Ms } from '../clock'
import type { AccountId } from '../ids'
import type { NanoUsd } from '../money'
import type { LedgerLine } from './report'

/** Charges as one line for each UTC day, or as one for each call. */
type StatementGrouping = 'day' | 'call'

/** Query over an account's transfers. */
export interface StatementQuery {
  readonly account: AccountId
  /** Days since 1970, both included. Charges, and refunds of their sums, are of the day of their call. */
  readonly fromDay: number
  readonly toDay: number
  readonly by: StatementGrouping
  /** Where the page before ended; null begins with the newest line. */
  readonly before: string | null
  readonly max: number
}

/** A movement of an account's money, as its owner reads it. */
export interface StatementLine {
  readonly kind: LedgerLine['kind'] | 'charges'
  /** When the call of a charge was sent; for the charges of a day, when the day began. */
  readonly at: Ms
  /** Negative: it left the account. */
  readonly amount: NanoUsd
  /** Of the account with this line and all older ones counted. */
  readonly balance: NanoUsd
  /** The call of a charge or refund, what another movement is for; null for the charges of a day. */
  readonly reference: string | null
  /** Why a person moved it, in their words. */
  readonly note: string | null
}

/** Sums of a range: the opening balance and the four of them are the closing one. */
export interface StatementSums {
  readonly opening: NanoUsd
  readonly closing: NanoUsd
  readonly toppedUp: NanoUsd
  readonly adjusted: NanoUsd
  readonly refunded: NanoUsd
  /** Not negative: what left. */
  readonly charged: NanoUsd
}

/** A page of an account's transfers. */
export interface StatementPage {
  /** Newest first. */
  readonly lines: readonly StatementLine[]
  /** Where to go on; null when there is no more. There may be more without any line on this page. */
  readonly next: string | null
  readonly sums: StatementSums
}
