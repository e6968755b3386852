import { isFields } from '../../json/fields'
import { isParseable } from '../../json/parse-cost'

const usual = '{"type":"'
const head = /^\s*\{\s*(?:"event_id"\s*:\s*"[^"\\]*"\s*,\s*)?"type"\s*:\s*"([a-z_.]+)"\s*[,}]/

/**
 * The type of a server's event (openai/openai-openapi `RealtimeServerEvent`, 2.3.0 of 2026-08-21). Most are
 * pieces of sound, whose beginning says it all: only an event
 * that begins in no known way is parsed for it. Null when it has none.
 */
export function eventTypeOf(frame: string): string | null {
  if (frame.startsWith(usual)) return frame.slice(usual.length, frame.indexOf('"', usual.length))
  const named = head.exec(frame)?.[1]
  if (named !== undefined) return named
  const type = eventOf(frame)?.['type']
  return typeof type === 'string' ? type : null
}

/** An event as an object; null when it is none, or takes too long to parse. */
export function eventOf(frame: string): Record<string, unknown> | null {
  if (!isParseable(frame)) return null
  try {
    const event: unknown = JSON.parse(frame)
    return isFields(event) ? event : null
  } catch {
    return null
  }
}

const delta = /"delta"\s*:\s*"/

/** Characters of the `delta` of an event as they are written; none where it has none. */
export function deltaChars(frame: string): number {
  const found = delta.exec(frame)
  if (found === null) return 0
  const start = found.index + found[0].length
  let end = frame.indexOf('"', start)
  while (end > start && frame[end - 1] === '\\') end = frame.indexOf('"', end + 1)
  return end < 0 ? frame.length - start : end - start
}
