import { plus, zeroUsd, type NanoUsd } from './money'

/**
 * Meters that may have a price of their own for each size and quality: `image:high 1024x1024`,
 * `video_second:1280x720`.
 */
export const variantMeters = ['image', 'video_second'] as const
export type VariantMeter = (typeof variantMeters)[number]

/** Pictures shown before they are done, where pictures are sold by the piece. */
export const partialPicture = 'image:partial'

/** Seconds of a recording that is written down speaker by speaker, where that has a price of its own. */
export const speakerSeconds = 'audio_second:diarized'

/**
 * Price of a meter for calls that a vendor says it served by a tier, at a speed or in a region of its own, such as
 * `input@priority`; several of them are named in order, `input@fast+us`. Cost cards alone have it, and no call is
 * counted by it.
 */
type ServedMeter = `${string}@${string}`

/**
 * One counted thing. Buckets are disjoint: `input` is what was neither read from nor written to a
 * cache and is neither audio nor image; `output` holds reasoning, since vendors bill it as output.
 */
export type Meter =
  | 'input'
  | 'cached_input'
  | 'cache_write_5m'
  | 'cache_write_1h'
  | 'output'
  | 'input_audio'
  | 'cached_input_audio'
  | 'output_audio'
  | 'input_image'
  | 'cached_input_image'
  | 'output_image'
  | VariantMeter
  | `${VariantMeter}:${string}`
  | 'audio_second'
  | typeof speakerSeconds
  | 'character'
  | 'request'
  | `tool:${string}`
  | ServedMeter

/** Units per meter; absent means none. Whole numbers, but for seconds. */
export type Units = Readonly<Partial<Record<Meter, number>>>

/** Usage of a call in normal form: disjoint units, and what they tell besides. */
export interface Usage {
  readonly units: Units
  /** Part of `output` that was reasoning; told, not priced apart. */
  readonly reasoning: number
  /** True when counted by us because the vendor did not tell. */
  readonly estimated: boolean
  /** Vendor's own figure of its bill; never what a customer pays. */
  readonly billed?: NanoUsd
  /** Tiers, speeds and regions out of the ordinary that the vendor says it served, such as `service_tier priority`. */
  readonly served?: readonly string[]
}

/** Meter of a price as calls are counted by it: `input` of `input@priority`. */
export const countedMeter = (meter: Meter): Meter => {
  const end = meter.indexOf('@')
  return end < 0 ? meter : (meter.slice(0, end) as Meter)
}

/** Meter of the price for calls that were served so. @param served as of `Usage` */
export const servedMeter = (meter: Meter, served: readonly string[]): ServedMeter =>
  `${meter}@${served.map(servedName).toSorted().join('+')}`

/** `priority` of `service_tier priority`, and of Google's `traffic_type on_demand_priority`. */
const servedName = (word: string): string => word.replace(/^\w+ (?:on_demand_)?/, '')

/** Usage of nothing. */
export const noUsage: Usage = { units: {}, reasoning: 0, estimated: false }

/** Usage of a vendor that tells none, counted by us. */
export const estimatedUsage = (input: number, output: number): Usage => ({
  units: { input, output },
  reasoning: 0,
  estimated: true,
})

const inputMeters = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'input_audio',
  'cached_input_audio',
  'input_image',
  'cached_input_image',
] as const satisfies readonly Meter[]
const cachedMeters = [
  'cached_input',
  'cached_input_audio',
  'cached_input_image',
] as const satisfies readonly Meter[]
const outputMeters = ['output', 'output_audio', 'output_image'] as const satisfies readonly Meter[]

const tokenMeters: ReadonlySet<Meter> = new Set<Meter>([...inputMeters, ...outputMeters])

/** Whether what this meter counts are tokens. */
export const isTokenMeter = (meter: Meter): boolean => tokenMeters.has(meter)

const sum = (units: Units, meters: readonly Meter[]): number => {
  let total = 0
  for (const meter of meters) total += units[meter] ?? 0
  return total
}

/** All tokens that went in, cached or not. */
export const inputTokens = (usage: Usage): number => sum(usage.units, inputMeters)
/** All tokens that came out, reasoning included. */
export const outputTokens = (usage: Usage): number => sum(usage.units, outputMeters)
/** Tokens that were read from a cache. */
export const cachedTokens = (usage: Usage): number => sum(usage.units, cachedMeters)

const wider: Partial<Record<Meter, readonly Meter[]>> = {
  cached_input: ['input'],
  cache_write_5m: ['input'],
  cache_write_1h: ['cache_write_5m', 'input'],
  input_audio: ['input'],
  // Vendors discount a cache whatever is in it: only without a price of caches it is like the rest of its kind.
  cached_input_audio: ['cached_input', 'input_audio', 'input'],
  input_image: ['input'],
  cached_input_image: ['cached_input', 'input_image', 'input'],
  output_audio: ['output'],
  output_image: ['output'],
}

const noMeters: readonly Meter[] = []

/** Meters of which the first that has a price gives it to one that has none of its own. */
export const widerMeters = (meter: Meter): readonly Meter[] => wider[meter] ?? noMeters

/** All tokens that went in, by units alone. */
export const inputUnits = (units: Units): number => sum(units, inputMeters)
/** All tokens that came out, by units alone. */
export const outputUnits = (units: Units): number => sum(units, outputMeters)

const goesIn: ReadonlySet<Meter> = new Set<Meter>(inputMeters)

/** Whether what this meter counts are tokens that went in. */
export const isInputMeter = (meter: Meter): boolean => goesIn.has(meter)

/** Sum of reported usages; null where one was not reported. */
export function addReported(told: readonly (Usage | null)[]): Usage | null {
  const known = told.filter((usage) => usage !== null)
  return known.length === told.length ? addUsages(known) : null
}

/** Sum of the usages of several parts of one call. */
export function addUsages(usages: readonly Usage[]): Usage {
  const units: Partial<Record<Meter, number>> = {}
  let reasoning = 0
  let estimated = false
  for (const usage of usages) {
    for (const [meter, count] of Object.entries(usage.units) as [Meter, number][])
      units[meter] = (units[meter] ?? 0) + count
    reasoning += usage.reasoning
    estimated ||= usage.estimated
  }
  const billed = usages.flatMap((usage) => usage.billed ?? [])
  const served = [...new Set(usages.flatMap((usage) => usage.served ?? []))]
  const sum = { units, reasoning, estimated, ...(served.length > 0 && { served }) }
  return billed.length === 0 || billed.length < usages.length
    ? sum
    : { ...sum, billed: billed.reduce(plus, zeroUsd) }
}
