import { Decimal } from 'decimal.js'
import type { ModelFamily, PriceCard, PriceLine, PriceUnit } from '../../domain/model'
import {
  countedMeter,
  partialPicture,
  speakerSeconds,
  widerMeters,
  type Meter,
  type Units,
  type VariantMeter,
} from '../../domain/usage'

/** Integer rates: nano-dollars per million units, by meter. */
export type RateTable = Readonly<Record<string, number>>

/** A card as integer arithmetic wants it: the table that holds, and those above input thresholds. */
export interface CompiledCard {
  readonly version: string
  readonly base: RateTable
  /** Highest threshold first; each is whole: what it does not price anew is as below it. */
  readonly tiers: readonly { readonly inputAbove: number; readonly rates: RateTable }[]
}

/** Decimals that keep every digit of a price; the default of twenty would round a few. */
export const Exact = Decimal.clone({ precision: 80 })

/** Units of a meter that a price is for: a meter of seconds may be priced by the minute. */
export const unitsIn: Readonly<Record<PriceUnit, number>> = { million: 1e6, each: 1, minute: 60 }

/** Nano-dollars per million units, for a price of one dollar per unit. */
const scale = new Exact('1e15')
/** Up to here every rate with nine decimals per unit is a whole number that a double holds exactly. */
const highestRate = new Exact('5e17')

/**
 * Compiled once, so that pricing a call is integer arithmetic. A rate counts nano-dollars per million
 * units: exact down to a nano-dollar per million tokens, or 1e-15 dollars per unit; a price finer
 * than that is rounded up.
 * @throws RangeError when a price is no decimal number from 0, or above 500 dollars for one unit
 */
export function compileCard(card: PriceCard): CompiledCard {
  const lines = card.lines.toSorted((a, b) => thresholdOf(a) - thresholdOf(b))
  const ratesUpTo = (threshold: number): RateTable => {
    const held = lines.filter((line) => thresholdOf(line) <= threshold)
    return Object.fromEntries(
      held.flatMap((line) => (isOutgrown(line, held) ? [] : [[line.meter, rateOf(line)]])),
    )
  }
  const thresholds = new Set(lines.map(thresholdOf).filter((threshold) => threshold >= 0))
  const tiers = [...thresholds]
    .sort((a, b) => b - a)
    .map((inputAbove) => ({ inputAbove, rates: ratesUpTo(inputAbove) }))
  return { version: card.version, base: ratesUpTo(-1), tiers }
}

/** Whether the price of a tier, speed or region says nothing of calls of a size at which its meter has another price. */
function isOutgrown(line: PriceLine, held: readonly PriceLine[]): boolean {
  const meter = countedMeter(line.meter)
  return (
    meter !== line.meter &&
    held.some((each) => each.meter === meter && thresholdOf(each) > thresholdOf(line))
  )
}

/** The price that always holds is below every threshold. */
const thresholdOf = (line: PriceLine): number => line.when?.inputAbove ?? -1

/** Common notation of a price: its nano-dollars are its digits. */
const plainPrice = /^(\d{1,6})(?:\.(\d{1,9}))?$/

function rateOf(line: PriceLine): number {
  const plain = line.unit === 'million' ? plainPrice.exec(line.price) : null
  // A catalogue of hundreds of models is compiled at each start; decimals would take ten times longer.
  return plain === null
    ? exactRate(line)
    : Number(`${plain[1] ?? ''}${(plain[2] ?? '').padEnd(9, '0')}`)
}

function exactRate({ meter, price, unit }: PriceLine): number {
  let rate: Decimal
  try {
    rate = new Exact(price).times(scale).div(unitsIn[unit]).ceil()
  } catch {
    throw new RangeError(`the price of ${meter} is no number: ${price}`)
  }
  if (!rate.isFinite() || rate.isNegative() || rate.greaterThan(highestRate))
    throw new RangeError(`the price of ${meter} is out of range: ${price}`)
  const double = rate.toNumber()
  // Only a price above nine dollars a unit with more than nine decimals has digits to lose here.
  return rate.greaterThan(double) ? double + 64 : double
}

