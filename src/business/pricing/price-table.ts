import type { PriceLine } from '../../domain/model'
import { widerMeters, type Meter } from '../../domain/usage'
import { Exact, unitsIn } from '../../gateway/metering/price-card'

const thresholdOf = ({ when }: PriceLine): number => when?.inputAbove ?? -1

/** Prices by meter. */
type PriceTable = ReadonlyMap<string, PriceLine>

/** The prices that hold above a threshold, by meter. */
export const tableUpTo = (lines: readonly PriceLine[], threshold: number): PriceTable =>
  new Map(
    lines
      .filter((line) => thresholdOf(line) <= threshold)
      .toSorted((a, b) => thresholdOf(a) - thresholdOf(b))
      .map((line) => [line.meter, line]),
  )

/** The price that a meter is charged by: its own, or that of the wider one it is a case of. */
export function effective(table: PriceTable, meter: Meter): PriceLine | null {
  for (const named of [meter, ...widerThan(meter)]) {
    const line = table.get(named)
    if (line !== undefined) return line
  }
  return null
}

/** A size or quality without a price of its own costs what the plain one does. */
function widerThan(meter: Meter): readonly Meter[] {
  if (meter.startsWith('image:')) return ['image']
  return meter.startsWith('video_second:') ? ['video_second'] : widerMeters(meter)
}

/** Dollars for one unit. */
export const eachOf = ({ price, unit }: PriceLine) => new Exact(price).div(unitsIn[unit])

/** Sizes of calls at which one of the cards asks another price, the smallest first. */
export const thresholdsOf = (cards: readonly (readonly PriceLine[])[]): readonly number[] =>
  [...new Set([-1, ...cards.flatMap((lines) => lines.map(thresholdOf))])].sort((a, b) => a - b)
