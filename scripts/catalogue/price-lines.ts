import type { ModelType, PriceLine } from '../../src/domain/model'
import type { Meter } from '../../src/domain/usage'
import { priceOf, rowOf, rowsOf, textOf, wholeOf, type Row } from './sources'

type Card = readonly PriceLine[]
type Fields = readonly (readonly [Meter, readonly string[]])[]

/** Fields of the first source, in dollars per token; the first one there counts. */
const tokenFields: Fields = [
  ['input', ['input_cost_per_token']],
  ['cached_input', ['cache_read_input_token_cost', 'input_cost_per_token_cache_hit']],
  ['cache_write_5m', ['cache_creation_input_token_cost']],
  ['cache_write_1h', ['cache_creation_input_token_cost_above_1hr']],
  ['output', ['output_cost_per_token']],
  ['input_audio', ['input_cost_per_audio_token']],
  ['cached_input_audio', ['cache_read_input_audio_token_cost']],
  ['output_audio', ['output_cost_per_audio_token']],
  ['input_image', ['input_cost_per_image_token']],
  ['output_image', ['output_cost_per_image_token']],
]

/** Which of them a type can use at all. */
const metersOf: Readonly<Partial<Record<ModelType, readonly Meter[]>>> = {
  chat: tokenFields.map(([meter]) => meter).filter((meter) => !meter.endsWith('_image')),
  embedding: ['input'],
  image: ['input', 'cached_input', 'output', 'input_image', 'output_image'],
  audio_stt: ['input', 'input_audio', 'output'],
  audio_tts: ['input', 'output_audio'],
}

const thresholds = [128, 200, 256, 272, 512]

/** The card of a row of the first source, which counts in dollars per token, second or piece. */
export function litellmLines(row: Row, type: ModelType): Card {
  if (type === 'moderation') return [{ meter: 'request', unit: 'each', price: '0' }]
  const pieces = pieceLines(row, type)
  if (pieces.length > 0) return pieces
  const wanted = metersOf[type] ?? []
  const fields = tokenFields.filter(([meter]) => wanted.includes(meter))
  const tiered = rowsOf(row['tiered_pricing'])
  if (tiered.length > 0)
    return tiered.flatMap((tier) => {
      const from = Array.isArray(tier['range']) ? wholeOf(tier['range'][0]) : null
      return fields.flatMap(([meter, names]) => line(meter, tier, names, from))
    })
  return fields.flatMap(([meter, names]) => [
    ...line(meter, row, names, null),
    ...thresholds.flatMap((thousands) =>
      line(
        meter,
        row,
        names.map((name) => `${name}_above_${thousands}k_tokens`),
        thousands * 1000,
      ),
    ),
  ])
}

/** Prices by the second, character or picture; a row with prices by the token has none. */
function pieceLines(row: Row, type: ModelType): Card {
  const one = (meter: Meter, unit: PriceLine['unit'], value: unknown, times: number): Card => {
    const price = priceOf(value, times)
    return price === null ? [] : [{ meter, unit, price }]
  }
  switch (type) {
    case 'image':
      return row['output_cost_per_image_token'] === undefined
        ? one('image', 'each', row['output_cost_per_image'] ?? row['input_cost_per_image'], 1)
        : []
    case 'audio_stt':
      return one('audio_second', 'minute', row['input_cost_per_second'], 60)
    case 'audio_tts':
      return one('character', 'million', row['input_cost_per_character'], 1_000_000)
    case 'video': {
      const second = row['output_cost_per_video_per_second'] ?? row['output_cost_per_second']
      return one('video_second', 'each', second, 1)
    }
    default:
      return []
  }
}

/**
 * Prices of a second by its size, where the third source tells that they differ, in cents: never less
 * than the first source's one price. What is told of a size holds for the same size upright.
 */
export function videoLines(base: Card, row: Row): Card {
  const least = basePrice(base, 'video_second')
  const units = rowOf(rowOf(rowOf(row['pricing_config'])['pay_as_you_go'])['additional_units'])
  const prices = new Map<string, string>()
  for (const [name, unit] of Object.entries(units)) {
    const [, width, height] = /^video_duration_seconds_(\d+)_(\d+)$/.exec(name) ?? []
    const told = priceOf(rowOf(unit)['price'], 1 / 100)
    if (width === undefined || height === undefined || told === null) continue
    const price = Number(least ?? 0) > Number(told) ? (least ?? told) : told
    for (const size of [`${width}x${height}`, `${height}x${width}`]) prices.set(size, price)
  }
  return [...prices.values()].every((price) => price === least)
    ? base
    : [...prices].map(([size, price]) => ({
        meter: `video_second:${size}`,
        unit: 'each',
        price,
      }))
}

