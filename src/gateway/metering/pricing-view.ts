import type { ModelType, PriceCard, PriceLine, PriceUnit } from '../../domain/model'
import {
  countedMeter,
  isTokenMeter,
  servedMeter,
  speakerSeconds,
  variantMeters,
  type Meter,
} from '../../domain/usage'
import { hostedTool, toolName, type ToolMeter } from '../formats/hosted-tools'
import { Exact, unitsIn } from './price-card'
import { publicPrices, type PublicPrice } from './public-prices'

/** Key of a tool that has none of its own, with its name behind: `per_tool:x_search`. */
const toolKey = 'per_tool'

/** Names of prices, as a list for people. */
export const priceKeys: readonly string[] = [...Object.keys(publicPrices), `${toolKey}:NAME`]

type PublicPriceKey = keyof typeof publicPrices

const entries: readonly (readonly [string, PublicPrice])[] = Object.entries(publicPrices)

/**
 * The public `pricing` object: decimal strings in dollars, without an exponent. A price that holds
 * above a threshold of input tokens has the threshold in its key: `input_per_million_above_200k`;
 * one of a size or quality has that: `per_image:high 1024x1024`, beside the plain key with the dearest
 * of them. Tools without a key of their own are `per_tool:NAME`. What a vendor bills for a tier, speed or region of
 * its own has that behind an `@`: `input_per_million@priority`.
 */
export function pricingView(card: PriceCard): Record<string, string> {
  const lines = card.lines.toSorted((a, b) => (a.when?.inputAbove ?? 0) - (b.when?.inputAbove ?? 0))
  const view: Record<string, string> = {}
  for (const [key, { meter, unit }] of entries) {
    const dearest = dearestVariant(lines, meter)
    if (dearest !== null) view[key] = priceIn(dearest, unit)
    for (const line of lines)
      if (isOf(line, meter))
        view[key + line.meter.slice(meter.length) + above(line)] = priceIn(line, unit)
  }
  for (const line of lines)
    if (line.meter.startsWith('tool:') && !entries.some(([, { meter }]) => isOf(line, meter)))
      view[toolKey + line.meter.slice('tool'.length) + above(line)] = priceIn(line, 'each')
  return view
}

/** @returns null for a meter that is not priced by variants, or has a plain price too */
function dearestVariant(lines: readonly PriceLine[], meter: Meter): PriceLine | null {
  if (!variantMeters.some((each) => each === meter)) return null
  const variants = lines.filter((line) => isOf(line, meter))
  if (variants.some((line) => line.meter === meter)) return null
  const perUnit = ({ price, unit }: PriceLine) => new Exact(price).div(unitsIn[unit])
  const [first, ...others] = variants
  if (first === undefined) return null
  return others.reduce((most, line) => (perUnit(line).gt(perUnit(most)) ? line : most), first)
}

const isOf = (line: PriceLine, meter: Meter): boolean =>
  countedMeter(line.meter) === meter || line.meter.startsWith(`${meter}:`)

/** Decimals of a price shown in another unit than its own, where it would never end. */
const shownDecimals = 12

function priceIn({ price, unit }: PriceLine, wanted: PriceUnit): string {
  if (unit === wanted) return plain(price)
  const shown = new Exact(price).times(unitsIn[wanted]).div(unitsIn[unit])
  return shown.toDecimalPlaces(shownDecimals, Exact.ROUND_UP).toFixed()
}

function above({ when }: PriceLine): string {
  if (when === undefined) return ''
  const { inputAbove } = when
  return `_above_${inputAbove % 1000 === 0 ? `${inputAbove / 1000}k` : inputAbove}`
}

const plain = (price: string): string => new Exact(price).toFixed()

