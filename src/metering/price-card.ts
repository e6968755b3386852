import { Decimal } from 'decimal.js'
import type { ModelType, PriceCard, PriceLine } from '../domain/model'
import { meterFallback, type Meter } from '../domain/usage'

/** Integer rates: nano-dollars per million units, by meter. */
export type RateTable = Readonly<Record<string, number>>

/** A card as integer arithmetic wants it: the table that holds, and those above input thresholds. */
export interface CompiledCard {
  readonly version: string
  readonly base: RateTable
  /** Highest threshold first. */
  readonly tiers: readonly { readonly inputAbove: number; readonly rates: RateTable }[]
}

/** Nano-dollars in a dollar. */
const nanos = new Decimal(1_000_000_000)
/** How many of a price's units a million units of its meter are. */
const unitsPerMillion = {
  million: new Decimal(1),
  each: new Decimal(1_000_000),
  minute: new Decimal(1_000_000).div(60),
} as const

/**
 * Compiled once, so that pricing a call is integer arithmetic. A rate is whole at a nano-dollar per
 * million units; a price finer than that is rounded up.
 * @throws RangeError when a price is no decimal number from 0
 */
export function compileCard(card: PriceCard): CompiledCard {
  const base = table(card.lines.filter((line) => line.when === undefined))
  const thresholds = [...new Set(card.lines.flatMap((line) => line.when?.inputAbove ?? []))]
  const tiers = thresholds
    .sort((a, b) => b - a)
    .map((inputAbove) => ({
      inputAbove,
      rates: {
        ...base,
        ...table(
          card.lines.filter((line) => (line.when?.inputAbove ?? inputAbove + 1) <= inputAbove),
        ),
      },
    }))
  return { version: card.version, base, tiers }
}

function table(lines: readonly PriceLine[]): RateTable {
  const rates: Record<string, number> = {}
  const ordered = lines.toSorted((a, b) => (a.when?.inputAbove ?? 0) - (b.when?.inputAbove ?? 0))
  for (const line of ordered) rates[line.meter] = rateOf(line)
  return rates
}

function rateOf({ meter, price, unit }: PriceLine): number {
  let rate: Decimal
  try {
    rate = new Decimal(price).times(nanos).times(unitsPerMillion[unit]).ceil()
  } catch {
    throw new RangeError(`the price of ${meter} is no number: ${price}`)
  }
  if (!rate.isFinite() || rate.isNegative() || rate.greaterThan(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`the price of ${meter} is out of range: ${price}`)
  return rate.toNumber()
}

/** Meters that must have a price; of each group one is enough. */
const required: Record<ModelType, readonly (readonly Meter[])[]> = {
  chat: [['input'], ['output']],
  embedding: [['input']],
  image: [['image', 'output_image']],
  audio_stt: [['audio_second', 'input_audio', 'input']],
  audio_tts: [['character', 'output_audio']],
  video: [['video_second']],
  music: [['request']],
  moderation: [['request', 'input']],
}

/**
 * What a card lacks before its model may be sold: a missing price, or one of zero on a model that
 * is not free. Empty: complete.
 */
export function missingPrices(
  card: PriceCard,
  type: ModelType,
  isFree: boolean,
): readonly string[] {
  const { base } = compileCard(card)
  const priced = (meter: Meter) => (base[meter] ?? 0) > 0 || (isFree && base[meter] === 0)
  return required[type].filter((group) => !group.some(priced)).map((group) => group.join(' or '))
}

/**
 * The rate of a meter; a meter without a price of its own takes that of the wider one it is a case of.
 * @throws Error when neither has one: a fault of the catalogue, never a free meter
 */
export function rateFor(rates: RateTable, meter: Meter): number {
  let named: Meter | undefined = meter
  while (named !== undefined) {
    const rate = rates[named]
    if (rate !== undefined) return rate
    named = meterFallback(named)
  }
  throw new Error(`no price for ${meter}`)
}
