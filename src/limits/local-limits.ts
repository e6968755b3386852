import type { Caller } from '../domain/caller'
import type { Clock } from '../domain/clock'
import type { AccountId, KeyId } from '../domain/ids'
import { GatewayError } from '../errors/gateway-error'
import { openAddressSlots } from './address-slots'
import { openBuckets } from './buckets'
import type { Allowance, Limits, Seat } from './limits'
import { refill, take } from './token-bucket'

export interface LocalLimitsParts {
  readonly clock: Clock
  /** Read at each look: they change while the process lives. */
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
  readonly mostOfOneAddress: number
  /** Whether the process cannot take more metered calls. */
  overloaded(): boolean
}

/** A coding client counts its prompt a few times for each call that it makes. */
const countsPerRequest = 10

/** The limits of one process, in its memory. */
export function openLocalLimits(parts: LocalLimitsParts): Limits {
  const { clock, settings, attemptWindowMs, overloaded } = parts
  const addresses = openBuckets<string>()
  const addressSlots = openAddressSlots(() =>
    Math.min(settings.addressConcurrency, parts.mostOfOneAddress),
  )
  const attempts = openBuckets<string>()
  const keys = openBuckets<KeyId>()
  const counts = openBuckets<KeyId>()
  const seats = new Map<AccountId, number>()
  let seatsInUse = 0
  /** A bucket refills by the minute; attempts are forgiven over their own window. */
  const attemptTime = () => ((clock.now() * 60_000) / attemptWindowMs) as ReturnType<Clock['now']>

  const leave = (account: AccountId) => {
    seatsInUse--
    const left = (seats.get(account) ?? 1) - 1
    if (left === 0) seats.delete(account)
    else seats.set(account, left)
  }

  const allowance = (caller: Caller): Allowance => {
    const limit = requestsPerMinute(caller)
    const now = clock.now()
    const bucket = keys.of(caller.key.id, limit, now)
    refill(bucket, limit, now)
    return { limit, remaining: Math.max(0, Math.floor(bucket.tokens)) }
  }

  return {
    addressSlots,
    takeAddress(address) {
      const limit = settings.addressRequestsPerMinute
      const now = clock.now()
      const seconds = take(addresses.of(address, limit, now), limit, now)
      if (seconds > 0) throw tooMany(limit, 'address', seconds)
    },
    takeAttempt(address) {
      const { failedAttempts } = settings
      const now = attemptTime()
      const bucket = attempts.of(address, failedAttempts, now)
      refill(bucket, failedAttempts, now)
      if (bucket.tokens >= 1) {
        bucket.tokens--
        return
      }
      const missingMs = ((1 - bucket.tokens) * attemptWindowMs) / failedAttempts
      const seconds = Math.max(1, Math.ceil(missingMs / 1000))
      throw new GatewayError(
        'too_many_failed_attempts',
        { seconds },
        { retryAfterSeconds: seconds },
      )
    },
    takeSeat({ account }): Seat {
      if (overloaded()) throw new GatewayError('gateway_error', {})
      const taken = seats.get(account.id) ?? 0
      if (taken >= account.concurrency)
        throw new GatewayError('concurrency_limit', { limit: account.concurrency })
      seats.set(account.id, taken + 1)
      seatsInUse++
      return new OneSeat(leave, account.id)
    },
    takeRequest(caller) {
      const limit = requestsPerMinute(caller)
      const now = clock.now()
      const bucket = keys.of(caller.key.id, limit, now)
      const seconds = take(bucket, limit, now)
      if (seconds > 0) throw tooMany(limit, 'key', seconds)
      return { limit, remaining: Math.floor(bucket.tokens) }
    },
    takeCount(caller) {
      const limit = requestsPerMinute(caller) * countsPerRequest
      const now = clock.now()
      const seconds = take(counts.of(caller.key.id, limit, now), limit, now)
      if (seconds > 0) throw tooMany(limit, 'key', seconds)
    },
    allowance,
    seatsInUse: (account) => (account === undefined ? seatsInUse : (seats.get(account) ?? 0)),
  }
}

/** A class, since every call makes one. */
class OneSeat implements Seat {
  readonly #leave: (account: AccountId) => void
  readonly #account: AccountId
  #taken = true

  constructor(leave: (account: AccountId) => void, account: AccountId) {
    this.#leave = leave
    this.#account = account
  }

  release(): void {
    if (!this.#taken) return
    this.#taken = false
    this.#leave(this.#account)
  }
}

/** A key's own limit, never above its account's ceiling. */
const requestsPerMinute = ({ key, account }: Caller): number =>
  key.requestsPerMinute === null
    ? account.requestsPerMinute
    : Math.min(key.requestsPerMinute, account.requestsPerMinute)

const tooMany = (limit: number, by: 'key' | 'address', seconds: number) =>
  new GatewayError('rate_limit_exceeded', { limit, by, seconds }, { retryAfterSeconds: seconds })