function line(meter: Meter, row: Row, names: readonly string[], inputAbove: number | null): Card {
  const price = priceOf(names.map((name) => row[name]).find(textOf), 1_000_000)
  if (price === null) return []
  return [
    { meter, unit: 'million', price, ...(inputAbove === null ? {} : { when: { inputAbove } }) },
  ]
}

/** What a vendor takes for calls of tools that it runs, by its own price list, in dollars. */
const toolPrices = {
  anthropic: { web_search: '0.01' },
  openai: { web_search: '0.01', code_interpreter: '0.03' },
} as const

/** A model as far as it decides on what its vendor's tools cost. */
interface ToolSeller {
  readonly owner: string
  readonly vendorModel: string
  readonly type: ModelType
  readonly row: Row
  readonly reasons: boolean
}

/**
 * What calls of tools cost that the vendor runs, beside the tokens of an answer. Where a source says
 * which models have them the others get no price: coding clients offer a search to every model, and
 * one without it would refuse them.
 */
export function toolLines({ owner, vendorModel, type, row, reasons }: ToolSeller): Card {
  if (type !== 'chat') return []
  if (owner === 'anthropic') return eachOf(toolPrices.anthropic)
  if (owner === 'google') {
    // An alias moves on to models that are paid by the query; its price was one by the question.
    if (row['web_search_billing_unit'] !== 'per_query' && vendorModel.endsWith('-latest')) return []
    const told = rowOf(row['search_context_cost_per_query'])['search_context_size_medium']
    const price = priceOf(told, 1)
    return price === null ? [] : eachOf({ web_search: price })
  }
  if (owner !== 'openai' || row['supports_web_search'] !== true) return []
  return eachOf({ ...toolPrices.openai, web_search_preview: reasons ? '0.01' : '0.025' })
}

const eachOf = (prices: Readonly<Record<string, string>>): Card =>
  Object.entries(prices).map(([tool, price]) => ({ meter: `tool:${tool}`, unit: 'each', price }))

const costFields: Fields = [
  ['input', ['input']],
  ['cached_input', ['cache_read', 'cached_input']],
  ['cache_write_5m', ['cache_write', 'cached_write']],
  ['output', ['output']],
  ['input_audio', ['input_audio']],
  ['output_audio', ['output_audio']],
]

/** The card of a row of the second source, which counts in dollars per million tokens. */
export function modelsDevLines(fact: Row): Card {
  const cost = rowOf(fact['cost'])
  const at = (row: Row, inputAbove: number | null): Card =>
    costFields.flatMap(([meter, names]) => {
      const price = priceOf(names.map((name) => row[name]).find(textOf), 1)
      const when = inputAbove === null ? {} : { when: { inputAbove } }
      return price === null ? [] : [{ meter, unit: 'million' as const, price, ...when }]
    })
  const tiers = rowsOf(cost['tiers']).flatMap((tier) => {
    const size = wholeOf(rowOf(tier['tier'])['size'])
    return size === null ? [] : at(tier, size)
  })
  return [...at(cost, null), ...tiers]
}

/** Input and output of a row of the third source, which counts in cents per token. */
export function portkeyLines(row: Row): Card {
  const prices = rowOf(rowOf(row['pricing_config'])['pay_as_you_go'])
  const cents = (field: string) => priceOf(rowOf(prices[field])['price'], 1_000_000 / 100)
  const fields = [
    ['input', 'request_token'],
    ['output', 'response_token'],
  ] as const
  return fields.flatMap(([meter, field]) => {
    const price = cents(field)
    return price === null ? [] : [{ meter, unit: 'million' as const, price }]
  })
}

/** The price of a meter for calls of any size. */
export const basePrice = (lines: Card, meter: Meter): string | undefined =>
  lines.find((each) => each.meter === meter && each.when === undefined)?.price
