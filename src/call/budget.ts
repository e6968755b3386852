import type { Caller } from '../domain/caller'
import { minus } from '../domain/money'
import type { Usage } from '../domain/usage'
import type { Hold } from '../ledger/ledger'
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
}

const uncounted: Budget = { cover: () => Number.POSITIVE_INFINITY }

/** Hold of a call, and its possible cost. */
export interface BudgetedCall {
  readonly hold: Hold
  readonly rates: CompiledCard
  /** The most that it can use: what a vendor counts beyond is not paid for. Null where nothing bounds it. */
  readonly ceiling: UsageCeiling | null
}

/**
 * @param renew the caller by now: a limit that was lowered, or a key revoked, holds for what grows
 * @param growing what grows while the answer comes; null where all of it is held from the beginning
 */
export function openBudget(
  { hold, rates, ceiling }: BudgetedCall,
  renew: () => Caller,
  growing: GrowingMeter | null,
): Budget {
  // Where it has no price, it is something else that is sold, which is held from the beginning.
  if (growing === null || (rates.base[growing] ?? rates.base['output']) === undefined)
    return uncounted
  const slice = slices[growing]
  return {
    cover({ units, estimated }) {
      const billed = billedUnits(units, rates)
      // What was sent is sent, whatever was allowed; what is only told is paid within the ceiling.
      const used = estimated || ceiling === null ? billed : unitsWithin(billed, ceiling)
      const needed = price(used, rates)
      const more = price({ ...used, [growing]: (used[growing] ?? 0) + slice }, rates)
      if (needed > hold.amount) hold.grow(minus(more, hold.amount), renew())
      const covered = Math.floor(((hold.amount - needed) / (more - needed)) * slice)
      return more === needed ? Number.POSITIVE_INFINITY : covered
    },
  }
}
