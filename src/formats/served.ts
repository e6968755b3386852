import type { Usage } from '../domain/usage'
import type { Fields } from '../json/fields'

/**
 * Members in which vendors say by which tier, at which speed and where they served a call: `service_tier` of chat,
 * Responses and Messages, `speed` and `inference_geo` of Messages (@anthropic-ai/sdk 1.14.0, `Usage`), `trafficType`
 * and `serviceTier` of Google (@google/genai 3.3.0).
 */
const members: Readonly<Record<string, string>> = {
  service_tier: 'service_tier',
  speed: 'speed',
  inference_geo: 'inference_geo',
  trafficType: 'traffic_type',
  serviceTier: 'service_tier',
}
const names = Object.keys(members)

/** Words for what a card is the price of. */
const ordinary: ReadonlySet<string> = new Set([
  '',
  'auto',
  'default',
  'global',
  'not_available',
  'on_demand',
  'standard',
  'traffic_type_unspecified',
  'unspecified',
])

/** A longer one is no word of a format. */
const word = /^[a-z0-9_.-]{1,32}$/

/**
 * Usage with what its vendor says that it served, where that is out of the ordinary: it may have another price than
 * the card has.
 * @param raws parts of the vendor's answer that may say so
 */
export function withServed(
  usage: Usage | null,
  ...raws: readonly Readonly<Fields>[]
): Usage | null {
  if (usage === null) return null
  let served: Set<string> | null = null
  for (const raw of raws)
    for (const name of names) {
      const value = raw[name]
      if (typeof value !== 'string') continue
      const said = value.toLowerCase()
      if (!ordinary.has(said))
        (served ??= new Set()).add(`${members[name]} ${word.test(said) ? said : 'other'}`)
    }
  return served === null ? usage : { ...usage, served: [...served] }
}
