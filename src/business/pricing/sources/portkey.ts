import type { ModelFamily } from '../../../domain/model'
import type { Meter } from '../../../domain/usage'
import { rowOf, type Row } from './rows'
import { toldPrice, type ReportedPrice } from './told-price'

/*
 * Portkey's models: a file for each vendor, in cents per token.
 * https://github.com/Portkey-AI/models, README, August 2026.
 */

type Told = readonly ReportedPrice[]
type Fields = readonly (readonly [Meter, string])[]

const dollarsPerCent = 1 / 100
const centsPerToken = 1_000_000 / 100

const textFields: Fields = [
  ['input', 'request_token'],
  ['output', 'response_token'],
]
/** Those of caches are swapped here and there. */
const spokenFields: Fields = [
  ...textFields,
  ['input_audio', 'request_audio_token'],
  ['output_audio', 'response_audio_token'],
  ['input_image', 'request_image_token'],
]

/** A model's row; prices of some videos stand under the name of their shorter prompts. */
export const portkeyRow = (file: Row, vendorModel: string): Row =>
  rowOf(file[vendorModel] ?? file[`${vendorModel}-lte-128k`])

/** Prices of a row of Portkey's files, as far as the source is to be trusted with them. */
export function portkeyPrices(row: Row, family: ModelFamily): Told {
  const paid = rowOf(rowOf(row['pricing_config'])['pay_as_you_go'])
  const tokens = (fields: Fields) =>
    fields.flatMap(([meter, field]) =>
      toldPrice(rowOf(paid[field])['price'], centsPerToken, { meter, unit: 'million' }),
    )
  switch (family) {
    case 'chat':
      return tokens(textFields)
    case 'realtime':
      return tokens(spokenFields)
    case 'embedding':
      return tokens(textFields.slice(0, 1))
    case 'audio_tts':
      // It counts characters of voices as tokens.
      return row['voices'] === true
        ? toldPrice(rowOf(paid['request_token'])['price'], centsPerToken, {
            meter: 'character',
            unit: 'million',
          })
        : []
    case 'video':
      return videoPrices(rowOf(paid['additional_units']))
    default:
      return []
  }
}

/** Of a second by its size; what is told of a size holds for the same size upright. */
function videoPrices(units: Row): Told {
  const prices = new Map<Meter, Told>()
  for (const [name, unit] of Object.entries(units)) {
    const [, width, height] = /^video_duration_seconds_(\d+)_(\d+)$/.exec(name) ?? []
    if (width === undefined || height === undefined) continue
    for (const size of [`${width}x${height}`, `${height}x${width}`]) {
      const meter: Meter = `video_second:${size}`
      prices.set(meter, toldPrice(rowOf(unit)['price'], dollarsPerCent, { meter, unit: 'each' }))
    }
  }
  return [...prices.values()].flat()
}

/** Models that it lists voice by voice, each once: `aura-2` of `aura-2-thalia-en`. */
export function voiceFamilies(vendor: string, file: Row): ReadonlyMap<string, Row> {
  if (vendor !== 'deepgram') return new Map()
  const families = Object.entries(file).flatMap(([name, row]) => {
    const family = /^(aura(?:-\d+)?)-[a-z]+-[a-z]{2}$/.exec(name)?.[1]
    return family === undefined ? [] : [[family, { ...rowOf(row), voices: true }] as const]
  })
  return new Map(families)
}
