import type { Usage } from '../../domain/usage'
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
 * @param first part of the vendor's answer that may say so
 */
export function withServed(
  usage: Usage | null,
  first: Readonly<Fields>,
  second?: Readonly<Fields>,
): Usage | null {
  if (usage === null) return null
  if (!saysOfService(first) && (second === undefined || !saysOfService(second))) return usage
  const served = new Set([...servedBy(first), ...(second === undefined ? [] : servedBy(second))])
  return served.size === 0 ? usage : { ...usage, served: [...served] }
}

/** Whether an answer says anything of it: mostly not, or that all was as usual. */
function saysOfService({
  service_tier: tier,
  speed,
  inference_geo: region,
  trafficType: traffic,
  serviceTier,
}: Readonly<Fields>): boolean {
  return (
    (tier !== undefined && tier !== 'default') ||
    speed !== undefined ||
    region !== undefined ||
    traffic !== undefined ||
    serviceTier !== undefined
  )
}

const servedBy = (raw: Readonly<Fields>): readonly string[] =>
  Object.entries(members).flatMap(([name, called]) => {
    const value = raw[name]
    const said = typeof value === 'string' ? value.toLowerCase() : ''
    return ordinary.has(said) ? [] : [`${called} ${word.test(said) ? said : 'other'}`]
  })
