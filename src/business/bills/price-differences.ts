import type { Decimal } from 'decimal.js'
import type { PriceLine } from '../../domain/model'
import { nanosPerUsd } from '../../domain/money'
import { Exact } from '../../gateway/metering/price-card'
import type { CostCard } from '../../gateway/catalogue/cards'
import { eachOf, effective, tableUpTo } from '../pricing/price-table'
import type { BilledSum, BillUnit } from './bill'
import { sidesOf } from './compare'
import { meterOf } from './counted-units'
import type { OurSum } from './our-sums'

/** A price that the vendor charged beside our cost card. */
export interface PriceDifference {
  /** Null: of all units together, where the bill does not tell them apart. */
  readonly unit: BillUnit | null
  /** Dollars for so many units. */
  readonly per: number
  readonly charged: string
  /** Null where the card has no such price. */
  readonly ours: string | null
}

/** Dollars for one unit by our cost card, in the mix that we counted. */
export function eachByCard(
  unit: BillUnit,
  ours: OurSum,
  lines: readonly PriceLine[],
): Decimal | null {
  if (unit === 'unit') return new Exact(1)
  if (unit !== 'all_input') return eachOfUnit(unit, lines)
  const parts = (['input', 'cached_input', 'cache_write'] as const).map((part) => ({
    count: ours.units?.[part] ?? 0,
    each: eachOfUnit(part, lines) ?? new Exact(0),
  }))
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  if (count === 0) return eachOfUnit('input', lines)
  return parts.reduce((sum, part) => sum.plus(part.each.times(part.count)), new Exact(0)).div(count)
}

function eachOfUnit(unit: BillUnit, lines: readonly PriceLine[]): Decimal | null {
  const meter = meterOf[unit]
  const line = meter === null ? null : effective(tableUpTo(lines, -1), meter)
  return line === null ? null : eachOf(line)
}

/** How many units a price is usually told for. */
const perUnits: Readonly<Partial<Record<BillUnit, number>>> = {
  image: 1,
  video_second: 1,
  audio_second: 60,
  tool: 1,
}
const million = 1_000_000
const shownDigits = 6

/** Prices that the vendor charged otherwise than our card says, as fine as the bill tells them. */
export function priceDifferences(
  ours: OurSum,
  billed: BilledSum,
  card: CostCard | undefined,
  tolerance: number,
): readonly PriceDifference[] {
  const counted = (Object.entries(billed.units) as [BillUnit, number][]).filter(([, n]) => n > 0)
  const [only, ...others] = counted
  const amounts: Partial<Record<BillUnit, Decimal>> =
    only !== undefined && others.length === 0 && billed.usd !== null
      ? { [only[0]]: billed.usd }
      : billed.usdFor
  const priced = counted.flatMap(([unit, count]) => {
    const amount = amounts[unit]
    if (amount === undefined) return []
    const charged = amount.div(count)
    const each = card === undefined ? null : eachByCard(unit, ours, card.lines)
    const isSame = each !== null && charged.minus(each).abs().times(100).lte(each.times(tolerance))
    return isSame ? [] : [shown(unit, charged, each)]
  })
  if (priced.length > 0 || billed.usd === null) return priced
  const count = counted.reduce((sum, [, n]) => sum + n, 0)
  const known = Object.values(sidesOf(ours.units ?? {}, billed.units))
  const own = known.reduce((sum, side) => sum + side.ours, 0)
  if (count === 0 || own === 0) return []
  return [shown(null, billed.usd.div(count), new Exact(ours.usd).div(nanosPerUsd).div(own))]
}

function shown(unit: BillUnit | null, charged: Decimal, ours: Decimal | null): PriceDifference {
  const per = (unit === null ? undefined : perUnits[unit]) ?? million
  const text = (each: Decimal) => each.times(per).toSignificantDigits(shownDigits).toFixed()
  return { unit, per, charged: text(charged), ours: ours === null ? null : text(ours) }
}
