import type { CostBook } from '../catalogue/cost-book'
import type { Route } from '../../domain/model'
import { nanoUsd } from '../../domain/money'
import type { VendorCost } from '../../domain/record'
import type { Units, Usage } from '../../domain/usage'
import { unpricedWords, vendorPrice } from '../metering/price'

/** Current costs of routes. */
export type RouteCosts = Pick<CostBook, 'of'>

/**
 * Vendor's cost of counted units: as it reports itself, else by its cost card, as it says that it served the call.
 * @param prompts as of `Estimate`
 * @returns undefined where nobody knows
 */
export function vendorCostOf(
  costs: RouteCosts,
  route: Route,
  { units, estimated, billed, served }: Pick<Usage, 'units' | 'estimated' | 'billed' | 'served'>,
  prompts?: number,
): VendorCost | undefined {
  if (billed !== undefined)
    return { amount: billed, card: null, vendor: route.vendor, estimated: false }
  const known = costs.of(route)
  if (known === null) return undefined
  const { card, rates } = known
  const price = vendorPrice(units, rates, prompts, served)
  if (price === null) return undefined
  const { amount, complete } = price
  return { amount, card, vendor: route.vendor, estimated: estimated || !complete }
}

/** Words of what a vendor says that it served whose cost nobody knows. */
export function unknownCosts(
  costs: RouteCosts,
  route: Route,
  { units, billed, served = [] }: Pick<Usage, 'units' | 'billed' | 'served'>,
  prompts?: number,
): readonly string[] {
  if (billed !== undefined) return []
  const known = costs.of(route)
  return known === null ? served : unpricedWords(units, known.rates, prompts, served)
}

/** Whether anything was counted. */
export function isCounted(units: Units): boolean {
  for (const meter in units) if ((units[meter as keyof Units] ?? 0) > 0) return true
  return false
}

/** Both together, named after the one that answered. */
export function addCosts(
  answered: VendorCost | undefined,
  lost: VendorCost | undefined,
): VendorCost | undefined {
  if (answered === undefined || lost === undefined) return answered ?? lost
  return {
    ...answered,
    // What no sum can hold is a fault of whoever counted, and must not keep a call from its end.
    amount: nanoUsd(Math.min(answered.amount + lost.amount, Number.MAX_SAFE_INTEGER)),
    estimated: answered.estimated || lost.estimated,
  }
}
