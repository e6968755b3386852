import type { ModelType, PriceLine } from '../../src/domain/model'
import type { Row } from '../../src/business/pricing/sources/rows'
import { modelsDevLines, portkeyLines } from './price-lines'

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

/** The card of a voice that the first source does not price, or prices as if it wrote. */
export function spokenLines(fact: Row, other: Row): Card {
  const heard = modelsDevLines(fact, 'audio_tts')
  return heard.length > 0 ? heard : portkeyLines(other, 'audio_tts')
}
