import { yieldToLoop } from '../../../domain/yield-to-loop'
import {
  quote,
  comma,
  colon,
  backslash,
  openBracket,
  closeBracket,
  openBrace,
  closeBrace,
} from '../../json/bytes'

/** Where a JSON value lies. */
interface Span {
  readonly from: number
  readonly to: number
}

/** One element of `data`. */
interface ScannedVector {
  readonly encoding: 'float' | 'base64'
  /** Of the vector, its brackets or quotes included. */
  readonly vector: Span
  /** Undefined where it does not tell. */
  readonly index: unknown
  readonly object: unknown
}

/** A reply in the reference shape, of which nothing that is large was parsed. */
export interface ScannedEmbeddings {
  readonly bytes: Buffer
  /** The value of `data`. */
  readonly data: Span
  readonly vectors: readonly ScannedVector[]
  /** All other members of the reply. */
  readonly others: Readonly<Record<string, unknown>>
}

/** Members beside the vectors are a few letters. */
const maxOtherBytes = 65_536
/** Members of one object that are looked at. */
const maxMembers = 64
/** Passed over in one turn of the event loop. */
const turnBytes = 1_048_576

const minus = 0x2d
const zero = 0x30
const nine = 0x39

/**
 * Finds the vectors in a reply, in slices of the event loop.
 * @param count how many were asked for
 * @returns null for another reply, which may be a failure
 * @throws Error when it has more
 */
export async function scanEmbeddings(
  bytes: Uint8Array,
  count: number,
): Promise<ScannedEmbeddings | null> {
  const scanner = new Scanner(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const vectors: ScannedVector[] = []
  const others: Record<string, unknown> = {}
  let data: Span | null = null
  try {
    for (const name of scanner.members())
      if (name === 'data') {
        if (data !== null) return null
        const from = scanner.at
        let turnEnd = from + turnBytes
        for (const _ of scanner.elements()) {
          if (vectors.length === count) throw new Error('more vectors than requested')
          vectors.push(scanner.vector())
          if (scanner.at < turnEnd) continue
          await yieldToLoop()
          turnEnd = scanner.at + turnBytes
        }
        data = { from, to: scanner.at }
      } else others[name] = scanner.small()
    scanner.end()
  } catch (thrown) {
    if (thrown instanceof OtherShape || thrown instanceof SyntaxError) return null
    throw thrown
  }
  return data === null ? null : { bytes: scanner.bytes, data, vectors, others }
}

class OtherShape extends Error {}

class Scanner {
  at = 0

  constructor(readonly bytes: Buffer) {}

  /** The names of the object that begins here; each value must be read before the next. */
  *members(): Generator<string, void> {
    this.#take(openBrace)
    if (this.#next() === closeBrace) return void this.at++
    for (let count = 0; count < maxMembers; count++) {
      const name: unknown = JSON.parse(this.#text(this.#string()))
      this.#take(colon)
      this.#next()
      yield String(name)
      if (this.#next() === closeBrace) return void this.at++
      this.#take(comma)
      this.#next()
    }
    throw new OtherShape()
  }

  /** Once for each element of the array that begins here, which must be read before the next. */
  *elements(): Generator<void, void> {
    this.#take(openBracket)
    if (this.#next() === closeBracket) return void this.at++
    for (;;) {
      yield
      if (this.#next() === closeBracket) return void this.at++
      this.#take(comma)
      this.#next()
    }
  }

  vector(): ScannedVector {
    let vector: Span | null = null
    let encoding: ScannedVector['encoding'] = 'float'
    let index: unknown
    let object: unknown
    for (const name of this.members())
      if (name === 'embedding') {
        encoding = this.bytes[this.at] === quote ? 'base64' : 'float'
        vector = encoding === 'base64' ? this.#string() : this.#numbers()
      } else {
        const value = this.small()
        if (name === 'index') index = value
        else if (name === 'object') object = value
      }
    if (vector === null) throw new OtherShape()
    return { encoding, vector, index, object }
  }

  /** Any value, of a few letters. */
  small(): unknown {
    const from = this.at
    const most = Math.min(this.bytes.length, from + maxOtherBytes)
    let depth = 0
    while (this.at < most) {
      const byte = this.bytes[this.at]
      if (byte === quote) {
        this.#string()
        continue
      }
      if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) depth--
      // It ends before what belongs to the object around it.
      if (depth < 0 || (depth === 0 && byte === comma)) break
      this.at++
    }
    if (this.at >= most) throw new OtherShape()
    return JSON.parse(this.#text({ from, to: this.at })) as unknown
  }

  /** Nothing but blanks may follow. */
  end(): void {
    if (this.#next() !== undefined) throw new OtherShape()
  }

  /** An array that begins as one of numbers does: no bracket stands in one. */
  #numbers(): Span {
    const from = this.at
    this.#take(openBracket)
    const first = this.#next() ?? 0
    const to = this.bytes.indexOf(closeBracket, this.at) + 1
    if (to === 0 || (first !== minus && (first < zero || first > nine))) throw new OtherShape()
    this.at = to
    return { from, to }
  }

  #string(): Span {
    const from = this.at
    this.#take(quote)
    for (;;) {
      const end = this.bytes.indexOf(quote, this.at)
      if (end < 0) throw new OtherShape()
      let first = end
      while (first > this.at && this.bytes[first - 1] === backslash) first--
      this.at = end + 1
      if ((end - first) % 2 === 0) return { from, to: end + 1 }
      if (this.at - from > maxOtherBytes) throw new OtherShape()
    }
  }

  #text({ from, to }: Span): string {
    if (to - from > maxOtherBytes) throw new OtherShape()
    return this.bytes.toString('utf8', from, to)
  }

  #take(byte: number): void {
    if (this.#next() !== byte) throw new OtherShape()
    this.at++
  }

  /** Skips blanks. */
  #next(): number | undefined {
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return byte
      this.at++
    }
  }
}
