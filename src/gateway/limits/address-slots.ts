import { GatewayError } from '../../errors/gateway-error'

/**
 * A client address's share of the requests in progress. Whoever goes on with the request when its
 * handler is done retains it, and releases it once.
 */
export interface AddressSlot {
  /** @throws rate_limit_exceeded (by address) when more are in progress than may be */
  check(): void
  retain(): void
  release(): void
}

/** Requests in progress, by address. */
export interface AddressSlots {
  /** Counts one more request, also one that `check` will refuse. */
  take(address: string): AddressSlot
  /** Requests in progress, of one address or of all. */
  inUse(address?: string): number
  /** Addresses with so many requests in progress. */
  busy(min: number): readonly AddressCount[]
}

/** Count of something by address. */
export type AddressCount = readonly [address: string, count: number]

/**
 * Counts requests in progress by address, in memory bounded by them.
 * @param limit read at each look
 * @param elsewhere how many other processes of the service have of it
 */
export function openAddressSlots(
  limit: () => number,
  elsewhere: (address: string) => number = () => 0,
): AddressSlots {
  const counts: SlotCounts = { limit, elsewhere, byAddress: new Map(), total: 0 }
  return {
    take: (address) => new CountedSlot(counts, address),
    inUse: (address) =>
      address === undefined ? counts.total : (counts.byAddress.get(address) ?? 0),
    busy: (min) => [...counts.byAddress].filter(([, count]) => count >= min),
  }
}

interface SlotCounts {
  readonly limit: () => number
  readonly elsewhere: (address: string) => number
  readonly byAddress: Map<string, number>
  total: number
}

/** A class, since every request makes one. */
class CountedSlot implements AddressSlot {
  readonly #counts: SlotCounts
  readonly #address: string
  readonly #rank: number
  #uses = 1

  constructor(counts: SlotCounts, address: string) {
    this.#counts = counts
    this.#address = address
    this.#rank = (counts.byAddress.get(address) ?? 0) + 1
    counts.byAddress.set(address, this.#rank)
    counts.total++
  }

  check(): void {
    const limit = this.#counts.limit()
    if (this.#rank + this.#counts.elsewhere(this.#address) <= limit) return
    throw new GatewayError('rate_limit_exceeded', {
      limit,
      by: 'address',
      atOnce: true,
      seconds: 1,
    })
  }

  retain(): void {
    this.#uses++
  }

  release(): void {
    if (--this.#uses !== 0) return
    const { byAddress } = this.#counts
    const left = (byAddress.get(this.#address) ?? 1) - 1
    if (left === 0) byAddress.delete(this.#address)
    else byAddress.set(this.#address, left)
    this.#counts.total--
  }
}
