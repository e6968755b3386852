import type { Decimal } from 'decimal.js'
import { minus, nanosPerUsd, nanoUsd, type NanoUsd } from '../../domain/money'
import type { BilledSum, BillUnit, BillUnits } from './bill'
import { percentBetween, type OurSum } from './our-sums'

/** One thing that both sides count; null where a side does not tell. */
interface Sides<Value> {
  readonly ours: Value | null
  readonly billed: Value | null
}

/** Our records beside a vendor's bill. */
export interface Comparison {
  readonly calls: Sides<number>
  readonly units: Readonly<Partial<Record<BillUnit, Sides<number>>>>
  readonly usd: Sides<NanoUsd>
  /** Billed less ours; null where the bill has no dollars. */
  readonly difference: NanoUsd | null
  /** Of ours; null where there is nothing to compare with. */
  readonly percent: number | null
  /** Whether it is more than tolerated, rounding apart. */
  readonly beyond: boolean
}

/** Dollars of a bill as nano-dollars, to the nearest. */
export const nanosOf = (usd: Decimal): NanoUsd =>
  nanoUsd(usd.times(nanosPerUsd).toDecimalPlaces(0).toNumber())

/** Whether two numbers differ by more than so many percent of the first. */
export const differ = (ours: number, billed: number, tolerance: number, rounding = 0): boolean =>
  Math.max(0, Math.abs(billed - ours) - rounding) * 100 > tolerance * Math.abs(ours)

/** Compares a sum of a bill with ours. @param tolerance percent */
export function compare(ours: OurSum, billed: BilledSum, tolerance: number): Comparison {
  const units = ours.units === null ? {} : sidesOf(ours.units, billed.units)
  const usd = billed.usd === null ? null : nanosOf(billed.usd)
  const difference = usd === null ? null : minus(usd, ours.usd)
  return {
    calls: { ours: ours.calls, billed: billed.calls },
    units,
    usd: { ours: ours.usd, billed: usd },
    difference,
    percent: difference === null ? null : percentBetween(difference, ours.usd),
    beyond:
      usd === null
        ? countsDiffer(ours, billed, tolerance)
        : differ(ours.usd, usd, tolerance, nanosOf(billed.rounding)),
  }
}

/** Whether calls or units differ by more than tolerated, where both sides tell them. */
export function countsDiffer(ours: OurSum, billed: BilledSum, tolerance: number): boolean {
  if (billed.calls !== null && differ(ours.calls, billed.calls, tolerance)) return true
  if (ours.units === null) return false
  return Object.values(sidesOf(ours.units, billed.units)).some(
    ({ ours, billed }) => billed !== null && differ(ours ?? 0, billed, tolerance),
  )
}

const inputs = ['input', 'cached_input', 'cache_write'] as const
const total = (units: BillUnits, of: readonly BillUnit[]): number =>
  of.reduce((sum, unit) => sum + (units[unit] ?? 0), 0)

/** Everything but tools, which are counted beside. */
const all = [
  ...inputs,
  'all_input',
  'output',
  'image',
  'video_second',
  'audio_second',
  'character',
  'unit',
] as const satisfies readonly BillUnit[]

/**
 * Units of both sides as fine as both tell them: input as a whole where the bill does not tell what
 * was cached, everything as one where it names no unit. None where the bill has no units.
 */
export function sidesOf(
  ours: BillUnits,
  billed: BillUnits,
): Readonly<Partial<Record<BillUnit, { readonly ours: number; readonly billed: number }>>> {
  if (total(billed, all) + (billed.tool ?? 0) === 0) return {}
  if (billed.unit !== undefined)
    return { unit: { ours: total(ours, all), billed: total(billed, all) } }
  const sides: Partial<Record<BillUnit, { ours: number; billed: number }>> = {}
  const whole = billed.all_input !== undefined
  if (whole)
    sides.all_input = {
      ours: total(ours, inputs),
      billed: total(billed, [...inputs, 'all_input']),
    }
  for (const unit of new Set([...Object.keys(ours), ...Object.keys(billed)]) as Set<BillUnit>) {
    if (unit === 'all_input' || (whole && inputs.some((each) => each === unit))) continue
    // What a bill does not count at all is no difference, such as searches beside tokens.
    if (unit === 'tool' && billed.tool === undefined) continue
    sides[unit] = { ours: ours[unit] ?? 0, billed: billed[unit] ?? 0 }
  }
  return sides
}
