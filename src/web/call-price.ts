/**
 * Cost of calls of a model, by the rates that the server charges by, to the nano-dollar. Its
 * arithmetic is `gateway/metering/price.ts`'s; whole units only, so nothing but the price is ever rounded.
 */

/** Rates of a model: nano-dollars per million units, in digits; by meter. */
export interface Rates {
  readonly base: Readonly<Record<string, string>>
  /** Highest threshold first; each is whole. */
  readonly tiers: readonly {
    /** Input tokens. */
    readonly above: number
    readonly rates: Readonly<Record<string, string>>
  }[]
}

/** Whole units of each meter that has a rate. */
type CallUnits = Readonly<Record<string, number>>

const million = 1_000_000n
const nanosPerUsd = 1_000_000_000n

/** Meters of tokens that went in: how many there are decides which rates hold. */
const inputMeters: ReadonlySet<string> = new Set([
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'input_audio',
  'cached_input_audio',
  'input_image',
  'cached_input_image',
])

/** Price of one call, rounded up once to the next nano-dollar. */
export function callNanos(units: CallUnits, { base, tiers }: Rates): bigint {
  const used = Object.entries(units).filter(([, count]) => count > 0)
  // Whatever was counted is one request.
  if (used.length > 0 && base['request'] !== undefined && !units['request'])
    used.push(['request', 1])
  const input = used.reduce((sum, [meter, n]) => (inputMeters.has(meter) ? sum + n : sum), 0)
  const rates = tiers.find(({ above }) => input > above)?.rates ?? base
  const sum = used.reduce(
    (before, [meter, count]) => before + BigInt(count) * BigInt(rates[meter] ?? 0),
    0n,
  )
  return (sum + million - 1n) / million
}

/** Dollars as a decimal string. */
export function usdOfNanos(nanos: bigint): string {
  const fraction = String(nanosPerUsd + (nanos % nanosPerUsd)).slice(1)
  return `${nanos / nanosPerUsd}.${fraction}`
}

/** A decimal number as a whole one and the decimals that it had. */
function wholeOf(decimal: string): readonly [whole: bigint, decimals: number] {
  const [digits = '0', fraction = ''] = decimal.split('.')
  return [BigInt(digits + fraction), fraction.length]
}

/**
 * Dollars in coins, exactly.
 * @param usd a decimal string
 * @param rate coins per dollar, a decimal string
 */
export function coinsOf(usd: string, rate: string): string {
  const [[a, aDecimals], [b, bDecimals]] = [wholeOf(usd), wholeOf(rate)]
  const decimals = aDecimals + bDecimals
  const digits = String(a * b).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`
}

/** Nano-dollars of a decimal string with nine decimals at most. */
export function nanosOfUsd(usd: string): bigint {
  const [whole, decimals] = wholeOf(usd)
  return whole * 10n ** BigInt(9 - decimals)
}
