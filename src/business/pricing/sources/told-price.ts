import type { PriceLine } from '../../../domain/model'
import type { Meter } from '../../../domain/usage'
import { Exact } from '../../../gateway/metering/price-card'

/** One price as a source tells it, before anybody believes it. */
export interface ReportedPrice extends Omit<PriceLine, 'price'> {
  /** A plain decimal, zero too; null for what is no price: a negative number, a word, a list. */
  readonly price: string | null
}

/** More digits or a larger exponent than any price has. */
const priceForm = /^\d{1,15}(?:\.\d{1,40})?(?:e[+-]?\d{1,2})?$/i

/** @returns a price in dollars; null for what is none, undefined where nothing is told */
export function priceReported(value: unknown, times: number): string | null | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || !priceForm.test(value)) return null
  return new Exact(value).times(times).toFixed()
}

/** The price of a meter, as a list of it; empty where nothing is told. */
export function toldPrice(
  value: unknown,
  times: number,
  {
    meter,
    unit,
    inputAbove,
  }: { meter: Meter; unit: PriceLine['unit']; inputAbove?: number | null },
): readonly ReportedPrice[] {
  const price = priceReported(value, times)
  if (price === undefined) return []
  const when = inputAbove === undefined || inputAbove === null ? {} : { when: { inputAbove } }
  return [{ meter, unit, price, ...when }]
}

/** What is a price above zero; a zero in public data is a gap more often than a gift. */
export const pricesAboveZero = (told: readonly ReportedPrice[]): readonly PriceLine[] =>
  told.flatMap((line) => {
    const { price } = line
    return price === null || new Exact(price).isZero() ? [] : { ...line, price }
  })

/** The price of a meter for calls of any size. */
export const basePrice = (lines: readonly PriceLine[], meter: Meter): string | undefined =>
  lines.find((each) => each.meter === meter && each.when === undefined)?.price
