import { maxUsd, type NanoUsd } from '../../domain/money'
import {
  inputUnits,
  isInputMeter,
  isTokenMeter,
  outputUnits,
  type Meter,
  type Units,
} from '../../domain/usage'
import type { CompiledCard, RateTable } from './price-card'

/**
 * The most that a call can use, whatever its vendor counts. Tokens are bounded together: by which of
 * their meters they are counted is the vendor's to say.
 */
export interface UsageCeiling {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of every meter that does not count tokens; absent means none. */
  readonly others: Units
}

/** The ceiling of a call whose units are known before it is made. */
export const exactCeiling = (units: Units): UsageCeiling => ({
  inputTokens: inputUnits(units),
  outputTokens: outputUnits(units),
  others: units,
})

/**
 * A vendor's count, cut where it is beyond the ceiling: tokens in the proportions that were told, so
 * that a receipt still adds up.
 * @returns the same units where nothing is beyond
 */
export function unitsWithin(units: Units, ceiling: UsageCeiling): Units {
  const { inputTokens, outputTokens, others } = ceiling
  const sums = { input: inputUnits(units), output: outputUnits(units) }
  const isWithin = sums.input <= inputTokens && sums.output <= outputTokens
  return isWithin && !isBeyond(units, others) ? units : cutUnits(units, sums, ceiling)
}

function cutUnits(
  units: Units,
  { input, output }: { readonly input: number; readonly output: number },
  { inputTokens, outputTokens, others }: UsageCeiling,
): Units {
  const cut = (meter: Meter, count: number): number => {
    if (!isTokenMeter(meter)) return Math.min(count, mostOf(meter, others))
    const [sum, most] = isInputMeter(meter) ? [input, inputTokens] : [output, outputTokens]
    return sum <= most ? count : Math.floor((count / sum) * most)
  }
  return mapUnits(units, cut)
}

/** A card with a price per request bills one whatever is counted. */
const mostOf = (meter: Meter, others: Units): number =>
  others[meter] ?? (meter === 'request' ? 1 : 0)

function isBeyond(units: Units, others: Units): boolean {
  for (const name in units) {
    const meter = name as Meter
    if (!isTokenMeter(meter) && (units[meter] ?? 0) > mostOf(meter, others)) return true
  }
  return false
}

const nothing: Units = {}

/**
 * Units cut to the share of them that an amount pays for; parts of a unit are left out.
 * @param costOf units; what is left may be of another tier, where the rest is dearer, and is cut again then
 */
export function unitsFor(units: Units, amount: NanoUsd, costOf: (units: Units) => NanoUsd): Units {
  let left = units
  for (let cost = costOf(left); cost > amount && left !== nothing; cost = costOf(left)) {
    const share = amount / cost
    const cut = mapUnits(left, (_, count) => Math.min(count - 1, Math.floor(count * share)))
    left = Object.keys(cut).length > 0 ? cut : nothing
  }
  return left
}

function mapUnits(units: Units, cut: (meter: Meter, count: number) => number): Units {
  const left: Partial<Record<Meter, number>> = {}
  for (const name in units) {
    const meter = name as Meter
    const count = cut(meter, units[meter] ?? 0)
    if (count > 0) left[meter] = count
  }
  return left
}

/** Units a rate is for. */
const million = 1_000_000

/**
 * The most that a call under this ceiling can cost: each side by the dearest price that its tokens
 * may be counted at. At most the largest amount there is.
 * @param prompts as of `price`
 */
export function ceilingCost(ceiling: UsageCeiling, card: CompiledCard, prompts = 1): NanoUsd {
  let most = costBy(card.base, ceiling)
  // A call that is cut to a lower tier costs less than one that is not.
  for (const { inputAbove, rates } of card.tiers)
    if (ceiling.inputTokens / prompts > inputAbove) most = Math.max(most, costBy(rates, ceiling))
  // Doubles may lose a part of one nano-dollar.
  return Math.min(Math.ceil(most / million) + 1, maxUsd) as NanoUsd
}

function costBy(rates: RateTable, { inputTokens, outputTokens, others }: UsageCeiling): number {
  const { input, output } = dearestOf(rates)
  let sum = inputTokens * input + outputTokens * output + (rates['request'] ?? 0)
  for (const name in others)
    if (name !== 'request' && !isTokenMeter(name as Meter))
      sum += (others[name as Meter] ?? 0) * (rates[name] ?? 0)
  return sum
}

interface Dearest {
  readonly input: number
  readonly output: number
}

/** A table is read once: a call only multiplies. */
const dearest = new WeakMap<RateTable, Dearest>()

function dearestOf(rates: RateTable): Dearest {
  let known = dearest.get(rates)
  if (known === undefined) {
    let input = 0
    let output = 0
    for (const name in rates) {
      const rate = rates[name] ?? 0
      if (!isTokenMeter(name as Meter)) continue
      if (isInputMeter(name as Meter)) input = Math.max(input, rate)
      else output = Math.max(output, rate)
    }
    known = { input, output }
    dearest.set(rates, known)
  }
  return known
}
