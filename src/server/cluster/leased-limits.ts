import { noAccountRpm } from '../../domain/fields/account-fields'
import type { Caller } from '../../domain/caller'
import type { AccountId } from '../../domain/ids'
import { GatewayError } from '../../errors/gateway-error'
import type { LimitScope } from '../../ledger/leased/exchange'
import type { LeasedLedger } from '../../ledger/leased/leased-contract'
import type { Slice } from '../../ledger/leased/slice'
import { HeldSlot } from '../../gateway/limits/held-slot'
import type { Allowance, Limits, AccountSlot, SharedAddresses } from '../../gateway/limits/limits'
import { openLocalLimits, type LocalLimitsParts } from '../../gateway/limits/local-limits'
import {
  countsPerRequest,
  operatorRequestsPerMinute,
} from '../../gateway/limits/requests-per-minute'
import { requestsPerMinute, tooManyRequests } from '../../gateway/limits/requests-per-minute'
import { LimitFallback } from './limit-fallback'

interface LeasedLimitsParts extends Omit<LocalLimitsParts, 'isOneOfSeveral'> {
  readonly ledger: Pick<LeasedLedger, 'slices' | 'grantingOf' | 'urge' | 'now'>
  /** As of `LimitFallback`; without it whoever finds no slice waits for whoever gives some. */
  nodes?(): number
}

const minuteSeconds = 60
/** What requests took of a limit is told to other nodes after so long, where nothing else is. */
const reportAfterMs = 250

/**
 * Limits of one of several processes. Concurrency and requests a minute are slices, as money is, and exact over
 * all; addresses, which may be any, are counted by each process, which hears of the others once a second.
 */
export const openLeasedLimits = (parts: LeasedLimitsParts): Limits & SharedAddresses =>
  new LeasedLimits(parts)

class LeasedLimits implements Limits, SharedAddresses {
  readonly addressSlots: Limits['addressSlots']
  #slotsInUse = 0
  readonly #addresses: Limits & SharedAddresses
  readonly #fallback: LimitFallback | null
  readonly #parts: LeasedLimitsParts

  constructor(parts: LeasedLimitsParts) {
    const { nodes } = parts
    this.#parts = parts
    this.#fallback = nodes === undefined ? null : new LimitFallback({ ...parts, nodes })
    this.#addresses = openLocalLimits({ ...parts, isOneOfSeveral: true })
    this.addressSlots = this.#addresses.addressSlots
  }

  news() {
    return this.#addresses.news()
  }

  hear(...news: Parameters<SharedAddresses['hear']>): void {
    this.#addresses.hear(...news)
  }

  takeAddress(address: string): Promise<void> {
    return this.#addresses.takeAddress(address)
  }

  takeAttempt(...blocks: Parameters<Limits['takeAttempt']>): ReturnType<Limits['takeAttempt']> {
    return this.#addresses.takeAttempt(...blocks)
  }

  async takeSlot(caller: Caller): Promise<AccountSlot> {
    if (this.#parts.overloaded()) throw new GatewayError('gateway_error', {})
    const { id, concurrency } = caller.account
    const slice = this.#slice('seats', id, concurrency)
    // What the same exchange can bring.
    this.#expect(this.#slice('requests', caller.key.id, requestsPerMinute(caller)))
    if (!this.#takeNow(slice) && !(await this.#take(slice)))
      throw new GatewayError('concurrency_limit', { limit: concurrency })
    this.#slotsInUse++
    return new HeldSlot(this.#leave, slice)
  }

  async takeRequest(caller: Caller): Promise<Allowance> {
    const limit = requestsPerMinute(caller)
    const slice = await this.#use('requests', caller.key.id, limit)
    return { limit, remaining: remainingOf(slice, limit) }
  }

  async takeCount(caller: Caller): Promise<void> {
    await this.#use('counts', caller.key.id, requestsPerMinute(caller) * countsPerRequest)
  }

  async takeOperatorRequest(key: number): Promise<Allowance> {
    const limit = operatorRequestsPerMinute
    const slice = await this.#use('operator-requests', key, limit)
    return { limit, remaining: remainingOf(slice, limit) }
  }

  allowance(caller: Caller, address: string): Allowance {
    const limit = requestsPerMinute(caller)
    if (limit === noAccountRpm) return this.#addresses.allowance(caller, address)
    return { limit, remaining: remainingOf(this.#slice('requests', caller.key.id, limit), limit) }
  }

  slotsInUse(account?: AccountId): number {
    if (account === undefined) return this.#slotsInUse
    const { slices } = this.#parts.ledger
    return slices.of({ kind: 'seats', id: account, period: '' }).held
  }

  #slice(kind: LimitScope['kind'], id: number, limit: number): Slice {
    const slice = this.#parts.ledger.slices.of({ kind, id, period: '' })
    slice.limitTo(limit)
    return slice
  }

  /** Has more of it brought with what is asked for anyway, where there is none. */
  #expect(slice: Slice): void {
    if (slice.free() >= 1) return
    slice.refill = true
    this.#parts.ledger.slices.stir(slice)
  }

  /** Takes one of requests a minute. @throws rate_limit_exceeded (by key) */
  async #use(kind: LimitScope['kind'], id: number, limit: number): Promise<Slice> {
    const { ledger } = this.#parts
    const slice = this.#slice(kind, id, limit)
    if (!this.#takeNow(slice) && !(await this.#take(slice)))
      throw tooManyRequests(limit, 'key', Math.max(1, Math.ceil(minuteSeconds / limit)))
    slice.holds--
    ledger.slices.drop([slice], 1, 1, ledger.now())
    if (ledger.slices.chargeAlong(slice, 1)) this.#tellSoon()
    return slice
  }

  /** Other nodes hear of it with a call's record, or without one a moment later. */
  #tellSoon(): void {
    const { ledger } = this.#parts
    setTimeout(() => {
      ledger.slices.stirAlong()
      ledger.urge()
    }, reportAfterMs).unref()
  }

  /** @returns false where all processes together have none left */
  async #take(slice: Slice): Promise<boolean> {
    const { ledger } = this.#parts
    slice.pins++
    try {
      const asked = { slices: [slice], need: 1, possible: 1, endsAtMoney: true, isContent: true }
      const granting = await (this.#fallback?.grantingOf(asked, slice) ?? ledger.grantingOf(asked))
      ledger.urge()
      if (granting.how === 'unavailable') throw new GatewayError('gateway_error', {})
      return granting.how === 'granted'
    } finally {
      slice.pins--
    }
  }

  /** Takes one from what is here. @returns false where exchanges must bring it */
  #takeNow(slice: Slice): boolean {
    const { ledger } = this.#parts
    const asked = { slices: [slice], need: 1, possible: 1, endsAtMoney: true, isContent: true }
    const granting = ledger.slices.hold(asked, ledger.now())
    if (granting?.how !== 'granted') return false
    ledger.urge()
    return true
  }

  readonly #leave = (slice: Slice): void => {
    const { ledger } = this.#parts
    this.#slotsInUse--
    slice.holds--
    ledger.slices.drop([slice], 1, 0, ledger.now())
    ledger.urge()
  }
}

/**
 * Unused part of a limit over all nodes: as of the last exchange, less the use of this node since. Slices that
 * other nodes hold and have not used count as left.
 */
function remainingOf(slice: Slice, limit: number): number {
  if (slice.reading < 0) return limit
  return Math.max(0, Math.min(limit, limit - slice.sum - slice.unwritten))
}
