import type { Decimal } from 'decimal.js'
import { nanoUsd, type NanoUsd } from '../../domain/money'
import {
  inputUnits,
  type Meter,
  type Units,
  isTokenMeter,
  servedMeter,
  widerMeters,
} from '../../domain/usage'
import {
  billedUnits,
  Exact,
  hasRate,
  rateFor,
  type CompiledCard,
  type RateTable,
} from './price-card'

/** Units a rate is for. */
const million = 1_000_000

/**
 * Units × rates, rounded up once to the next nano-dollar.
 * @param prompts calls of the vendor that the units are of, alike in size: that of one decides the tier
 * @throws Error for a meter that has no price, or a count that is no number from 0
 * @throws RangeError for more than money can hold
 */
export const price = (units: Units, card: CompiledCard, prompts = 1): NanoUsd =>
  nanoUsd(nanosOf(units, ratesFor(units, card, prompts)))

/**
 * Price of a ceiling that a client chose: as `price`, at most the largest amount there is, which no
 * account can pay.
 * @throws Error for a meter that has no price, or a count that is no number from 0
 */
export const ceilingPrice = (units: Units, card: CompiledCard, prompts = 1): NanoUsd =>
  nanoUsd(Math.min(nanosOf(units, ratesFor(units, card, prompts)), Number.MAX_SAFE_INTEGER))

/** Cost of counted units by a cost card. */
interface VendorPrice {
  readonly amount: NanoUsd
  /** The card has a price for all of them, as they were served. */
  readonly complete: boolean
}

/**
 * Cost of a vendor's counted units by its cost card; at most the largest amount there is.
 * @param served as of `Usage`
 * @returns null for a count that is no number
 */
export function vendorPrice(
  units: Units,
  card: CompiledCard,
  prompts = 1,
  served?: readonly string[],
): VendorPrice | null {
  const known = pricedUnits(units, card)
  const billed = billedUnits(known, card)
  for (const name in billed)
    if (!((billed[name as Meter] ?? 0) >= 0 && (billed[name as Meter] ?? 0) < Infinity)) return null
  const complete = known === units
  if (served === undefined) return { amount: ceilingPrice(billed, card, prompts), complete }
  const { rates, unpriced } = servedRates(ratesFor(billed, card, prompts), billed, served)
  const amount = nanoUsd(Math.min(nanosOf(billed, rates), Number.MAX_SAFE_INTEGER))
  return { amount, complete: complete && unpriced.length === 0 }
}

/**
 * Words of what a vendor says that it served for which its cost card has no price.
 * @param served as of `Usage`
 */
export const unpricedWords = (
  units: Units,
  card: CompiledCard,
  prompts = 1,
  served: readonly string[],
): readonly string[] => servedRates(ratesFor(units, card, prompts), units, served).unpriced

/** The units that a card has prices for; the same where it has all. A variant may cost what the plain one does. */
function pricedUnits(units: Units, { base }: CompiledCard): Units {
  let missing = false
  for (const name in units) if (!hasRate(base, name as Meter)) missing = true
  if (!missing) return units
  const known: Partial<Record<Meter, number>> = {}
  for (const [name, count] of Object.entries(units) as [Meter, number][]) {
    const meter = hasRate(base, name) ? name : plainMeter(name)
    if (hasRate(base, meter)) known[meter] = (known[meter] ?? 0) + count
  }
  return known
}

/** Meter without its variant: `image` of `image:high`, `tool:web_search` of `tool:web_search:high`. */
const plainMeter = (meter: Meter): Meter => meter.replace(/^((?:tool:)?[^:]+):.*$/s, '$1') as Meter

/** Whole nano-dollars, exact as far as a safe integer goes. */
function nanosOf(units: Units, rates: RateTable): number {
  let sum = 0
  let whole = true
  for (const name in units) {
    const meter = name as Meter
    const count = units[meter]
    if (count === undefined || count === 0) continue
    if (!(count > 0 && count < Infinity)) throw countFault(meter, count)
    if (!Number.isInteger(count)) whole = false
    sum += count * rateFor(rates, meter)
  }
  // All terms are from 0, so a sum below 2^53 says that no term left it: nothing was rounded.
  return whole && sum <= Number.MAX_SAFE_INTEGER
    ? Math.ceil(sum / million)
    : exactNanos(units, rates)
}

