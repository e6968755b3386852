import type { Caller } from '../domain/caller'
import type { NanoUsd } from '../domain/money'
import type { Units } from '../domain/usage'
import type { Hold } from '../ledger/ledger'
import { price } from '../metering/price'
import { soldUnits, type CompiledCard } from '../metering/price-card'

/**
 * By the meter that grows: the tokens that must still be covered (fewer left means it is time to
 * grow), and those that a hold grows by.
 */
const steps = {
  output: { margin: 256, slice: 1024 },
  output_audio: { margin: 64, slice: 128 },
} as const
export type GrowingMeter = keyof typeof steps

/** The stream stops at the money: what is sent is always covered by the hold. */
export interface Budget {
  /**
   * Grows the hold when `used` comes near it.
   * @throws the code of the cap, or of the state of the key, that is in the way
   */
  cover(used: Units): void
}

/**
 * @param renew the caller by now: a limit that was lowered, or a key revoked, holds for what grows
 * @param growing what grows while the answer comes; null where all of it is held from the beginning
 */
export function openBudget(
  hold: Hold,
  rates: CompiledCard,
  renew: () => Caller,
  growing: GrowingMeter | null,
): Budget {
  if (growing === null) return { cover() {} }
  const { margin, slice } = steps[growing]
  const cost = (used: Units, moreTokens: number): NanoUsd =>
    price({ ...used, [growing]: (used[growing] ?? 0) + moreTokens }, rates)
  return {
    cover(told) {
      const used = soldUnits(told, rates)
      const needed = cost(used, margin)
      if (needed <= hold.amount) return
      hold.grow((cost(used, margin + slice) - hold.amount) as NanoUsd, renew())
    },
  }
}
