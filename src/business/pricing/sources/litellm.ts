import type { ModelFamily, PriceLine } from '../../../domain/model'
import { servedMeter, type Meter } from '../../../domain/usage'
import { Exact } from '../../../gateway/metering/price-card'
import { rowOf, rowsOf, stringOf, wholeOf, type Row } from './rows'
import { priceReported, toldPrice, type ReportedPrice } from './told-price'

/*
 * LiteLLM's map: rows by `vendor/model` or `model`, in dollars per token, second, character or piece.
 * https://github.com/BerriAI/litellm, model_prices_and_context_window.json, August 2026.
 */

type Told = readonly ReportedPrice[]
type Fields = readonly (readonly [Meter, readonly string[]])[]

/** Dollars per token; the first field that is there counts. */
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

/**
 * Same for models that speak. Some are named oddly: a token of a picture as a picture, and for the
 * elder models the reading of cached sound as its writing.
 */
const spokenFields: Fields = [
  ['input', ['input_cost_per_token']],
  ['cached_input', ['cache_read_input_token_cost']],
  ['output', ['output_cost_per_token']],
  ['input_audio', ['input_cost_per_audio_token']],
  [
    'cached_input_audio',
    ['cache_read_input_audio_token_cost', 'cache_creation_input_audio_token_cost'],
  ],
  ['output_audio', ['output_cost_per_audio_token']],
  ['input_image', ['input_cost_per_image']],
]

/** Which of them a family can use at all. */
const metersOf: Readonly<Partial<Record<ModelFamily, readonly Meter[]>>> = {
  chat: tokenFields.map(([meter]) => meter).filter((meter) => !meter.endsWith('_image')),
  embedding: ['input'],
  image: ['input', 'cached_input', 'output', 'input_image', 'output_image'],
  audio_stt: ['input', 'input_audio', 'output'],
  audio_tts: ['input', 'output_audio'],
}

const thresholds = [128, 200, 256, 272, 512]
const perMillion = 1_000_000

/** Rows by vendor and the vendor's own name of a model; of two the first counts. */
export function litellmRows(map: Row): ReadonlyMap<string, ReadonlyMap<string, Row>> {
  const vendors = new Map<string, Map<string, Row>>()
  for (const [name, raw] of Object.entries(map)) {
    const row = rowOf(raw)
    const vendor = stringOf(row['litellm_provider']) ?? ''
    const model = name.startsWith(`${vendor}/`) ? name.slice(vendor.length + 1) : name
    const rows = vendors.get(vendor)
    if (rows === undefined) vendors.set(vendor, new Map([[model, row]]))
    else if (!rows.has(model)) rows.set(model, row)
  }
  return vendors
}

/** Prices of a row of LiteLLM's cost map. */
export function litellmPrices(row: Row, family: ModelFamily): Told {
  if (family === 'realtime')
    return spokenFields.flatMap(([meter, names]) => tokenPrice(meter, row, names, null))
  const pieces = piecePrices(row, family)
  if (pieces.length > 0) return pieces
  const wanted = metersOf[family] ?? []
  const fields = tokenFields.filter(([meter]) => wanted.includes(meter))
  const tiered = rowsOf(row['tiered_pricing'])
  if (tiered.length > 0)
    return tiered.flatMap((tier) => {
      const from = Array.isArray(tier['range']) ? wholeOf(tier['range'][0]) : null
      return fields.flatMap(([meter, names]) => tokenPrice(meter, tier, names, from))
    })
  const plain = fields.flatMap((field) => sizedPrices(row, field, ''))
  const tiers = serviceTiers.filter((tier) => row[`input_cost_per_token_${tier}`] !== undefined)
  return [
    ...plain,
    ...tiers.flatMap((tier) => fields.flatMap((field) => tierPrices(row, field, tier))),
    ...timesFactors(row, plain),
  ]
}

/** Tiers with prices of their own, as vendors call them in `service_tier`. */
const serviceTiers = ['priority', 'flex']

/** Prices of a meter for calls of any size, and of more than so many input tokens. @param tier end of the fields' names */
const sizedPrices = (row: Row, [meter, names]: Fields[number], tier: string): Told => [
  ...tokenPrice(
    meter,
    row,
    names.map((name) => name + tier),
    null,
  ),
  ...thresholds.flatMap((thousands) =>
    tokenPrice(
      meter,
      row,
      names.map((name) => `${name}_above_${thousands}k_tokens${tier}`),
      thousands * 1000,
    ),
  ),
]

/** Prices of a tier; one like the usual price stands where the source knows none (its rows of Gemini, 2026-08). */
function tierPrices(row: Row, field: Fields[number], tier: string): Told {
  const usual = new Map(sizedPrices(row, field, '').map((told) => [told.when?.inputAbove, told]))
  return sizedPrices(row, field, `_${tier}`).flatMap((told) =>
    told.price === usual.get(told.when?.inputAbove)?.price
      ? []
      : { ...told, meter: servedMeter(told.meter, [tier]) },
  )
}

/** Factors of Anthropic on every price of tokens: `speed` and `inference_geo`, as it calls them. */
const factorNames = ['fast', 'us']

function timesFactors(row: Row, plain: Told): Told {
  if (row['litellm_provider'] !== 'anthropic') return []
  const factors = rowOf(row['provider_specific_entry'])
  return factorNames.flatMap((name) => {
    const factor = priceReported(factors[name], 1)
    if (factor === null || factor === undefined) return []
    return plain.map((told) => ({
      ...told,
      meter: servedMeter(told.meter, [name]),
      price: told.price === null ? null : new Exact(told.price).times(factor).toFixed(),
    }))
  })
}

const tokenPrice = (
  meter: Meter,
  row: Row,
  names: readonly string[],
  inputAbove: number | null,
): Told => {
  const name = names.find((each) => row[each] !== undefined && row[each] !== null)
  if (name === undefined) return []
  return toldPrice(row[name], perMillion, { meter, unit: 'million', inputAbove })
}

/** Prices by the second, character or picture; a row with prices by the token has none. */
function piecePrices(row: Row, family: ModelFamily): Told {
  const one = (meter: Meter, unit: PriceLine['unit'], value: unknown, times: number) =>
    toldPrice(value, times, { meter, unit })
  switch (family) {
    case 'image':
      return row['output_cost_per_image_token'] === undefined
        ? one('image', 'each', row['output_cost_per_image'] ?? row['input_cost_per_image'], 1)
        : []
    case 'audio_stt':
      return one('audio_second', 'minute', row['input_cost_per_second'], 60)
    case 'audio_tts':
      return one('character', 'million', row['input_cost_per_character'], perMillion)
    case 'video': {
      const second = row['output_cost_per_video_per_second'] ?? row['output_cost_per_second']
      return one('video_second', 'each', second, 1)
    }
    default:
      return []
  }
}
