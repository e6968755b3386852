import type { ModelType, PriceLine } from '../../src/domain/model'
import { modelsDevLines } from './price-lines'
import { priceOf, rowOf, wordsOf, type Row } from './sources'

type Card = readonly PriceLine[]

/** What a piece costs by its vendor's own list, in dollars; no source prices music. */
const pieces: Readonly<Record<string, string>> = {
  'lyria-3-clip-preview': '0.04',
  'lyria-3-pro-preview': '0.08',
}

/** The type of a model that is heard, where the first source takes it for one of chat; null elsewhere. */
export function typeHeard(owner: string, vendorModel: string): ModelType | null {
  if (owner !== 'google') return null
  if (pieces[vendorModel] !== undefined) return 'music'
  return /-tts(?:-|$)/.test(vendorModel) ? 'audio_tts' : null
}

export function musicLines(vendorModel: string): Card {
  const price = pieces[vendorModel]
  return price === undefined ? [] : [{ meter: 'request', unit: 'each', price }]
}

/**
 * The card of a voice that the first source does not price, or prices as if it wrote: tokens of a
 * model that puts out nothing but audio are audio. The third source counts characters as tokens.
 */
export function spokenLines(fact: Row, other: Row): Card {
  if (wordsOf(rowOf(fact['modalities'])['output']).join() === 'audio')
    return modelsDevLines(fact).map((line) =>
      line.meter === 'output' ? { ...line, meter: 'output_audio' } : line,
    )
  const prices = rowOf(rowOf(other['pricing_config'])['pay_as_you_go'])
  const cents = other['voices'] === true ? rowOf(prices['request_token'])['price'] : null
  const price = priceOf(cents, 1_000_000 / 100)
  return price === null ? [] : [{ meter: 'character', unit: 'million', price }]
}

/** Models that the third source lists voice by voice, each once: `aura-2` of `aura-2-thalia-en`. */
export function voiceFamilies(owner: string, portkey: Row): ReadonlyMap<string, Row> {
  if (owner !== 'deepgram') return new Map()
  const families = Object.entries(portkey).flatMap(([name, row]) => {
    const family = /^(aura(?:-\d+)?)-[a-z]+-[a-z]{2}$/.exec(name)?.[1]
    return family === undefined ? [] : [[family, { ...rowOf(row), voices: true }] as const]
  })
  return new Map(families)
}