/** Meters that must have a price, by type: of the alternatives one is enough. */
const required: Readonly<Record<ModelFamily, readonly (readonly Meter[])[]>> = {
  chat: [['input', 'output']],
  embedding: [['input']],
  image: [['image'], ['input', 'output_image']],
  // The words beside a recording are input too.
  audio_stt: [['audio_second'], ['input', 'output']],
  audio_tts: [['character'], ['input', 'output_audio']],
  video: [['video_second']],
  music: [['request']],
  moderation: [['request'], ['input']],
  // Without a price of its own, sound would be sold at that of text.
  realtime: [['input', 'output', 'input_audio', 'output_audio']],
}

/** Whether a model with this card may be sold. */
export const isComplete = (card: PriceCard, type: ModelFamily, isFree: boolean): boolean =>
  missingPrices(card, type, isFree).length === 0

/**
 * Gaps of a card that keep its model from being sold: a needed price, a price above zero where the model
 * is not free, a price of zero where it is, or a price that can be read. Empty: complete.
 */
export function missingPrices(
  card: PriceCard,
  type: ModelFamily,
  isFree: boolean,
): readonly string[] {
  let compiled: CompiledCard
  try {
    compiled = compileCard(card)
  } catch (thrown) {
    if (thrown instanceof RangeError) return [thrown.message]
    throw thrown
  }
  // A tool may be a gift beside tokens that are not.
  const wrong = card.lines.filter((line) =>
    rateOf(line) === 0 ? !isFree && !line.meter.startsWith('tool:') : isFree,
  )
  const zeroes = wrong.map(({ meter }) => (isFree ? `${meter} of a free model, at zero` : meter))
  // A socket is one call of many answers: its size says nothing about theirs.
  const tiered = type === 'realtime' && compiled.tiers.length > 0 ? ['prices of any size'] : []
  return [...new Set([...unpriced(compiled.base, type), ...zeroes, ...tiered])]
}

function unpriced(rates: RateTable, type: ModelFamily): readonly string[] {
  const priced = new Set(
    Object.keys(rates).flatMap((meter) =>
      meter === speakerSeconds ? [] : meter.replace(/^(?!tool)(\w+):.*$/, '$1'),
    ),
  )
  const alternatives = required[type].map((meters) => meters.filter((meter) => !priced.has(meter)))
  if (alternatives.some((missing) => missing.length === 0)) return []
  const [only, ...others] = alternatives
  if (only !== undefined && others.length === 0) return only
  return [required[type].map((meters) => meters.join(' and ')).join(', or ')]
}

/**
 * The meter that a picture or second of video is counted by. A card that tells its prices by size or
 * quality sells what it tells and nothing else: a price is never guessed.
 * @returns null when the card has no price for this
 */
export function variantMeter(
  card: CompiledCard,
  meter: VariantMeter,
  { size, quality }: { readonly size?: string; readonly quality?: string },
): Meter | null {
  const both = quality !== undefined && size !== undefined ? `${quality} ${size}` : undefined
  for (const variant of [both, quality, size]) {
    const named: Meter = `${meter}:${variant}`
    if (variant !== undefined && card.base[named] !== undefined) return named
  }
  const told = Object.keys(card.base).some(
    (name) => name.startsWith(`${meter}:`) && name !== partialPicture,
  )
  return told || card.base[meter] === undefined ? null : meter
}

/**
 * The rate of a meter; a meter without a price of its own takes that of the wider one it is a case of.
 * @throws Error when neither has one: a fault of the catalogue, never a free meter
 */
export function rateFor(rates: RateTable, meter: Meter): number {
  const own = rates[meter]
  if (own !== undefined) return own
  for (const named of widerMeters(meter)) {
    const rate = rates[named]
    if (rate !== undefined) return rate
  }
  throw new Error(`no price for ${meter}`)
}

