import { noAccountRpm } from '../../domain/fields/account-fields'
import { Guess } from '../../domain/guess'
import type { Caller } from '../../domain/caller'
import type { Monotonic, Ticks } from '../../domain/clock'
import type { AccountId, KeyId } from '../../domain/ids'
import { GatewayError } from '../../errors/gateway-error'
import { addressBucket, blockWeight, type AddressBlock } from '../net/address'
import { openAddressSlots } from './address-slots'
import { HeldSlot } from './held-slot'
import type { LimitAuthority, LimitsHandover, LimitsState, SlotsState } from './handover'
import {
  countsPerRequest,
  operatorRequestsPerMinute,
  requestsPerMinute,
  tooManyRequests,
} from './requests-per-minute'
import { openBuckets, refill, take, takeAway, type Bucket, type Buckets } from './token-bucket'
import type { AddressNews, Allowance, Limits, AccountSlot, SharedAddresses } from './limits'

/** Dependencies of the limits of one process. */
export interface LocalLimitsParts {
  readonly monotonic: Monotonic
  readonly settings: {
    readonly addressRequestsPerMinute: number
    /** Requests in progress of one address. */
    readonly addressConcurrency: number
    /** Wrong keys from one address before further ones must wait. */
    readonly failedAttempts: number
  }
  /** In how long wrong keys are forgiven. */
  readonly attemptWindowMs: number
  /** Requests in progress of one address, whatever the settings say. */
  readonly maxOfOneAddress: number
  /** Other processes serve too, and are told of addresses. */
  readonly isOneOfSeveral?: boolean
  /** Whether the process cannot take more metered calls. */
  overloaded(): boolean
}

/** The limits of one process, in its memory. */
export const openLocalLimits = (
  parts: LocalLimitsParts,
): Limits & SharedAddresses & LimitsHandover => new LocalLimits(parts)

/** Fewer requests in progress of one address are not worth telling. */
const minBusy = 8
/** Whoever has many in progress says so once a second: who is silent for so long is gone. */
const believedMs = 5000
/** Of whatever is there at once: every call passes three of them. */
const taken = Promise.resolve()
type Count = Map<string, number>

/** Requests in progress at another process. */
interface Elsewhere {
  readonly told: Ticks
  readonly counts: ReadonlyMap<string, number>
}

const count = (of: Count, address: string): void => void of.set(address, (of.get(address) ?? 0) + 1)

class LocalLimits implements Limits, SharedAddresses, LimitsHandover {
  readonly addressSlots: Limits['addressSlots']
  readonly #addresses = openBuckets<string>()
  readonly #attempts = openBuckets<string>()
  readonly #keys = openBuckets<KeyId>()
  readonly #operatorKeys = openBuckets<number>()
  readonly #counts = openBuckets<KeyId>()
  readonly #slots = new Map<AccountId, number>()
  #slotsInUse = 0
  #toldBusy = false
  /** The limits that decide in place of these; null while these do. */
  #authority: LimitAuthority | null = null
  /** Counted since others were told; null where there are none. */
  readonly #counted: { readonly requests: Count; readonly attempts: Count } | null
  /** Requests in progress elsewhere, by process. */
  readonly #elsewhere = new Map<number, Elsewhere>()
  readonly #parts: LocalLimitsParts

  constructor(parts: LocalLimitsParts) {
    const { settings, maxOfOneAddress } = parts
    this.#parts = parts
    this.addressSlots = openAddressSlots(
      () => Math.min(settings.addressConcurrency, maxOfOneAddress),
      (address) => this.#inUseElsewhere(address),
    )
    this.#counted =
      parts.isOneOfSeveral === true ? { requests: new Map(), attempts: new Map() } : null
  }

