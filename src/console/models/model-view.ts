import { familyOf, type PriceCard, type PriceLine } from '../../domain/model'
import { partialPicture } from '../../domain/usage'
import {
  Exact,
  unitsIn,
  type CompiledCard,
  type RateTable,
} from '../../gateway/metering/price-card'
import type { SoldModel } from './sold-model'

/** One price of a model, as pages show it. */
interface ShownPrice {
  readonly meter: string
  readonly unit: PriceLine['unit']
  /** For one unit, a decimal string without an exponent. */
  readonly usd: string
  /** Holds for calls with more input tokens than this only; null for all. */
  readonly above: number | null
}

/** A model as lists show it. */
export const modelRow = (model: SoldModel) => ({
  id: model.id,
  name: model.name,
  owner: model.ownedBy,
  family: familyOf(model),
  context_length: model.contextLength,
  capabilities: capabilitiesOf(model),
  is_free: model.isFree,
  /** Its answers are made up, for trying. */
  sandbox: model.isSandbox,
  /** Two at most: what most of a bill is made of. */
  prices: leadingPrices(model),
  /** Of some sizes or qualities it is dearer. */
  from: hasDearer(model),
  changes_at: model.next?.validFrom ?? null,
})
export type ModelRow = ReturnType<typeof modelRow>

/** A model as its own page shows it. */
export const modelPage = (model: SoldModel) => ({
  ...modelRow(model),
  description: model.description,
  max_output_tokens: model.maxOutputTokens,
  aliases: (model.aliases ?? []).map(({ id }) => id).filter((id) => id !== model.id),
  choices: choicesOf(model),
  all_prices: pricesOf(model.card),
  next:
    model.next === undefined
      ? null
      : { from: model.next.validFrom as number, prices: pricesOf(model.next) },
  rates: ratesOf(model.rates),
})
/** Capabilities of a model, by the names of the interface. */
export const capabilitiesOf = ({ capabilities }: SoldModel): readonly string[] =>
  Object.entries(capabilities).flatMap(([name, can]) => (can === true ? [name] : []))

/** Choices in a call of a model. */
const choicesOf = ({ capabilities, traits }: SoldModel) => ({
  sizes: capabilities.sizes ?? [],
  voices: capabilities.voices ?? [],
  formats: capabilities.formats ?? [],
  /** Of reasoning; empty where it has none to choose. */
  efforts: traits.efforts ?? [],
})

const pricesOf = ({ lines }: PriceCard): readonly ShownPrice[] => lines.map(shown)

const shown = ({ meter, unit, price, when }: PriceLine): ShownPrice => ({
  meter,
  unit,
  usd: /e/i.test(price) ? new Exact(price).toFixed() : price,
  above: when?.inputAbove ?? null,
})

/** Meters that make most of a bill; of variants the cheapest stands for all. */
const leading = [
  'input',
  'output',
  'input_audio',
  'output_audio',
  'image',
  'output_image',
  'video_second',
  'audio_second',
  'character',
  'request',
]
/** These come first where a model is sold by them, whatever else has a price. */
const pieces = new Set(['image', 'video_second', 'audio_second', 'character'])

const baseOf = (meter: string): string => meter.replace(/^(image|video_second):.*$/, '$1')

function leadingPrices({ card, type }: SoldModel): readonly ShownPrice[] {
  const found = new Map<string, PriceLine>()
  for (const line of card.lines) {
    if (line.when !== undefined || line.meter === partialPicture) continue
    const meter = baseOf(line.meter)
    const before = found.get(meter)
    if (before === undefined || perUnit(line).lt(perUnit(before))) found.set(meter, line)
  }
  const order = type === 'chat' || type === 'embedding' ? leading : leadingPieces
  return order
    .flatMap((meter) => found.get(meter) ?? [])
    .slice(0, 2)
    .map(shown)
}

const leadingPieces = [
  ...leading.filter((meter) => pieces.has(meter)),
  ...leading.filter((meter) => !pieces.has(meter)),
]

const perUnit = ({ price, unit }: PriceLine) => new Exact(price).div(unitsIn[unit])

/** Whether it has several prices for pictures or seconds. */
const hasDearer = ({ card }: SoldModel): boolean =>
  card.lines.filter(({ meter }) => baseOf(meter) !== meter && meter !== partialPicture).length > 1

/** Rates as whole numbers of nano-dollars per million units, in digits: they may be beyond 2^53. */
const ratesOf = ({ base, tiers }: CompiledCard) => ({
  base: inDigits(base),
  tiers: tiers.map(({ inputAbove, rates }) => ({ above: inputAbove, rates: inDigits(rates) })),
})

const inDigits = (rates: RateTable): Record<string, string> =>
  Object.fromEntries(Object.entries(rates).map(([meter, rate]) => [meter, BigInt(rate).toString()]))
