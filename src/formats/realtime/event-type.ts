import { isFields } from '../chat/wire'

const usual = '{"type":"'
const head = /^\s*\{\s*(?:"event_id"\s*:\s*"[^"\\]*"\s*,\s*)?"type"\s*:\s*"([a-z_.]+)"\s*[,}]/

/**
 * The type of a server's event. Most are pieces of sound, whose beginning says it all: only an event
 * that begins in no known way is parsed for it. Null when it has none.
 */
export function eventTypeOf(frame: string): string | null {
  if (frame.startsWith(usual)) return frame.slice(usual.length, frame.indexOf('"', usual.length))
  const named = head.exec(frame)?.[1]
  if (named !== undefined) return named
  const type = eventOf(frame)?.['type']
  return typeof type === 'string' ? type : null
}

/** An event as an object; null when it is none. */
export function eventOf(frame: string): Record<string, unknown> | null {
  try {
    const event: unknown = JSON.parse(frame)
    return isFields(event) ? event : null
  } catch {
    return null
  }
}

const deltaMark = '"delta":'

/** Characters of the `delta` of an event, which is its last member: near enough to count by. */
export function deltaChars(frame: string): number {
  const at = frame.indexOf(deltaMark)
  return at < 0 ? 0 : Math.max(0, frame.length - at - deltaMark.length - '""}'.length)
}
