import { isTokenMeter, servedMeter, widerMeters, type Meter, type Units } from '../domain/usage'
import type { RateTable } from './price-card'

/** Rates of a call that a vendor served by a tier, at a speed or in a region of its own. */
interface ServedRates {
  readonly rates: RateTable
  /** Words of what was served for which tokens of the call have no price. */
  readonly unpriced: readonly string[]
}

/**
 * Rates by what a vendor says that it served. Tokens without a price for all of that together cost the dearest of
 * the prices for a part of it, and without one what they cost otherwise. Tools and calls cost the same however they
 * are served.
 * @param table that holds for a call of this size
 * @param served as of `Usage`
 */
export function servedRates(
  table: RateTable,
  units: Units,
  served: readonly string[],
): ServedRates {
  const rates: Record<string, number> = { ...table }
  const unpriced = new Set<string>()
  for (const name in units) {
    const meter = name as Meter
    if (!isTokenMeter(meter) || !((units[meter] ?? 0) > 0)) continue
    const isPriced = (each: Meter) =>
      (table[each] ?? table[servedMeter(each, served)]) !== undefined
    const priced = [meter, ...widerMeters(meter)].find(isPriced) ?? meter
    const whole = table[servedMeter(priced, served)]
    const parts = served.flatMap((word) => table[servedMeter(priced, [word])] ?? [])
    const rate = whole ?? (parts.length === 0 ? undefined : Math.max(...parts))
    if (rate !== undefined) rates[meter] = rate
    if (whole === undefined) for (const word of without(priced, table, served)) unpriced.add(word)
  }
  return { rates, unpriced: [...unpriced] }
}

/** Served words without a price of their own; where each has one, all of them together. */
function without(meter: Meter, table: RateTable, served: readonly string[]): readonly string[] {
  const words = served.filter((word) => table[servedMeter(meter, [word])] === undefined)
  return words.length === 0 ? [served.join(', ')] : words
}
