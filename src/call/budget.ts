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
  /** Grows the hold when `used` comes near it. @throws the code of the cap that is in the way */
  cover(used: Units): void
}

export function openBudget(hold: Hold, rates: CompiledCard): Budget {
  const cost = (used: Units, moreTokens: number): NanoUsd =>
    price({ ...used, output: (used.output ?? 0) + moreTokens }, rates)
  return {
    cover(used) {
      const needed = cost(used, marginTokens)
      if (needed <= hold.amount) return
      hold.grow((cost(used, marginTokens + sliceTokens) - hold.amount) as NanoUsd)
    },
  }
}
