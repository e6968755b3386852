/** Classes of characters in the pattern that cuts a text into pieces. */
export const other = 0
export const upper = 1
export const lower = 2
/** A letter without case. */
export const letter = 3
export const mark = 4
export const number = 5
export const blank = 6
export const newline = 7

const rules: readonly (readonly [RegExp, number])[] = [
  [/[\r\n]/, newline],
  [/\p{White_Space}/u, blank],
  [/[\p{Lu}\p{Lt}]/u, upper],
  [/\p{Ll}/u, lower],
  [/[\p{Lm}\p{Lo}]/u, letter],
  [/\p{M}/u, mark],
  [/\p{N}/u, number],
]

const blockSize = 256
/** By block of characters; made when the first of them is met. */
const blocks: (Uint8Array | undefined)[] = []

/** @param code of a character; a half of a pair alone is `other` */
export function classOf(code: number): number {
  const block = blocks[code >> 8] ?? makeBlock(code >> 8)
  return block[code & 255] ?? other
}

function makeBlock(at: number): Uint8Array {
  const block = new Uint8Array(blockSize)
  for (let index = 0; index < blockSize; index++) {
    const char = String.fromCodePoint(at * blockSize + index)
    block[index] = rules.find(([pattern]) => pattern.test(char))?.[1] ?? other
  }
  blocks[at] = block
  return block
}