/** Price by exact arithmetic: beyond 2^53, and for fractions of a unit such as seconds. */
function exactNanos(units: Units, rates: RateTable): number {
  let sum = 0n
  let fractions = new Exact(0)
  for (const { meter, count } of counted(units)) {
    const rate = rateFor(rates, meter)
    if (Number.isSafeInteger(count)) sum += BigInt(count) * BigInt(rate)
    else fractions = fractions.plus(new Exact(count).times(digitsOf(rate)))
  }
  const total = fractions.plus(sum.toString()).div(million).ceil()
  return total.toNumber()
}

/** All digits of a rate: as text, a number beyond 2^53 would show fewer than it has. */
const digitsOf = (rate: number): string => BigInt(rate).toString()

/** One line of a receipt: `units` × `unitPrice` = `amount`, exactly. */
interface PricedLine {
  readonly meter: Meter
  readonly units: number
  /** Dollars for one unit, a decimal string without an exponent. */
  readonly unitPrice: string
  /** Dollars, a decimal string without an exponent, not rounded. */
  readonly amount: string
}

/**
 * Lines of a price: the sum of the amounts, rounded up to the next nano-dollar, is the price.
 * @param cost that the units came to; that of one prompt unless told
 * @throws Error as `price` does
 */
export function priceLines(
  units: Units,
  card: CompiledCard,
  cost: NanoUsd | null = null,
): readonly PricedLine[] {
  const rates = ratesOf(units, card, cost)
  return counted(units).map(({ meter, count }) => {
    const unitPrice: Decimal = new Exact(digitsOf(rateFor(rates, meter))).div('1e15')
    const amount = unitPrice.times(count)
    return { meter, units: count, unitPrice: unitPrice.toFixed(), amount: amount.toFixed() }
  })
}

function counted(units: Units): readonly { readonly meter: Meter; readonly count: number }[] {
  return Object.entries(units).flatMap(([name, count]) => {
    if (count === undefined || count === 0) return []
    const meter = name as Meter
    if (!(count > 0 && count < Infinity)) throw countFault(meter, count)
    return [{ meter, count }]
  })
}

const countFault = (meter: Meter, count: number): Error =>
  new Error(`a count of ${meter} that is no number from 0: ${count}`)

/** The table that holds for a call of this size: the highest tier it passes, for all of it. */
function ratesFor(units: Units, card: CompiledCard, prompts: number): RateTable {
  if (card.tiers.length === 0) return card.base
  const input = inputUnits(units) / prompts
  for (const tier of card.tiers) if (input > tier.inputAbove) return tier.rates
  return card.base
}

/** The table by which the units came to a cost: of how many prompts they are, no record tells. */
function ratesOf(units: Units, card: CompiledCard, cost: NanoUsd | null): RateTable {
  const usual = ratesFor(units, card, 1)
  if (cost === null || card.tiers.length === 0) return usual
  const tables = [usual, ...card.tiers.map(({ rates }) => rates), card.base]
  return tables.find((rates) => nanosOf(units, rates) === cost) ?? usual
}

/** Rates of a call that a vendor served by a tier, at a speed or in a region of its own. */
interface ServedRates {
  readonly rates: RateTable
  /** Words of what was served for which tokens of the call have no price. */
  readonly unpriced: readonly string[]
}

/**
 * Rates by what a vendor says that it served. Tokens without a price for all of that together cost the dearest of
 * the prices for a part of it, and without one what they cost otherwise. Tools and calls cost the same however they
 * are served.
 * @param table that holds for a call of this size
 * @param served as of `Usage`
 */
function servedRates(table: RateTable, units: Units, served: readonly string[]): ServedRates {
  const rates: Record<string, number> = { ...table }
  const unpriced = new Set<string>()
  for (const name in units) {
    const meter = name as Meter
    if (!isTokenMeter(meter) || !((units[meter] ?? 0) > 0)) continue
    const isPriced = (each: Meter) =>
      (table[each] ?? table[servedMeter(each, served)]) !== undefined
    const priced = [meter, ...widerMeters(meter)].find(isPriced) ?? meter
    const whole = table[servedMeter(priced, served)]
    const parts = served.flatMap((word) => table[servedMeter(priced, [word])] ?? [])
    const rate = whole ?? (parts.length === 0 ? undefined : Math.max(...parts))
    if (rate !== undefined) rates[meter] = rate
    if (whole === undefined) for (const word of without(priced, table, served)) unpriced.add(word)
  }
  return { rates, unpriced: [...unpriced] }
}

/** Served words without a price of their own; where each has one, all of them together. */
function without(meter: Meter, table: RateTable, served: readonly string[]): readonly string[] {
  const words = served.filter((word) => table[servedMeter(meter, [word])] === undefined)
  return words.length === 0 ? [served.join(', ')] : words
}
