import type { Caller } from '../domain/caller'
import type { NanoUsd } from '../domain/money'
import type { Units } from '../domain/usage'
import type { Hold } from '../ledger/ledger'
import { price } from '../metering/price'
import type { CompiledCard } from '../metering/price-card'

/** Output tokens a hold grows by when a stream nears its end. */
const sliceTokens = 1024
/** Output tokens that must still be covered; fewer left means it is time to grow. */
const marginTokens = 256

/** The stream stops at the money: what is sent is always covered by the hold. */
export interface Budget {
  /**
   * Grows the hold when `used` comes near it.
   * @throws the code of the cap, or of the state of the key, that is in the way
   */
  cover(used: Units): void
}

/** @param renew the caller by now: a limit that was lowered, or a key revoked, holds for what grows */
export function openBudget(hold: Hold, rates: CompiledCard, renew: () => Caller): Budget {
  const cost = (used: Units, moreTokens: number): NanoUsd =>
    price({ ...used, output: (used.output ?? 0) + moreTokens }, rates)
  return {
    cover(used) {
      const needed = cost(used, marginTokens)
      if (needed <= hold.amount) return
      hold.grow((cost(used, marginTokens + sliceTokens) - hold.amount) as NanoUsd, renew())
    },
  }
}
