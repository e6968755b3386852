import { isLimitScope, scopeOfName } from '../../../../src/ledger/leased/exchange'

/** How much of a limit a minute is used up by now. */
interface UsedLimit {
  used: number
  limit: number
  at: number
}

const minuteMs = 60_000
/** Limits that are full again are forgotten when there are so many, and twice as many later. */
const sweepAt = 50_000

export const isLimitName = (name: string): boolean => isLimitScope(scopeOfName(name))

/**
 * Use of limits, in memory: of slots nothing, since these are only held; of requests a minute what was
 * taken and is not refilled yet, continuously.
 */
export class LimitSums {
  readonly #used = new Map<string, UsedLimit>()
  #nextSweep = sweepAt

  /**
   * Takes in the time that passed, and a limit that changed.
   * @param charges it is about to be charged
   */
  heed(name: string, limit: number, now: number, charges: boolean): void {
    const known = this.#used.get(name)
    if (known === undefined) {
      if (charges) this.#begin(name, limit, now)
      return
    }
    // What is left stays, as far as a limit that shrank has room for it.
    const shrunk = Math.max(0, known.limit - limit)
    const refilled = (Math.max(0, now - known.at) / minuteMs) * limit
    known.used = Math.max(0, known.used - shrunk - refilled)
    known.limit = limit
    known.at = now
  }

  of(name: string): number {
    return Math.ceil(this.#used.get(name)?.used ?? 0)
  }

  charge(name: string, cost: number): void {
    const known = this.#used.get(name)
    if (known !== undefined) known.used += cost
  }

  #begin(name: string, limit: number, now: number): void {
    if (this.#used.size >= this.#nextSweep) this.#sweep(now)
    this.#used.set(name, { used: 0, limit, at: now })
  }

  #sweep(now: number): void {
    for (const [name, { used, limit, at }] of this.#used)
      if (used <= ((now - at) / minuteMs) * limit) this.#used.delete(name)
    this.#nextSweep = Math.max(sweepAt, 2 * this.#used.size)
  }
}
