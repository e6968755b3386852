import type { PriceLine } from '../domain/model'
import { eachOf, effective, tableUpTo, thresholdsOf } from './price-table'

/** Whether no price of a card, at any size of a call, moves by more than a share of what it was. */
export function movesWithin(
  before: readonly PriceLine[],
  after: readonly PriceLine[],
  percent: number,
): boolean {
  const meters = [...new Set([...before, ...after].map(({ meter }) => meter))]
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
