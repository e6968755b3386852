import { yieldToLoop } from '../domain/yield-to-loop'
import { tokenPieces, type TokenPieces } from './token-pieces'

/** A vocabulary that the bound was measured with. */
export type Vocabulary = 'o200k' | 'cl100k'

/**
 * Where a text is cut before it is merged, as openai/tiktoken (tiktoken_ext/openai_public.py) has
 * it: no token reaches over a cut.
 */
const cuts: Readonly<Record<Vocabulary, RegExp>> = {
  o200k:
    /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'[sStTmMdD]|'[rRvV][eE]|'[lL][lL])?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'[sStTmMdD]|'[rRvV][eE]|'[lL][lL])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu,
  cl100k:
    /'(?:[sStTmMdD]|[rRvV][eE]|[lL][lL])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu,
}

/** Characters that are cut at a time, and a turn of the event loop for random ones. */
const windowChars = 16_384
/** Characters that are merged at a time: merging is quadratic. */
const mergedChars = 64
/** Shorter runs of one character are known, or cost little. */
const leastRepeated = 8
/** Merging bytes, not characters, ends otherwise now and then: up to 7 % were measured. */
const mergeMargin = 1.1

/** The most parts of an ASCII piece up to a place, by how many characters the last part has. */
interface Parts {
  readonly one: number
  readonly two: number
  readonly more: number
}
const impossible: Parts = { one: -Infinity, two: -Infinity, more: -Infinity }
const begun: Parts = { one: -Infinity, two: -Infinity, more: 0 }

/** @param meetsOne the last part and one character make a piece; `meetsTwo` the same of two */
const mostBefore = (parts: Parts, meetsOne: boolean, meetsTwo: boolean): number =>
  Math.max(meetsOne ? -Infinity : parts.one, meetsTwo ? -Infinity : parts.two, parts.more)

/**
 * Upper bound of a text's tokens: pieces that are known to be one token count one, ASCII as many as
 * its known pairs allow, other scripts as their known pieces merge, and every other character what
 * the worst of its row of Unicode takes. At most 1.35 times the o200k count for plain English,
 * Persian, Chinese and code; more where little is known of a script.
 */
export function maxTokens(text: string, vocabulary: Vocabulary = 'o200k'): number {
  const bound = new TokenBound(text, vocabulary)
  while (bound.goOn()) continue
  return Math.ceil(bound.tokens)
}

/** Same, with turns of the event loop for others while it counts. */
export async function maxTokensInSlices(
  text: string,
  vocabulary: Vocabulary = 'o200k',
): Promise<number> {
  const bound = new TokenBound(text, vocabulary)
  while (bound.goOn()) await yieldToLoop()
  return Math.ceil(bound.tokens)
}

/** The pass over one text, which may stop between two windows. */
class TokenBound {
  tokens = 0
  #at = 0
  readonly #pieces: TokenPieces = tokenPieces()
  readonly #rates: string

  constructor(
    readonly text: string,
    readonly vocabulary: Vocabulary,
  ) {
    this.#rates = vocabulary === 'o200k' ? this.#pieces.o200kRates : this.#pieces.cl100kRates
  }

  /** Counts a window. @returns whether there are more */
  goOn(): boolean {
    const { text } = this
    const end = windowEnd(text, this.#at)
    for (const [piece] of text.slice(this.#at, end).matchAll(cuts[this.vocabulary]))
      this.tokens += this.#of(piece)
    this.#at = end
    return end < text.length
  }

  #of(piece: string): number {
    if (isAscii(piece)) return this.#pieces.ranks.has(piece) ? 1 : this.#ofAscii(piece)
    if (this.vocabulary !== 'o200k') return this.#ofCharacters(piece)
    if (this.#pieces.ranks.has(piece)) return 1
    let tokens = 0
    const chars = Array.from(piece)
    for (let at = 0; at < chars.length; at += mergedChars)
      tokens += this.#merged(chars.slice(at, at + mergedChars))
    return tokens * mergeMargin
  }

  /**
   * Merging goes on while two neighbours make a known piece: the most parts of which no two
   * neighbours do. Linear, and true of any order of merging.
   */
  #ofAscii(piece: string): number {
    const repeated = this.#ofRepeated(piece)
    if (repeated !== null) return repeated
    const { ranks } = this.#pieces
    const knows = (from: number, to: number): boolean =>
      from >= 0 && ranks.has(piece.slice(from, to))
    let [third, second, first] = [impossible, impossible, begun]
    let longest = -Infinity
    for (let at = 1; at <= piece.length; at++) {
      longest = Math.max(longest, third.one, third.two, third.more)
      const isTriple = knows(at - 3, at)
      const parts: Parts = {
        one: 1 + mostBefore(first, knows(at - 2, at), isTriple),
        two: 1 + mostBefore(second, isTriple, knows(at - 4, at)),
        more: 1 + longest,
      }
      ;[third, second, first] = [second, first, parts]
    }
    return Math.max(first.one, first.two, first.more)
  }

  /** A rule, or blanks: two neighbours are longer than the longest known. Null for anything else. */
  #ofRepeated(piece: string): number | null {
    const char = piece.at(-1) ?? ''
    const run = piece.replace(/^ (?=[^ ])/, '')
    if (run.length < leastRepeated || run !== char.repeat(run.length)) return null
    let known = 1
    while (this.#pieces.ranks.has(char.repeat(known + 1))) known++
    return piece.length - run.length + 2 * Math.floor(run.length / (known + 1)) + 1
  }

  #ofCharacters(piece: string): number {
    let tokens = 0
    for (const char of piece) tokens += this.#rateOf(char)
    return tokens
  }

  #rateOf(char: string): number {
    const code = char.codePointAt(0) ?? 0
    return code < 128 ? 1 : Number(this.#rates[code >> 7] ?? 4)
  }

  /** Neighbours of the lowest rank become one, until none are known together. */
  #merged(symbols: string[]): number {
    const { ranks } = this.#pieces
    const rankAt = (at: number): number =>
      at < 0 || at + 1 >= symbols.length
        ? Infinity
        : (ranks.get((symbols[at] ?? '') + (symbols[at + 1] ?? '')) ?? Infinity)
    const pairs = symbols.map((_, at) => rankAt(at))
    for (;;) {
      let at = -1
      let least = Infinity
      for (let place = 0; place < symbols.length - 1; place++) {
        const rank = pairs[place] ?? Infinity
        if (rank < least) {
          least = rank
          at = place
        }
      }
      if (at < 0) break
      symbols.splice(at, 2, (symbols[at] ?? '') + (symbols[at + 1] ?? ''))
      pairs.splice(at, 1)
      pairs[at] = rankAt(at)
      if (at > 0) pairs[at - 1] = rankAt(at - 1)
    }
    let tokens = 0
    for (const symbol of symbols) tokens += ranks.has(symbol) ? 1 : this.#rateOf(symbol)
    return tokens
  }
}

const isAscii = (piece: string): boolean => /^[\0-\x7f]*$/.test(piece)

/** Behind a blank where one is near, and never within a pair of surrogates. */
function windowEnd(text: string, from: number): number {
  const most = from + windowChars
  if (most >= text.length) return text.length
  const blank = Math.max(text.lastIndexOf(' ', most - 1), text.lastIndexOf('\n', most - 1))
  if (blank > from + windowChars / 2) return blank
  const unit = text.charCodeAt(most - 1)
  return unit >= 0xd800 && unit <= 0xdbff ? most - 1 : most
}