/** Usual unit of prices by type of model, and its key. */
const units: Readonly<Record<ModelType, { readonly name: string; readonly key: PublicPriceKey }>> =
  {
    chat: { name: 'million_tokens', key: 'input_per_million' },
    embedding: { name: 'million_tokens', key: 'input_per_million' },
    image: { name: 'image', key: 'per_image' },
    audio_stt: { name: 'minute', key: 'per_minute' },
    audio_tts: { name: 'million_characters', key: 'per_million_characters' },
    video: { name: 'second', key: 'per_second' },
    music: { name: 'request', key: 'per_request' },
    moderation: { name: 'request', key: 'per_request' },
  }

/** Usual unit of a model's prices: tokens, where it lacks its type's own unit. */
export function pricingUnit(type: ModelType, card: PriceCard): string {
  const { name, key } = units[type]
  const { meter } = publicPrices[key]
  return card.lines.some((line) => isOf(line, meter)) ? name : 'million_tokens'
}

/**
 * The line that a key of the public object stands for, as `pricingView` writes keys.
 * @throws RangeError naming the key, when it is none or its price is no number from 0
 */
export function priceLine(text: string, price: string): PriceLine {
  const [, key = text, size, thousands] = /^(.*)_above_(\d{1,9})(k?)$/.exec(text) ?? []
  const [, plainKey = key, served] =
    /^(\w+)@([a-z0-9_.-]{1,32}(?:\+[a-z0-9_.-]{1,32}){0,3})$/.exec(key) ?? []
  const [, name, variant] = /^([^:]*)(?::(\S+(?: \S+){0,4}))?$/.exec(plainKey) ?? []
  const known = entries.find(([each]) => each === name)?.[1]
  const meter =
    name === toolKey
      ? toolMeter(variant)
      : known === undefined
        ? null
        : servedOf(variantOf(known.meter, variant), served)
  if (meter === null)
    throw new RangeError(`no price is called ${text}; there are: ${priceKeys.join(', ')}`)
  if (!/^\d+(\.\d+)?([eE][+-]?\d+)?$/.test(price))
    throw new RangeError(`the price ${text} must be a decimal number from 0, not ${price}`)
  const line = { meter, unit: known?.unit ?? 'each', price: plain(price) } as const
  return size === undefined
    ? line
    : { ...line, when: { inputAbove: Number(size) * (thousands === 'k' ? 1000 : 1) } }
}

/** Meter of a tier, speed or region. @returns null for what costs the same however it is served */
function servedOf(meter: Meter | null, served: string | undefined): Meter | null {
  if (meter === null || served === undefined) return meter
  return isTokenMeter(meter) ? servedMeter(meter, served.split('+')) : null
}

/** @returns null for a variant that is never counted */
function variantOf(meter: Meter, variant: string | undefined): Meter | null {
  if (variant === undefined) return meter
  if (meter.startsWith('tool:')) return toolMeter(`${meter.slice('tool:'.length)}:${variant}`)
  if (meter === 'audio_second') return variant === 'diarized' ? speakerSeconds : null
  const base = variantMeters.find((each) => each === meter)
  return base === undefined || !/^\S+(?: \S+)?$/.test(variant) ? null : `${base}:${variant}`
}

/** Tools with prices of their own for variants, and how these look. */
const toolVariants: Readonly<Record<string, RegExp>> = {
  code_interpreter: /^\d+g$/,
  shell: /^\d+g$/,
  image_generation: /^\S+(?: \S+){0,4}$/,
  web_search: /^(?:low|medium|high)$/,
  web_search_preview: /^(?:low|medium|high)$/,
}

/** @param text NAME or NAME:VARIANT @returns null for a tool that is never counted */
function toolMeter(text = ''): ToolMeter | null {
  const [, type = '', variant] = /^([a-z]\w*)(?::(.+))?$/.exec(text) ?? []
  const name = toolName(type)
  // A shell is the vendor's in a container.
  if (name === '' || hostedTool({ type: name, environment: {} }) === null) return null
  if (variant === undefined) return `tool:${name}`
  return toolVariants[name]?.test(variant) === true ? `tool:${name}:${variant}` : null
}
