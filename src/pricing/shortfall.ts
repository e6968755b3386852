import type { PriceLine } from '../domain/model'
import type { Meter } from '../domain/usage'
import { Exact } from '../metering/price-card'
import { eachOf, effective, tableUpTo, thresholdsOf } from './price-table'

/** A price that is below what it costs, in dollars for one unit. */
export interface Shortfall {
  readonly meter: Meter
  /** Input tokens above which it is so; null for calls of any size. */
  readonly inputAbove: number | null
  readonly cost: string
  readonly sale: string
}

/** Prices of a cost card that what is sold does not cover, at any size of a call. */
export function dearerThan(
  sale: readonly PriceLine[],
  cost: readonly PriceLine[],
): readonly Shortfall[] {
  return compared(sale, cost).flatMap(({ meter, threshold, paid, billed }) =>
    paid.lessThan(billed)
      ? {
          meter,
          inputAbove: threshold < 0 ? null : threshold,
          cost: billed.toFixed(),
          sale: paid.toFixed(),
        }
      : [],
  )
}

/**
 * The least that is earned on any price, in percent of what it costs, with two decimals.
 * @returns null where all that is billed is nothing
 */
export function leastMargin(sale: readonly PriceLine[], cost: readonly PriceLine[]): string | null {
  const shares = compared(sale, cost)
    .filter(({ billed }) => !billed.isZero())
    .map(({ paid, billed }) => paid.div(billed).minus(1).times(100))
  return shares.length === 0
    ? null
    : Exact.min(...shares)
        .toDecimalPlaces(2)
        .toFixed()
}

function compared(sale: readonly PriceLine[], cost: readonly PriceLine[]) {
  const meters = [...new Set(cost.map(({ meter }) => meter))]
  return thresholdsOf([sale, cost]).flatMap((threshold) => {
    const [paidBy, billedBy] = [tableUpTo(sale, threshold), tableUpTo(cost, threshold)]
    return meters.flatMap((meter) => {
      const [paid, billed] = [effective(paidBy, meter), effective(billedBy, meter)]
      // What is not sold is not charged, and no route is asked for it.
      return paid === null || billed === null
        ? []
        : { meter, threshold, paid: eachOf(paid), billed: eachOf(billed) }
    })
  })
}