  news(): AddressNews | null {
    if (this.#counted === null) return null
    const { requests, attempts } = this.#counted
    const busy = this.addressSlots.busy(minBusy)
    const news = { requests: [...requests], attempts: [...attempts], busy }
    requests.clear()
    attempts.clear()
    const isNothing = news.requests.length + news.attempts.length + busy.length === 0
    const isSame = isNothing && !this.#toldBusy
    this.#toldBusy = busy.length > 0
    return isSame ? null : news
  }

  hear(from: number, { requests, attempts, busy }: AddressNews): void {
    const { monotonic, settings } = this.#parts
    const limit = settings.addressRequestsPerMinute
    const now = monotonic.ticks()
    for (const [address, count] of requests)
      takeAway(this.#addresses.of(address, limit, now), count)
    for (const [name, count] of attempts)
      takeAway(this.#attemptsOf({ name, weight: blockWeight(name) }), count)
    if (busy !== null) this.#elsewhere.set(from, { told: now, counts: new Map(busy) })
  }

  #inUseElsewhere(address: string): number {
    if (this.#elsewhere.size === 0) return 0
    const since = this.#parts.monotonic.ticks() - believedMs
    let sum = 0
    for (const [process, { told, counts }] of this.#elsewhere)
      if (told < since) this.#elsewhere.delete(process)
      else sum += counts.get(address) ?? 0
    return sum
  }

  takeAddress(address: string): Promise<void> {
    if (this.#authority !== null) return this.#authority.takeAddress(address)
    const { monotonic, settings } = this.#parts
    const limit = settings.addressRequestsPerMinute
    const now = monotonic.ticks()
    const seconds = take(this.#addresses.of(address, limit, now), limit, now)
    if (seconds > 0) return Promise.reject(tooManyRequests(limit, 'address', seconds))
    if (this.#counted !== null) count(this.#counted.requests, address)
    return taken
  }

  async takeAttempt(blocks: readonly AddressBlock[]): Promise<Guess> {
    const authority = this.#authority
    if (authority !== null) {
      await authority.takeAttempt(blocks)
      return new Guess(() => void authority.forgiveAttempt(blocks).catch(() => {}))
    }
    const { attemptWindowMs } = this.#parts
    const buckets = blocks.map((block) => this.#attemptsOf(block))
    const empty = buckets.find(({ tokens }) => tokens < 1)
    if (empty !== undefined) {
      const missingMs = ((1 - empty.tokens) * attemptWindowMs) / empty.limit
      const seconds = Math.max(1, Math.ceil(missingMs / 1000))
      throw new GatewayError(
        'too_many_failed_attempts',
        { seconds },
        { retryAfterSeconds: seconds },
      )
    }
    for (const bucket of buckets) bucket.tokens--
    const { attempts } = this.#counted ?? {}
    for (const { name } of blocks) if (attempts !== undefined) count(attempts, name)
    return new Guess(() => this.forgiveAttempt(blocks))
  }

  forgiveAttempt(blocks: readonly AddressBlock[]): void {
    for (const block of blocks) this.#forgive(block, this.#counted?.attempts)
  }

  /** What others were told already stays counted there. */
  #forgive(block: AddressBlock, attempts: Count | undefined): void {
    const bucket = this.#attemptsOf(block)
    bucket.tokens = Math.min(bucket.limit, bucket.tokens + 1)
    const untold = attempts?.get(block.name) ?? 0
    if (untold > 1) attempts?.set(block.name, untold - 1)
    else attempts?.delete(block.name)
  }

  takeSlot(caller: Caller): Promise<AccountSlot> {
    if (this.#authority !== null) return this.#takeSlotOf(caller, this.#authority)
    const { account } = caller
    if (this.#parts.overloaded()) return Promise.reject(new GatewayError('gateway_error', {}))
    const inUse = this.#slots.get(account.id) ?? 0
    const limit = account.concurrency
    if (inUse >= limit) return Promise.reject(new GatewayError('concurrency_limit', { limit }))
    return Promise.resolve(this.#slotOf(account.id))
  }

  async #takeSlotOf(caller: Caller, authority: LimitAuthority): Promise<AccountSlot> {
    await authority.takeSlot(caller)
    return this.#slotOf(caller.account.id)
  }

  #slotOf(account: AccountId): AccountSlot {
    this.#addSlots(account, 1)
    return new HeldSlot(this.#leave, account)
  }

  #addSlots(account: AccountId, count: number): void {
    this.#slots.set(account, (this.#slots.get(account) ?? 0) + count)
    this.#slotsInUse += count
  }

  takeRequest(caller: Caller): Promise<Allowance> {
    if (this.#authority !== null) return this.#authority.takeRequest(caller)
    const limit = requestsPerMinute(caller)
    const now = this.#parts.monotonic.ticks()
    const bucket = this.#keys.of(caller.key.id, limit, now)
    const seconds = take(bucket, limit, now)
    if (seconds > 0) return Promise.reject(tooManyRequests(limit, 'key', seconds))
    return Promise.resolve({ limit, remaining: Math.floor(bucket.tokens) })
  }

  async takeCount(caller: Caller): Promise<void> {
    if (this.#authority !== null) return await this.#authority.takeCount(caller)
    const limit = requestsPerMinute(caller) * countsPerRequest
    const now = this.#parts.monotonic.ticks()
    const seconds = take(this.#counts.of(caller.key.id, limit, now), limit, now)
    if (seconds > 0) throw tooManyRequests(limit, 'key', seconds)
  }

  async takeOperatorRequest(key: number): Promise<Allowance> {
    if (this.#authority !== null) return await this.#authority.takeOperatorRequest(key)
    const now = this.#parts.monotonic.ticks()
    const bucket = this.#operatorKeys.of(key, operatorRequestsPerMinute, now)
    const seconds = take(bucket, operatorRequestsPerMinute, now)
    if (seconds > 0) throw tooManyRequests(operatorRequestsPerMinute, 'key', seconds)
    return { limit: operatorRequestsPerMinute, remaining: Math.floor(bucket.tokens) }
  }

  allowance(caller: Caller, address: string): Allowance {
    const limit = requestsPerMinute(caller)
    if (limit !== noAccountRpm) return this.#allowanceOf(this.#keys, caller.key.id, limit)
    const bucket = addressBucket(address)
    return this.#allowanceOf(this.#addresses, bucket, this.#parts.settings.addressRequestsPerMinute)
  }

  #allowanceOf<Id>(buckets: Buckets<Id>, id: Id, limit: number): Allowance {
    const now = this.#parts.monotonic.ticks()
    const bucket = buckets.of(id, limit, now)
    refill(bucket, limit, now)
    return { limit, remaining: Math.max(0, Math.floor(bucket.tokens)) }
  }

  #attemptsOf({ name, weight }: AddressBlock): Bucket {
    const limit = this.#parts.settings.failedAttempts * weight
    const now = this.#attemptTicks()
    const bucket = this.#attempts.of(name, limit, now)
    refill(bucket, limit, now)
    return bucket
  }

  slotsInUse(account?: AccountId): number {
    return account === undefined ? this.#slotsInUse : (this.#slots.get(account) ?? 0)
  }

  readonly #leave = (account: AccountId): void => {
    this.leaveSlots(account, 1)
    void this.#authority?.leaveSlot(account).catch(() => {})
  }

  leaveSlots(account: AccountId, count: number): void {
    this.#slotsInUse -= count
    const left = (this.#slots.get(account) ?? count) - count
    if (left === 0) this.#slots.delete(account)
    else this.#slots.set(account, left)
  }

  state(): LimitsState {
    const now = this.#parts.monotonic.ticks()
    return {
      addresses: this.#addresses.state(now),
      attempts: this.#attempts.state(this.#attemptTicks()),
      keys: this.#keys.state(now),
      operatorKeys: this.#operatorKeys.state(now),
      counts: this.#counts.state(now),
    }
  }

  follow(authority: LimitAuthority): SlotsState {
    this.#authority = authority
    return [...this.#slots]
  }

  resume(): void {
    this.#authority = null
  }

  adopt(state: LimitsState): void {
    const now = this.#parts.monotonic.ticks()
    this.#addresses.adopt(state.addresses, now)
    this.#attempts.adopt(state.attempts, this.#attemptTicks())
    this.#keys.adopt(state.keys, now)
    this.#operatorKeys.adopt(state.operatorKeys, now)
    this.#counts.adopt(state.counts, now)
  }

  adoptSlots(slots: SlotsState): void {
    for (const [account, count] of slots) this.#addSlots(account, count)
  }

  /** A bucket refills by the minute; attempts are forgiven over their own window. */
  #attemptTicks(): Ticks {
    const { monotonic, attemptWindowMs } = this.#parts
    return ((monotonic.ticks() * 60_000) / attemptWindowMs) as Ticks
  }
}
