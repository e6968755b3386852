import type { Caller } from '../domain/caller'
import type { AccountId } from '../domain/ids'
import type { NanoUsd } from '../domain/money'
import type { CountSource } from '../domain/notice'
import type { ErrorCode } from '../errors/codes'
import type { CapSettings } from './caps'
import type { Sums } from './places'
import type { Batch } from './store'
import type { Tally } from './tally'

/** A key whose charges a commit writes. The sums stand as they will after it. */
export interface Charged {
  readonly caller: Caller
  readonly balance: Tally
  readonly sums: Sums
}

/** Money that a cap, or the balance, did not give. */
export interface Refused {
  readonly caller: Caller
  readonly sums: Sums
  readonly code: ErrorCode
  readonly needed: NanoUsd
}

/** A vendor that counted more than a call can use. */
export interface Miscount {
  readonly source: CountSource
  /** The day of the call. */
  readonly period: string
  readonly charged: NanoUsd
  readonly counted: NanoUsd
}

/** Notices of a commit, and floors that it crosses. */
export type Dues = Required<Pick<Batch, 'notices' | 'floors'>>

/** Looks at sums when they are written, and when a call is refused; never when one is taken. */
export interface Watch {
  /**
   * A look into memory, however often it happens.
   * @returns true when there is something new to tell because of it: the next `due` has it
   */
  refused(refusal: Refused, caps: CapSettings): boolean
  /** Same, of a vendor's count. */
  miscounted(miscount: Miscount): void
  /**
   * Notices for the transaction of the charges that made them due: both are there
   * after a crash, or neither. Asked again when that transaction fails.
   */
  due(charged: readonly Charged[], caps: CapSettings): Dues
  /**
   * The transaction that `due` was asked for last is committed.
   * @param balances of the charged accounts, as it left them
   */
  written(balances: ReadonlyMap<AccountId, NanoUsd>): void
}
