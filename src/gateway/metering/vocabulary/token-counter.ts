import { yieldToLoop } from '../../../domain/yield-to-loop'
import { asciiMargin, blockMargins, otherMargin } from './block-margins'
import { TokenMerger, mergedBytes } from './merge-tokens'
import { maxPiece, pieceEnd } from './piece-end'
import { noRank, openVocabulary, type Vocabulary } from './vocabulary'

/** Tokens that a cut in the middle of a run may hide. */
const cutTokens = 2
/** Bytes of one prompt that are merged; what is beyond them counts as many tokens as it has bytes. */
const maxMerged = 2_097_152
/** Bytes that are merged, and pieces that are found, in one turn of the event loop. */
const sliceMerged = 16_384
const slicePieces = 16_384

let merger: TokenMerger | null = null

/**
 * Reads the vocabulary when it is first asked for.
 * @param isOther the texts are read by a model of another vocabulary: what is counted has a margin, by
 *   block of Unicode, and no promise
 */
export async function openTokenCounter(isOther = false): Promise<TokenCounter> {
  const vocabulary = await openVocabulary()
  merger ??= new TokenMerger(vocabulary)
  return new TokenCounter({ vocabulary, merger, isOther })
}

interface CounterParts {
  readonly vocabulary: Vocabulary
  readonly merger: TokenMerger
  readonly isOther: boolean
}

const encoder = new TextEncoder()
/** Of the piece at hand: nothing is waited for between writing and reading it. */
const scratch = new Uint8Array(maxPiece * 3 + 16)

/** Counts the texts of one prompt by o200k_base, the vocabulary of OpenAI's models since GPT-4o. */
class TokenCounter {
  readonly #parts: CounterParts
  /** Bytes that may still be merged, in all and in this turn. */
  #left = maxMerged
  #turn = sliceMerged
  #pieces = slicePieces

  constructor(parts: CounterParts) {
    this.#parts = parts
  }

  /**
   * Never fewer than there are, and the same where no run is very long.
   * @returns once it is counted, in slices of the event loop
   */
  async count(text: string): Promise<number> {
    let tokens = 0
    let at = 0
    while (at < text.length) {
      if (this.#turn <= 0 || this.#pieces-- <= 0) {
        await yieldToLoop()
        this.#turn = sliceMerged
        this.#pieces = slicePieces
      }
      const end = pieceEnd(text, at)
      tokens += this.#piece(text, at, end)
      if (end - at >= maxPiece - 1) tokens += cutTokens
      at = end
    }
    return tokens
  }

  #piece(text: string, from: number, end: number): number {
    const { vocabulary, isOther } = this.#parts
    const bytes = encode(text, from, end)
    const tokens = vocabulary.rank(scratch, 0, bytes) === noRank ? this.#merged(bytes) : 1
    return isOther ? Math.min(bytes, tokens * marginOf(text, from, end)) : tokens
  }

  #merged(bytes: number): number {
    this.#left -= bytes
    if (this.#left < 0) return bytes
    this.#turn -= bytes
    let tokens = 0
    for (let at = 0; at < bytes; at += mergedBytes) {
      if (at > 0) tokens += cutTokens
      tokens += this.#parts.merger.count(scratch, at, Math.min(bytes, at + mergedBytes))
    }
    return tokens
  }
}

/** Into `scratch`. @returns the length in bytes */
function encode(text: string, from: number, end: number): number {
  const length = end - from
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(from + at)
    if (code > 127) return encoder.encodeInto(text.slice(from, end), scratch).written
    scratch[at] = code
  }
  return length
}

function marginOf(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++)
    if (text.charCodeAt(at) > 127) {
      const block = (text.codePointAt(at) ?? 0) >> 8
      return (
        blockMargins.find(([first, last]) => first <= block && block <= last)?.[2] ?? otherMargin
      )
    }
  return asciiMargin
}
