import type { Caller } from '../domain/caller'
import type { AccountId } from '../domain/ids'
import type { NanoUsd } from '../domain/money'
import type { DueNotice } from '../domain/notice'
import type { CapSettings } from './caps'
import type { Sums } from './places'
import type { Tally } from './tally'

/** A key whose charges a commit writes. The sums stand as they will after it. */
export interface Charged {
  readonly caller: Caller
  readonly balance: Tally
  readonly sums: Sums
}

/** Looks at sums when they are written, never when a call is decided. */
export interface Watch {
  /**
   * Notices to write in the same transaction as the charges that made them due: both are there
   * after a crash, or neither. Asked again when that transaction fails.
   * @param balances of the charged accounts, as the transaction leaves them
   */
  due(
    charged: readonly Charged[],
    balances: ReadonlyMap<AccountId, NanoUsd>,
    caps: CapSettings,
  ): readonly DueNotice[]
  /** The transaction that `due` was asked for is committed. */
  written(): void
}
