import type { PriceUnit } from '../../../domain/model'
import { publicPrices, type PublicPrice } from '../../../gateway/metering/public-prices'
import { useMeterWords } from '../../meter-words'

/** Dollars as decimal strings, by the keys of the public object. */
export type Pricing = Readonly<Record<string, string>>

/** Key of a price, taken apart. */
interface PriceKey {
  readonly meter: string
  readonly unit: PriceUnit
  /** The price holds above so many input tokens; null for any number. */
  readonly above: number | null
}

/** Keys without a size, quality or tool of their own. */
export const plainPriceKeys: Readonly<Record<string, PublicPrice>> = publicPrices

/** Parts of a price key; null for one that this build does not know. */
export function readPriceKey(key: string): PriceKey | null {
  const [, base = key, size, thousands] = /^(.*)_above_(\d{1,9})(k?)$/.exec(key) ?? []
  const above = size === undefined ? null : Number(size) * (thousands === 'k' ? 1000 : 1)
  const [, name = '', variant, served] = /^([^:@]*)(?::(.+)|@(.+))?$/.exec(base) ?? []
  if (name === 'per_tool' && variant !== undefined)
    return { meter: `tool:${variant}`, unit: 'each', above }
  const known = plainPriceKeys[name]
  if (known === undefined) return null
  const { meter, unit } = known
  const part = served === undefined ? variant && `:${variant}` : `@${served}`
  return { meter: `${meter}${part ?? ''}`, unit, above }
}

/** Keys that stand for a price of their own: beside sizes a plain one repeats the dearest of them. */
export const ownKeys = (pricing: Pricing): readonly string[] =>
  Object.keys(pricing).filter(
    (key) =>
      key.includes(':') ||
      plainPriceKeys[key]?.meter.startsWith('tool:') === true ||
      !Object.keys(pricing).some(
        (other) => other.startsWith(`${key}:`) && pricing[other] === pricing[key],
      ),
  )

/** The two price keys that say most of a model. */
export const mainKeys = (pricing: Pricing): readonly string[] =>
  ownKeys(pricing)
    .filter((key) => !/_above_|@/.test(key))
    .slice(0, 2)

const unitCounts = { million: 1e6, minute: 60, each: 1 } as const
const decimals = 12

/**
 * Price of one unit of a meter in the unit that people know it by.
 * @returns the key of such a price, and its dollars
 */
export function inUsualUnit(meter: string, usd: string): { key: string; usd: string } | null {
  const [base] = meter.split(':')
  const [key, known] =
    Object.entries(plainPriceKeys).find((each) => each[1].meter === meter) ??
    Object.entries(plainPriceKeys).find((each) => each[1].meter === base) ??
    []
  if (key === undefined || known === undefined) return null
  const price = Number(usd) * unitCounts[known.unit]
  return { key, usd: price.toFixed(decimals).replace(/\.?0+$/, '') }
}

/** Prices as they are typed for a new model of a type, before others are added. */
export const usualKeys: Readonly<Record<string, readonly string[]>> = {
  chat: ['input_per_million', 'output_per_million'],
  embedding: ['input_per_million'],
  image: ['per_image'],
  audio_stt: ['per_minute'],
  audio_tts: ['per_million_characters'],
  video: ['per_second'],
  music: ['per_request'],
  moderation: ['per_request'],
}

/** Share by which one decimal is above another; null where there is nothing to compare. */
export function shareAbove(first: string | undefined, second: string | undefined): number | null {
  if (first === undefined || second === undefined || Number(first) === 0) return null
  return Number(second) / Number(first) - 1
}

/** A price in words. */
interface PriceWords {
  readonly name: string
  /** Its size, quality or tool, as the interface names it. */
  readonly variant: string | null
  readonly unit: string
  /** Input tokens from which it holds; null for any. */
  readonly above: number | null
}

/** Prices in words, by their keys. */
export function usePriceWords(): (key: string) => PriceWords {
  const { meter, unit } = useMeterWords()
  return (key) => {
    const read = readPriceKey(key)
    if (read === null) return { name: key, variant: null, unit: '', above: null }
    return { ...meter(read.meter), unit: unit(read.meter, read.unit), above: read.above }
  }
}
