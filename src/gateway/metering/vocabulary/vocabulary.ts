import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { yieldToLoop } from '../../../domain/yield-to-loop'
import file from './o200k.vocabulary' with { type: 'file' }

/** Rank of a text that is no token. */
export const noRank = -1

let opened: Promise<Vocabulary> | null = null

/** Reads it when it is first asked for: most gateways never do. */
export const openVocabulary = (): Promise<Vocabulary> => (opened ??= readVocabulary())

/** Entries that are made in one turn of the event loop. */
const sliceEntries = 16_384

async function readVocabulary(): Promise<Vocabulary> {
  const packed = await Bun.file(file).bytes()
  const table = new Vocabulary(await promisify(brotliDecompress)(packed))
  while (table.goOn(sliceEntries)) await yieldToLoop()
  return table
}

/** Half full, so that most searches end at the first look. */
const slots = 2 ** 19
const mask = slots - 1
const maxToken = 128

/** Tokens by their bytes, in a table of five megabytes: objects would take twenty times as much. */
export class Vocabulary {
  /** The place of each token in the file; zero where a slot is free. */
  readonly #places = new Uint32Array(slots)
  readonly #ranks = new Int32Array(slots)
  /** Of two bytes, which are asked for most. */
  readonly #pairs = new Int32Array(65_536).fill(noRank)
  readonly #file: Uint8Array
  #at = 0
  #count = 0

  /** @param file in the order of ranks the length of each token, and its bytes */
  constructor(file: Uint8Array) {
    this.#file = file
  }

  /** Enters so many more. @returns whether there are more */
  goOn(entries: number): boolean {
    const bytes = this.#file
    for (let left = entries; left > 0 && this.#at < bytes.length; left--) {
      const from = this.#at + 1
      const end = from + (bytes[this.#at] ?? 0)
      this.#enter(from, end)
      this.#at = end
    }
    return this.#at < bytes.length
  }

  #enter(from: number, end: number): void {
    const bytes = this.#file
    const rank = this.#count++
    if (end - from === 2) this.#pairs[((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0)] = rank
    let slot = hashOf(bytes, from, end) & mask
    while (this.#places[slot] !== 0) slot = (slot + 1) & mask
    this.#places[slot] = from
    this.#ranks[slot] = rank
  }

  /** Of the token that these bytes are; the lower the earlier it is merged. */
  rank(bytes: Uint8Array, from: number, end: number): number {
    const length = end - from
    if (length === 2)
      return this.#pairs[((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0)] ?? noRank
    if (length > maxToken) return noRank
    const file = this.#file
    let slot = hashOf(bytes, from, end) & mask
    for (;;) {
      const place = this.#places[slot] ?? 0
      if (place === 0) return noRank
      if (file[place - 1] === length) {
        let same = 0
        while (same < length && file[place + same] === bytes[from + same]) same++
        if (same === length) return this.#ranks[slot] ?? noRank
      }
      slot = (slot + 1) & mask
    }
  }
}

function hashOf(bytes: Uint8Array, from: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash ^ (hash >>> 15)
}
