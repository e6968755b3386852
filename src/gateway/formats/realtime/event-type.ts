import { isFields } from '../../json/fields'
import { isParseable } from '../../json/parse-cost'

const usual = '{"type":"'
const head = /^\s*\{\s*(?:"event_id"\s*:\s*"[^"\\]*"\s*,\s*)?"type"\s*:\s*"([a-z_.]+)"\s*[,}]/

/** A head that is not whole by then has blanks without end. */
const headLetters = 1024
/** Events that are read hold words and counts: sound and pictures are in others. */
const maxParsedLetters = 4 * 1024 * 1024

/**
 * The type of a server's event (openai/openai-openapi `RealtimeServerEvent`, 2.3.0 of 2026-08-21). Most are
 * pieces of sound, whose beginning says it all: only an event
 * that begins in no known way is parsed for it. Null when it has none.
 */
export function eventTypeOf(frame: string): string | null {
  if (frame.startsWith(usual)) return frame.slice(usual.length, frame.indexOf('"', usual.length))
  const named = head.exec(frame.slice(0, headLetters))?.[1]
  if (named !== undefined) return named
  const type = eventOf(frame)?.['type']
  return typeof type === 'string' ? type : null
}

/** An event as an object; null when it is none, longer than that, or takes too long to parse. */
export function eventOf(
  frame: string,
  maxLetters = maxParsedLetters,
): Record<string, unknown> | null {
  if (frame.length > maxLetters || !isParseable(frame)) return null
  try {
    const event: unknown = JSON.parse(frame)
    return isFields(event) ? event : null
  } catch {
    return null
  }
}

/** Quotes in a piece of speech; with more of them the rest of the event is taken for it. */
const maxQuotes = 100_000

const delta = /"delta"\s*:\s*"/

/** Characters of the `delta` of an event as they are written; none where it has none. */
export function deltaChars(frame: string): number {
  const found = delta.exec(frame)
  if (found === null) return 0
  const start = found.index + found[0].length
  let end = frame.indexOf('"', start)
  for (let quotes = 0; end > start && frame[end - 1] === '\\'; quotes++) {
    if (quotes === maxQuotes) return frame.length - start
    end = frame.indexOf('"', end + 1)
  }
  return end < 0 ? frame.length - start : end - start
}
