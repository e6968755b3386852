import type { Caller } from '../../domain/caller'
import { minus, type NanoUsd } from '../../domain/money'
import type { Usage } from '../../domain/usage'
import type { Hold } from '../../ledger/ledger'
import { price } from '../metering/price'
import { billedUnits, type CompiledCard } from '../metering/price-card'
import { unitsWithin, type UsageCeiling } from '../metering/usage-ceiling'

/** By the meter that grows: the tokens that a hold grows by. */
const slices = { output: 1024, output_audio: 128 } as const
export type GrowingMeter = keyof typeof slices

/** The stream stops at the money: what is sent is always covered by the hold. */
export interface Budget {
  /**
   * Grows the hold when `used` is more than it.
   * @returns tokens that are covered beyond that
   * @throws the code of the cap, or of the state of the key, that is in the way
   */
  cover(used: Usage): number
  /** Same, waiting for money that other processes can spare; absent where there are none. */
  readonly coverFromAll?: (used: Usage) => Promise<number>
}

const uncounted: Budget = { cover: () => Number.POSITIVE_INFINITY }

/** Hold of a call, and its possible cost. */
export interface BudgetedCall {
  readonly hold: Hold
  readonly rates: CompiledCard
  /** The most that it can use: what a vendor counts beyond is not paid for. Null where nothing bounds it. */
  readonly ceiling: UsageCeiling | null
  /** As of `Estimate`. */
  readonly prompts?: number | undefined
}

/**
 * Opens the budget of a call.
 * @param renew the caller by now: a limit that was lowered, or a key revoked, holds for what grows
 * @param growing what grows while the answer comes; null where all of it is held from the beginning
 */
export function openBudget(
  { hold, rates, ceiling, prompts }: BudgetedCall,
  renew: () => Caller,
  growing: GrowingMeter | null,
): Budget {
  // Where it has no price, it is something else that is sold, which is held from the beginning.
  if (growing === null || (rates.base[growing] ?? rates.base['output']) === undefined)
    return uncounted
  const slice = slices[growing]
  const costsOf = ({ units, estimated }: Usage): Costs => {
    const billed = billedUnits(units, rates)
    // Output that was sent is charged whatever was allowed; a vendor's count only within the ceiling.
    const used = estimated || ceiling === null ? billed : unitsWithin(billed, ceiling)
    const more = { ...used, [growing]: (used[growing] ?? 0) + slice }
    return { needed: price(used, rates, prompts), more: price(more, rates, prompts) }
  }
  const covered = ({ needed, more }: Costs): number =>
    more === needed
      ? Number.POSITIVE_INFINITY
      : Math.floor(((hold.amount - needed) / (more - needed)) * slice)
  const cover = (used: Usage): number => {
    const costs = costsOf(used)
    if (costs.needed > hold.amount) hold.grow(minus(costs.more, hold.amount), renew())
    return covered(costs)
  }
  if (hold.growFromAll === undefined) return { cover }
  return {
    cover,
    async coverFromAll(used) {
      const costs = costsOf(used)
      if (costs.needed > hold.amount)
        await hold.growFromAll?.(minus(costs.more, hold.amount), renew())
      return covered(costs)
    },
  }
}

/** Cost of the usage so far, and of one slice more. */
interface Costs {
  readonly needed: NanoUsd
  readonly more: NanoUsd
}
