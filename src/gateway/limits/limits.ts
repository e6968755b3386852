import type { Guess } from '../../domain/guess'
import type { Caller } from '../../domain/caller'
import type { AddressBlock } from '../net/address'
import type { AddressCount, AddressSlots } from './address-slots'

/** One unit of an account's concurrency. `release` may be called more than once; the first counts. */
export interface AccountSlot {
  release(): void
}

/** A limit of requests a minute and what is left of it, for the rate-limit headers. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
}

/** Rate limits (requests per minute), concurrency limits, and the guard against guessing keys. */
export interface Limits {
  /** @throws rate_limit_exceeded (by address) */
  takeAddress(address: string): Promise<void>
  /**
   * One try at a secret, or one wrong key, from these blocks of addresses; or of one browser.
   * @throws too_many_failed_attempts where one of them has none left: then it is taken from none
   */
  takeAttempt(blocks: readonly AddressBlock[]): Promise<Guess>
  /** Requests in progress by address. */
  readonly addressSlots: AddressSlots
  /** @throws gateway_error while the process is overloaded | concurrency_limit */
  takeSlot(caller: Caller): Promise<AccountSlot>
  /** @throws rate_limit_exceeded (by key) */
  takeRequest(caller: Caller): Promise<Allowance>
  /** One question that costs nothing and reaches nobody. @throws rate_limit_exceeded (by key) */
  takeCount(caller: Caller): Promise<void>
  /** @param key number of an operator's key @throws rate_limit_exceeded (by key) */
  takeOperatorRequest(key: number): Promise<Allowance>
  /**
   * The limit in force and what is left of it, without taking: of the key, its account, or, where neither has one,
   * of the address.
   * @param address of the client, as it is
   */
  allowance(caller: Caller, address: string): Allowance
  /** Slots in use, of one account or of all. */
  slotsInUse(account?: Caller['account']['id']): number
}

/** Counts by address that one process tells the others, now and then. */
export interface AddressNews {
  /** Requests, and wrong keys, since it was told last. */
  readonly requests: readonly AddressCount[]
  readonly attempts: readonly AddressCount[]
  /** Requests in progress, of addresses that have many; null where that is as it was told before. */
  readonly busy: readonly AddressCount[] | null
}

/** Limits by address of one of several processes: each counts for itself, and hears of the others. */
export interface SharedAddresses {
  /** Null when there is nothing to tell. */
  news(): AddressNews | null
  /** @param from number of the process that tells */
  hear(from: number, news: AddressNews): void
}
