import { yieldToLoop } from '../../domain/yield-to-loop'
import {
  quote,
  comma,
  colon,
  backslash,
  openBracket,
  closeBracket,
  openBrace,
  closeBrace,
} from './bytes'

/** Whatever a shorter text holds is parsed in a few milliseconds. */
export const harmlessBytes = 32_768
/** Nesting that no request needs: a JSON Schema with all its branches stays far below. */
const maxDepth = 512
/** Parse budget of a text; larger texts may take longer, since they are rarer. */
const maxNs = 45_000_000
const maxNsLarge = 80_000_000
const largeBytes = 4 * 1024 * 1024

/*
 * Parse cost of each kind of token on this runtime, in nanoseconds, measured on a text of a million of them:
 * the parser, and for names as much again where the object is checked, copied and edited. A name is
 * dear where an object gets a shape that no object had before, and a string where its letters were
 * not seen before.
 */
const newNameNs = 900
const knownNameNs = 20
const newStringNs = 250
const knownStringNs = 60
const longStringNs = 140
const valueNs = 25
/** An empty one costs as much as a full one. */
const containerNs = 90
/** To read one escape sequence, and to write it again. */
const escapeNs = 12
/** Shorter texts have no room for more escape sequences than are read in a few milliseconds. */
const fewEscapesBytes = 1024 * 1024

/** Strings up to here are told apart by their letters; longer ones are passed over natively. */
const shortStringBytes = 64

/** Names and strings seen, by their hashes. Shared: each count has a seed of its own. */
const seen = new Uint32Array(65_536)
const seeds = new Uint32Array(1)

/** Where strings of at least `minBytes` lie: from the opening quote to behind the closing one. */
export interface LongStrings {
  readonly minBytes: number
  readonly spans: { readonly from: number; readonly to: number }[]
}

/**
 * Estimates from its bytes what parsing a JSON text takes, slice by slice: a few megabytes of
 * brackets, of names or of short strings keep the parser busy for a second. Linear. Bytes that are no
 * JSON may get any answer.
 */
class ParseCost {
  readonly #bytes: Buffer
  readonly #maxNs: number
  readonly #long: LongStrings | null
  readonly #seed: number
  /** Of each open object: a hash of the names it has so far, which is what gives it its shape. */
  readonly #shapes = new Uint32Array(maxDepth + 1)
  #at = 0
  #depth = 0
  /** Of the string that was read last. */
  #hash = 0
  /** Where the long string begins that is being passed over; -1 outside. */
  #longFrom = -1
  /** In that string so far. */
  #escapes = 0
  readonly #countsEscapes: boolean
  #ns = 0