/** Whether a meter has a rate, of its own or by a wider one. */
export const hasRate = (rates: RateTable, meter: Meter): boolean =>
  rates[meter] !== undefined || widerMeters(meter).some((named) => rates[named] !== undefined)

/**
 * Billed part of the counted units. Vendors may run a tool that nobody asked for: what has no price
 * cannot be charged, and must not keep the rest from it. A card with a price per request bills one
 * for whatever was counted.
 */
export function billedUnits(units: Units, { base }: CompiledCard): Units {
  let isEmpty = true
  let isUnsold = false
  for (const name in units) {
    isEmpty = false
    isUnsold ||= name.startsWith('tool:') && base[name] === undefined
  }
  const sold = isUnsold ? soldUnits(units, base) : units
  return isEmpty || base['request'] === undefined || sold.request !== undefined
    ? sold
    : { ...sold, request: 1 }
}

/** Units without those of tools that have no price. */
const soldUnits = (units: Units, base: CompiledCard['base']): Units =>
  Object.fromEntries(
    Object.entries(units).filter(([name]) => !name.startsWith('tool:') || base[name] !== undefined),
  )

/** Meters of each type of model; a price of anything else would never be charged. */
const counted: Readonly<Record<ModelFamily, readonly (Meter | 'tool')[]>> = {
  chat: [
    'input',
    'cached_input',
    'cache_write_5m',
    'cache_write_1h',
    'output',
    'input_audio',
    'cached_input_audio',
    'output_audio',
    'input_image',
    'cached_input_image',
    'output_image',
    'request',
    'tool',
  ],
  embedding: ['input', 'request'],
  image: ['image', 'input', 'cached_input', 'input_image', 'output', 'output_image', 'request'],
  audio_stt: ['audio_second', 'input', 'input_audio', 'output', 'request'],
  audio_tts: ['character', 'input', 'output_audio', 'request'],
  video: ['video_second', 'request'],
  music: ['request'],
  moderation: ['request', 'input'],
  realtime: [
    'input',
    'cached_input',
    'output',
    'input_audio',
    'cached_input_audio',
    'output_audio',
    'input_image',
    'cached_input_image',
  ],
}

const isCounted = (meter: Meter, type: ModelFamily): boolean =>
  counted[type].includes(meter.replace(/:.*$/s, '') as Meter | 'tool')

/** Meters of these lines that calls to a model of this type are never counted by. */
export const uncountedMeters = (lines: readonly PriceLine[], type: ModelFamily): readonly Meter[] =>
  lines.map(({ meter }) => meter).filter((meter) => !isCounted(meter, type))

interface Leading {
  readonly by: Meter
  readonly silences: readonly Meter[]
}

/**
 * Meters that alone are counted where they have a price, with those that they silence; the first of a type
 * that a card has holds.
 */
const leading: Partial<Readonly<Record<ModelFamily, readonly Leading[]>>> = {
  audio_stt: [{ by: 'audio_second', silences: ['input', 'input_audio', 'output'] }],
  audio_tts: [{ by: 'character', silences: ['input', 'output_audio'] }],
  image: [
    { by: 'output_image', silences: ['image'] },
    { by: 'image', silences: ['input', 'cached_input', 'input_image', 'output'] },
  ],
}

/** Lines that are never charged, since another kind of the card's prices is what calls are counted by. */
export function silentLines(lines: readonly PriceLine[], type: ModelFamily): readonly PriceLine[] {
  const plain = ({ meter }: PriceLine) => meter.replace(/:.*$/s, '') as Meter
  const always = new Set(lines.filter(({ when }) => when === undefined).map(plain))
  const silenced = leading[type]?.find(({ by }) => always.has(by))?.silences ?? []
  return lines.filter((line) => silenced.includes(plain(line)))
}

/** Lines without those; the same where all are counted. */
export const countedLines = (
  lines: readonly PriceLine[],
  type: ModelFamily,
): readonly PriceLine[] =>
  lines.every(({ meter }) => isCounted(meter, type))
    ? lines
    : lines.filter(({ meter }) => isCounted(meter, type))
