/**
 * Measures which pieces of text are one token, and how many tokens a character of each row of
 * Unicode can make, and writes src/metering/token-pieces.txt: `bun scripts/token-pieces.ts`.
 * Source: the vocabularies o200k_base and cl100k_base as gpt-tokenizer (MIT) has them.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base'

const specials = { disallowedSpecial: new Set<string>() }
const o200k = (text: string): number => encode(text, specials).length
const cl100k = (text: string): number => encodeCl100k(text, specials).length

/** Words beyond are rare: each makes the program larger and the bound hardly lower. */
const mostWordRank = 90_000
/** Neighbours this long together decide how an unknown word may be cut. */
const boundedChars = 4
/** Beyond stand words of control, which no text makes. */
const ranks = 199_998
const rowChars = 128
const rows = 0x20000 / rowChars

const isAscii = (piece: string): boolean => /^[\0-\x7f]+$/.test(piece)
/** Scripts that are bounded by their own merges, each of which must be known. */
const isMerged = (piece: string): boolean =>
  /^[^\p{L}\p{N}]?[\p{Script=Arabic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{M}ー]+$/u.test(
    piece,
  )
const isMark = (piece: string): boolean => !/[\p{L}\p{N}]/u.test(piece)

function isKept(piece: string, rank: number): boolean {
  if (piece.includes('\ufffd')) return false
  if (Array.from(piece).length === 1) return true
  if (!isAscii(piece)) return isMerged(piece) || isMark(piece)
  return (
    (piece.length <= boundedChars || isMark(piece) || rank < mostWordRank) && cl100k(piece) === 1
  )
}

const pieces: string[] = []
for (let rank = 0; rank < ranks; rank++) {
  const piece = decode([rank])
  if (isKept(piece, rank) && o200k(piece) === 1) pieces.push(piece)
}

/** The most tokens of any character of each row, a digit for each row. */
function ratesOf(count: (text: string) => number): string {
  let rates = ''
  for (let row = 0; row < rows; row++) {
    let most = 1
    for (let code = row * rowChars; code < (row + 1) * rowChars; code++)
      // Halves of surrogate pairs are sent as U+FFFD.
      if (code < 0xd800 || code > 0xdfff) most = Math.max(most, count(String.fromCodePoint(code)))
      else most = 3
    rates += most
  }
  return rates
}

const lines = [
  ratesOf(o200k),
  ratesOf(cl100k),
  ...pieces.map((piece) => JSON.stringify(piece).slice(1, -1)),
]
writeFileSync(join(import.meta.dir, '../src/metering/token-pieces.txt'), `${lines.join('\n')}\n`)