  constructor(bytes: Uint8Array, long: LongStrings | null = null) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#maxNs = bytes.byteLength > largeBytes ? maxNsLarge : maxNs
    this.#long = long
    this.#countsEscapes = bytes.byteLength > fewEscapesBytes
    crypto.getRandomValues(seeds)
    this.#seed = (seeds[0] ?? 0) | 1
  }

  /** Nanoseconds so far. */
  get ns(): number {
    return this.#ns
  }

  /** Goes on for so many bytes. @returns whether there are more; null when parsing would take too long */
  scan(count: number): boolean | null {
    const bytes = this.#bytes
    const { length } = bytes
    const shapes = this.#shapes
    const until = Math.min(length, this.#at + count)
    let at = this.#at
    let depth = this.#depth
    let hash = this.#hash
    let ns = this.#ns
    for (; at < until; at++) {
      if (this.#longFrom >= 0) {
        at = this.#skip(at, until)
        if (this.#longFrom < 0) ns += this.#escapes * escapeNs
        if (ns > this.#maxNs) return null
        continue
      }
      const byte = bytes[at] ?? 0
      if (byte === quote) {
        const from = at
        const shortEnd = Math.min(length, from + shortStringBytes)
        hash = this.#seed
        for (at++; at < shortEnd; at++) {
          const letter = bytes[at] ?? 0
          if (letter === quote) break
          hash = Math.imul(hash ^ letter, 0x01000193)
          if (letter === backslash) {
            hash ^= bytes[++at] ?? 0
            ns += escapeNs
          }
        }
        if (at >= shortEnd) {
          ns += longStringNs
          this.#longFrom = from
          this.#escapes = 0
          at--
        } else if (bytes[at + 1] !== colon) ns += isNew(hash) ? newStringNs : knownStringNs
      } else if (byte === colon) {
        // The string before it was a name, wherever blanks stand.
        const shape = Math.imul(hash ^ (shapes[depth] ?? 0) ^ 0x9e3779b9, 0x85ebca6b)
        shapes[depth] = shape
        ns += isNew(shape) ? newNameNs : knownNameNs
      } else if (byte === comma) ns += valueNs
      else if (byte === openBrace || byte === openBracket) {
        ns += containerNs
        if (++depth > maxDepth) return null
        shapes[depth] = this.#seed
      } else if ((byte === closeBrace || byte === closeBracket) && depth > 0) depth--
      if (ns > this.#maxNs) return null
    }
    this.#at = at
    this.#depth = depth
    this.#hash = hash
    this.#ns = ns
    return at < length
  }

  /**
   * Goes on in a long string.
   * @param at no escape's second half
   * @returns its end, or the last byte looked at
   */
  #skip(at: number, until: number): number {
    const bytes = this.#bytes
    // Quotes stand close in some texts, where each native search would cost more than to look.
    const near = Math.min(until, at + shortStringBytes)
    let from = at
    for (; from < near; from++) {
      const letter = bytes[from]
      if (letter === quote) return this.#close(from)
      if (letter === backslash) {
        this.#escapes++
        from++
      }
    }
    if (from >= until) return from - 1
    const rest = bytes.subarray(from, until)
    const quoteAt = rest.indexOf(quote)
    const end = quoteAt < 0 ? rest.byteLength : quoteAt
    if (this.#countsEscapes) this.#escapes += escapesIn(rest.subarray(0, end))
    let first = end
    while (first > 0 && rest[first - 1] === backslash) first--
    // An odd number of backslashes: what follows is the second half of an escape.
    const isEscaped = (end - first) % 2 === 1
    if (quoteAt >= 0) return isEscaped ? from + end : this.#close(from + end)
    return isEscaped ? until : until - 1
  }

  /** @param end of the long string @returns it */
  #close(end: number): number {
    const from = this.#longFrom
    this.#longFrom = -1
    if (this.#long !== null && end + 1 - from >= this.#long.minBytes) {
      this.#long.spans.push({ from, to: end + 1 })
      // Nobody parses it.
      this.#escapes = 0
    }
    return end
  }
}

/** Escape sequences in a part of a string. */
function escapesIn(bytes: Uint8Array): number {
  let count = 0
  const first = bytes.indexOf(backslash)
  if (first < 0) return 0
  for (let at = first; at < bytes.byteLength; at++)
    if (bytes[at] === backslash) {
      count++
      at++
    }
  return count
}

function isNew(hash: number): boolean {
  const place = (hash ^ (hash >>> 16)) & 0xffff
  if (seen[place] === hash >>> 0) return false
  seen[place] = hash
  return true
}

/** Bytes of one slice, in each of which there may be many short strings. */
const scanBytes = 262_144

/**
 * Estimates from its bytes what parsing a JSON text takes; others have turns of the event loop meanwhile.
 * @param long filled with where its long strings lie
 * @returns nanoseconds
 * @throws Error when they are too many, or it is nested too deeply
 */
export async function parseCostOf(
  bytes: Uint8Array,
  long: LongStrings | null = null,
): Promise<number> {
  const cost = new ParseCost(bytes, long)
  for (let more = cost.scan(scanBytes); more !== false; more = cost.scan(scanBytes)) {
    if (more === null)
      throw new Error('nested too deeply, or too many names, values and escapes to parse')
    await yieldToLoop()
  }
  return cost.ns
}

/** Checks the parse cost of a short text in one turn, as of an event in a frame. */
export const isParseable = (text: string): boolean =>
  text.length <= harmlessBytes || parseNs(text) !== null

/** Estimates in one turn what parsing a text takes. @returns nanoseconds; null when it would take too long */
export function parseNs(text: string): number | null {
  const cost = new ParseCost(Buffer.from(text))
  return cost.scan(Infinity) === null ? null : cost.ns
}
