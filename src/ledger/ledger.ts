import type { Caller } from '../domain/caller'
import type { Ms } from '../domain/clock'
import type { AccountId, KeyId, ProjectId } from '../domain/ids'
import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, AccruedCost } from '../domain/record'
import type { Refund } from '../domain/video-job'
import type { CallerCaps } from './caps'
import type { Carried } from './store'

export interface HoldRequest {
  readonly caller: Caller
  readonly amount: NanoUsd
  /** The most that the call can cost; no more than `amount` unless told otherwise. */
  readonly possible?: NanoUsd
  /**
   * It ends where the money ends. Of one that does not, as much of the possible is reserved as there
   * is money for.
   */
  readonly endsAtMoney?: boolean
  readonly opening: CallOpening
}

/** Money set aside for one call. Exactly one of `settle` and `release` takes effect; a second is a fault and throws. */
export interface Hold {
  /** What is set aside now. */
  readonly amount: NanoUsd
  /**
   * The balance, or a cap, did not cover the most that all which runs can cost, this call included: it
   * is metered as it comes.
   */
  readonly metered: boolean
  /** What of a cost can be charged: no less than is set aside for it, as long as the balance has it. */
  chargeable(cost: NanoUsd): NanoUsd
  /**
   * Sets more aside while the call runs, at once, by what is in memory; never what others may still
   * come to.
   * @param caller as its key, project and account are by now, when they may have changed
   * @throws what `hold` throws
   */
  grow(by: NanoUsd, caller?: Caller): void
  /**
   * Same as `grow`, waiting for what other processes can spare; absent where there are none.
   * @throws what `hold` throws
   */
  growFromAll?(by: NanoUsd, caller?: Caller): Promise<void>
  /** Gives a part back while the call runs, for it costs less than was thought. */
  lower(by: NanoUsd): void
  /**
   * What the call owes by now, for parts of it that are over: written down within milliseconds and
   * charged even if this process dies. It counts in place of what was said before.
   * @param owed never less than before
   */
  owe(owed: AccruedCost): void
  /** Another model answers than was asked first: the record is its, the pending row within milliseconds. */
  answerAs(opening: CallOpening): void
  /** Has a row of another store written in the same commit as the ending, whichever it is. */
  carry(row: Carried): void
  /** Charges `ending.cost`, never refused, drops the hold and records the call. */
  settle(ending: CallEnding): void
  /** Drops the hold uncharged and records the call. */
  release(ending: CallEnding): void
  /** Takes the charge back where it could not be kept, and the client is told of no answer. */
  takeBack(): void
}

export interface Funds {
  readonly balance: NanoUsd
  readonly held: NanoUsd
  /** `balance − held`, unflushed charges taken off. */
  readonly available: NanoUsd
}

/** Money that a call can be given; below zero where a cap was lowered. */
export interface Room {
  /** Beside what is held for others. */
  readonly free: number
  /** Beside the most that all which runs can cost. */
  readonly sure: number
}

/** Every decision about money. Sums are exact at any instant, flushed or not. */
export interface Ledger {
  /**
   * All caps are checked, then the balance, each against spent + held. A hold of nothing passes, but
   * where an unverified account has spent all that it may.
   * @throws key_spend_limit_reached | project_budget_exceeded | daily_cap_reached | kyc_required | daily_capacity_reached | insufficient_credit
   * @throws gateway_error when its charge could not be kept: see `ready`
   */
  hold(request: HoldRequest): Promise<Hold>
  /** Everything that `hold` checks, and nothing held or recorded. @throws what `hold` throws */
  check(request: HoldRequest): Promise<Funds>
  /** What is left for a call that is opened then, under the balance and every cap. */
  room(caller: Caller, opened: Ms): Promise<Room>
  funds(account: AccountId): Promise<Funds>
  /** Caps of a caller, as they stand then. */
  caps(caller: Caller, now: Ms): Promise<CallerCaps>
  /** Spent by a key since it exists, holds not counted. */
  spentByKey(key: KeyId): Promise<NanoUsd>
  /** Spent by an account since it exists, holds not counted. */
  spentByAccount(account: AccountId): Promise<NanoUsd>
  /** Same, on a UTC day. @param day `YYYY-MM-DD` */
  spentByAccountOn(account: AccountId, day: string): Promise<NanoUsd>
  /** Spent by a project in a UTC month, holds not counted. @param month `YYYY-MM` */
  spentByProject(project: ProjectId, month: string): Promise<NanoUsd>
  /** Everything held at this moment, over all accounts. */
  heldInAll(): NanoUsd
  /** Number of open holds, also of calls whose pending row is written. */
  holds(): number
  /** Number of ended calls that wait to be written. */
  queueLength(): number
  /**
   * Everything charged so far is charged even if this process is killed: called before a client is
   * told that its answer is whole. One write for all whose answers go out together.
   * @throws gateway_error when neither spool nor database can be written
   */
  spooled(): Promise<void>
  /** Whether new calls could be charged. */
  ready(): boolean
  /** Writes what is not yet written; returns when it is on its way to disk (durable: on disk). */
  flush(durable?: boolean): Promise<void>
  /** The store gave charges back: balances and sums that are in memory follow it. */
  refunded(refunds: readonly Refund[]): Promise<void>
  /** Another process may have moved money: read balances and sums anew. */
  refresh(): void
  /** Stops the timer and flushes durably. */
  close(): Promise<void>
}
