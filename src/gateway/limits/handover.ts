import type { Caller } from '../../domain/caller'
import type { AccountId, KeyId } from '../../domain/ids'
import type { AddressBlock } from '../net/address'
import type { Limits } from './limits'
import type { BucketsState } from './token-bucket'

/** Usage of limits as plain data, with which another process goes on. */
export interface LimitsState {
  readonly addresses: BucketsState<string>
  readonly attempts: BucketsState<string>
  readonly keys: BucketsState<KeyId>
  readonly operatorKeys: BucketsState<number>
  readonly counts: BucketsState<KeyId>
}

/** Calls in progress of each account. */
export type SlotsState = readonly (readonly [account: AccountId, count: number])[]

/** Limits of the process that serves, for one that ends its calls beside it. */
export interface LimitAuthority extends Pick<
  Limits,
  'takeAddress' | 'takeRequest' | 'takeCount' | 'takeOperatorRequest'
> {
  /** @throws as `Limits.takeAttempt` */
  takeAttempt(blocks: readonly AddressBlock[]): Promise<void>
  forgiveAttempt(blocks: readonly AddressBlock[]): Promise<void>
  /** @throws as `Limits.takeSlot` */
  takeSlot(caller: Caller): Promise<void>
  leaveSlot(account: AccountId): Promise<void>
}

/** How the limits of one process become those of the next. */
export interface LimitsHandover {
  /** Usage by now, without slots. */
  state(): LimitsState
  /** From this moment other limits decide. @returns slots in use */
  follow(authority: LimitAuthority): SlotsState
  /** These decide again. */
  resume(): void
  /** Goes on with what another process used. */
  adopt(state: LimitsState): void
  /** Calls of another process that run. */
  adoptSlots(slots: SlotsState): void
  /** Gives a guess of another process back. */
  forgiveAttempt(blocks: readonly AddressBlock[]): void
  /** A call of another process is over, or that process is. */
  leaveSlots(account: AccountId, count: number): void
}
