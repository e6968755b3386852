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

/** Elements of an array that stand beside each other: from the first one to behind the last. */
interface ArrayRun {
  readonly from: number
  readonly to: number
}

/** A run is cut at the first element that ends behind so many bytes. */
const runBytes = 65_536
/** A longer one has an element that is no small one, and is not left out. */
const maxRunBytes = 262_144
/** Looked at in one turn of the event loop. */
const sliceBytes = 262_144

const decoder = new TextDecoder()

/**
 * Finds runs of the elements of long arrays below members of one name, in slices of the event loop.
 * @param name in quotes
 * @throws SyntaxError when a run is no JSON
 */
export async function arrayRuns(bytes: Uint8Array, name: string): Promise<readonly ArrayRun[]> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const runs: ArrayRun[] = []
  // No string can hold its quotes, unless they are escaped.
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at)) {
    at = blanksEnd(text, at + name.length)
    if (text[at] !== colon) continue
    at = blanksEnd(text, at + 1)
    if (text[at] !== openBracket && text[at] !== openBrace) continue
    const scanner = new RunScanner(text, at, runs)
    while (scanner.scan(sliceBytes)) await yieldToLoop()
    at = scanner.at
  }
  for (const { from, to } of runs) {
    JSON.parse(`[${decoder.decode(text.subarray(from, to))}]`)
    await yieldToLoop()
  }
  return runs
}

function blanksEnd(text: Buffer, from: number): number {
  let at = from
  while (text[at] === 32 || text[at] === 10 || text[at] === 13 || text[at] === 9) at++
  return at
}

/** Passes over one value, and cuts the elements of its outermost arrays into runs. */
class RunScanner {
  at: number
  readonly #text: Buffer
  readonly #runs: ArrayRun[]
  #depth = 0
  /** Of the array whose elements are cut; 0 outside of any. */
  #arrayDepth = 0
  #runFrom = 0

  constructor(text: Buffer, at: number, runs: ArrayRun[]) {
    this.#text = text
    this.at = at
    this.#runs = runs
  }

  /** Goes on for so many bytes, and to the end of a string. @returns whether there is more of the value */
  scan(count: number): boolean {
    const text = this.#text
    const until = Math.min(text.length, this.at + count)
    let at = this.at
    let depth = this.#depth
    for (; at < until; at++) {
      const byte = text[at]
      if (byte === quote) at = closingQuote(text, at)
      else if (byte === comma) {
        if (depth === this.#arrayDepth && at - this.#runFrom >= runBytes) this.#cut(at)
      } else if (byte === openBrace || byte === openBracket) {
        depth++
        if (byte === openBrace || this.#arrayDepth > 0) continue
        this.#arrayDepth = depth
        this.#runFrom = at + 1
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth === this.#arrayDepth) this.#arrayDepth = 0
        if (--depth === 0) {
          this.at = at + 1
          return false
        }
      }
    }
    this.at = at
    this.#depth = depth
    return at < text.length
  }

  #cut(at: number): void {
    if (at - this.#runFrom <= maxRunBytes) this.#runs.push({ from: this.#runFrom, to: at })
    this.#runFrom = at + 1
  }
}

/** @returns its end where there is none */
function closingQuote(text: Buffer, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const byte = text[at]
    if (byte === quote) return at
    if (byte === backslash) at++
  }
  return text.length
}
