import type { ModelEntry } from '../domain/model'
import {
  inputUnits,
  isInputMeter,
  isTokenMeter,
  outputUnits,
  type Meter,
  type Units,
} from '../domain/usage'

/**
 * How often the model's room may be filled in one call: choices, and turns that the vendor takes
 * itself while it runs tools, are counted together.
 */
const mostTurns = 16
/** Of a model of which nobody knows how much goes in. */
const largestContext = 2_000_000
/** Calls of one tool that a vendor runs. */
const mostToolCalls = 1000

/**
 * A vendor's count as far as it can be true of this model: a fault of its own must not cost a fortune.
 * @returns the same where nothing is beyond
 */
export function possibleUnits(
  units: Units,
  { contextLength }: Pick<ModelEntry, 'contextLength'>,
): Units {
  const most = mostTurns * (contextLength ?? largestContext)
  const input = inputUnits(units)
  const output = outputUnits(units)
  if (input <= most && output <= most && !manyCalls(units)) return units
  const bounded = (meter: Meter, count: number): number => {
    if (meter.startsWith('tool:')) return Math.min(count, mostToolCalls)
    if (!isTokenMeter(meter)) return count
    const sum = isInputMeter(meter) ? input : output
    return sum <= most ? count : Math.floor((count / sum) * most)
  }
  return Object.fromEntries(
    (Object.entries(units) as [Meter, number][]).map(([meter, count]) => [
      meter,
      bounded(meter, count),
    ]),
  )
}

function manyCalls(units: Units): boolean {
  for (const meter in units)
    if (meter.startsWith('tool:') && (units[meter as Meter] ?? 0) > mostToolCalls) return true
  return false
}
