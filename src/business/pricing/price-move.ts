import type { PriceLine } from '../../domain/model'
import { countedMeter } from '../../domain/usage'
import { eachOf, effective, tableUpTo, thresholdsOf } from './price-table'

/**
 * Whether no price of a card, at any size of a call, moves by more than a share of what it was. Prices of a tier, speed
 * or region may: nothing is sold by them.
 */
export function movesWithin(
  before: readonly PriceLine[],
  after: readonly PriceLine[],
  percent: number,
): boolean {
  const meters = [...new Set([...before, ...after].map(({ meter }) => countedMeter(meter)))]
  return thresholdsOf([before, after]).every((threshold) => {
    const [was, is] = [tableUpTo(before, threshold), tableUpTo(after, threshold)]
    return meters.every((meter) => {
      const [old, now] = [effective(was, meter), effective(is, meter)]
      // Above a threshold alone a meter may have no price yet, before and after.
      if (old === null || now === null) return old === now
      const most = eachOf(old).times(percent).div(100)
      return eachOf(now).minus(eachOf(old)).abs().lessThanOrEqualTo(most)
    })
  })
}
