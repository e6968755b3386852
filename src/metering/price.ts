import { Decimal } from 'decimal.js'
import { nanoUsd, type NanoUsd } from '../domain/money'
import { inputUnits, type Meter, type Units } from '../domain/usage'
import { rateFor, type CompiledCard, type RateTable } from './price-card'

const million = 1_000_000

/**
 * Units × rates, rounded up once to the next nano-dollar.
 * @throws Error for a meter that has no price, or a count that is no number from 0
 */
export function price(units: Units, card: CompiledCard): NanoUsd {
  const rates = ratesFor(units, card)
  let sum = 0
  for (const name in units) {
    const meter = name as Meter
    const count = units[meter]
    if (count === undefined || count === 0) continue
    if (!(count > 0)) throw new Error(`a count of ${meter} that is no number from 0: ${count}`)
    sum += count * rateFor(rates, meter)
  }
  if (sum <= Number.MAX_SAFE_INTEGER && Number.isInteger(sum))
    return nanoUsd(Math.ceil(sum / million))
  return exactPrice(units, rates)
}

/** The same beyond 2^53, and for fractions of a unit such as seconds. */
function exactPrice(units: Units, rates: RateTable): NanoUsd {
  let sum = new Decimal(0)
  for (const name in units) {
    const meter = name as Meter
    const count = units[meter] ?? 0
    if (count > 0) sum = sum.plus(new Decimal(count).times(rateFor(rates, meter)))
  }
  return nanoUsd(sum.div(million).ceil().toNumber())
}

/** The table that holds for a call of this size: the highest tier it passes, for all of it. */
function ratesFor(units: Units, card: CompiledCard): RateTable {
  if (card.tiers.length === 0) return card.base
  const input = inputUnits(units)
  for (const tier of card.tiers) if (input > tier.inputAbove) return tier.rates
  return card.base
}
