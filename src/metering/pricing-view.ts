import { Decimal } from 'decimal.js'
import type { ModelType, PriceCard, PriceLine, PriceUnit } from '../domain/model'
import type { Meter } from '../domain/usage'

/** A key of the public `pricing` object, and the line it stands for. */
interface PublicPrice {
  readonly meter: Meter
  readonly unit: PriceUnit
}

/** Keys of the public `pricing` object; also what prices are called on the command line. */
export const publicPrices = {
  input_per_million: { meter: 'input', unit: 'million' },
  output_per_million: { meter: 'output', unit: 'million' },
  cached_input_per_million: { meter: 'cached_input', unit: 'million' },
  cache_write_per_million: { meter: 'cache_write_5m', unit: 'million' },
  cache_write_1h_per_million: { meter: 'cache_write_1h', unit: 'million' },
  input_audio_per_million: { meter: 'input_audio', unit: 'million' },
  output_audio_per_million: { meter: 'output_audio', unit: 'million' },
  input_image_per_million: { meter: 'input_image', unit: 'million' },
  output_image_per_million: { meter: 'output_image', unit: 'million' },
  per_image: { meter: 'image', unit: 'each' },
  per_minute: { meter: 'audio_second', unit: 'minute' },
  per_second: { meter: 'video_second', unit: 'each' },
  per_million_characters: { meter: 'character', unit: 'million' },
  per_request: { meter: 'request', unit: 'each' },
} as const satisfies Record<string, PublicPrice>

export type PublicPriceKey = keyof typeof publicPrices

/** The public `pricing` object: decimal strings in dollars, without an exponent. */
export function pricingView(card: PriceCard): Record<string, string> {
  const view: Record<string, string> = {}
  for (const [key, { meter, unit }] of Object.entries(publicPrices)) {
    const line = card.lines.find(
      (each) => each.meter === meter && each.unit === unit && each.when === undefined,
    )
    if (line !== undefined) view[key] = plain(line.price)
  }
  return view
}

const plain = (price: string): string => new Decimal(price).toFixed()

const unitNames: Record<ModelType, string> = {
  chat: 'million_tokens',
  embedding: 'million_tokens',
  image: 'image',
  audio_stt: 'minute',
  audio_tts: 'million_characters',
  video: 'second',
  music: 'request',
  moderation: 'request',
}

/** What most prices of a model are counted in. */
export const pricingUnit = (type: ModelType): string => unitNames[type]

/** @throws RangeError naming the key, when it is none or its price is no number from 0 */
export function priceLine(key: string, price: string): PriceLine {
  const known = Object.entries(publicPrices).find(([name]) => name === key)
  if (known === undefined)
    throw new RangeError(
      `no price is called ${key}; there are: ${Object.keys(publicPrices).join(', ')}`,
    )
  const { meter, unit } = known[1]
  if (!/^\d+(\.\d+)?([eE][+-]?\d+)?$/.test(price))
    throw new RangeError(`the price ${key} must be a decimal number from 0, not ${price}`)
  return { meter, unit, price: plain(price) }
}
