/** Classes of characters in the pattern that cuts a text into pieces. */
const other = 0
const upper = 1
const lower = 2
/** A letter without case. */
const letter = 3
const mark = 4
const number = 5
const blank = 6
const newline = 7

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
function classOf(code: number): number {
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

/**
 * The longest piece, in characters: no run of a text is looked at further. What is cut there may come
 * to fewer tokens than the whole, by as many as `cutTokens` makes up for.
 */
export const maxPiece = 4096

const slash = 47
const space = 32
const apostrophe = 39

/**
 * Where the piece that begins at `at` ends: no token reaches over the end of a piece. The pieces are
 * those of o200k_base (github.com/openai/tiktoken, `tiktoken_ext/openai_public.py`):
 * letters with one sign before them and an English contraction behind, up to three digits, signs,
 * line ends, blanks. Written out, since the pattern itself takes as long as all the rest, and has no
 * end on a text of one run.
 */
export function pieceEnd(text: string, at: number): number {
  const most = Math.min(text.length, at + maxPiece)
  const code = text.codePointAt(at) ?? 0
  const kind = classOf(code)
  const behind = at + width(code)
  if (kind === number) return numberEnd(text, behind, most)
  if (kind === other || kind === mark || kind === blank) {
    // A sign belongs to the word behind it.
    const end = smallWordEnd(text, behind, most)
    if (end > 0) return contractionEnd(text, end)
  }
  if (kind !== newline && kind !== blank && kind !== other) {
    const end = smallWordEnd(text, at, most)
    if (end > 0) return contractionEnd(text, end)
  }
  if (kind !== newline) {
    const from = isLetter(kind) ? at : behind
    const end = run(text, from, most, isCapital)
    if (end > from) return contractionEnd(text, end)
  }
  return signsEnd(text, at, most) || blanksEnd(text, at, most)
}

const width = (code: number): number => (code > 0xffff ? 2 : 1)
const isLetter = (kind: number): boolean => kind === upper || kind === lower || kind === letter
const isCapital = (kind: number): boolean => kind === upper || kind === letter || kind === mark
const isSmall = (kind: number): boolean => kind === lower || kind === letter || kind === mark
const isSign = (kind: number): boolean => kind === other || kind === mark
const isBlank = (kind: number): boolean => kind === blank || kind === newline

function run(text: string, from: number, most: number, fits: (kind: number) => boolean): number {
  let at = from
  while (at < most) {
    const code = text.codePointAt(at) ?? 0
    if (!fits(classOf(code))) break
    at += width(code)
  }
  return at
}

/** Capitals and then at least one that is none. @returns 0 where there is no such word */
function smallWordEnd(text: string, from: number, most: number): number {
  let at = from
  /** Behind the last that is no capital. */
  let last = 0
  while (at < most) {
    const code = text.codePointAt(at) ?? 0
    const kind = classOf(code)
    if (!isCapital(kind)) break
    at += width(code)
    if (kind !== upper) last = at
  }
  const end = run(text, at, most, isSmall)
  return end > at ? end : last
}

const contractions = new Set(['s', 't', 'm', 'd', 're', 've', 'll'])

function contractionEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== apostrophe) return at
  for (const length of [1, 2])
    if (contractions.has(text.slice(at + 1, at + 1 + length).toLowerCase())) return at + 1 + length
  return at
}

function numberEnd(text: string, from: number, most: number): number {
  let at = from
  for (let digits = 1; digits < 3 && at < most; digits++) {
    const code = text.codePointAt(at) ?? 0
    if (classOf(code) !== number) break
    at += width(code)
  }
  return at
}

/** Signs, one space before them and line ends and slashes behind. @returns 0 where there are none */
function signsEnd(text: string, at: number, most: number): number {
  const from = text.charCodeAt(at) === space ? at + 1 : at
  let end = run(text, from, most, isSign)
  if (end === from) return 0
  while (end < most) {
    const code = text.charCodeAt(end)
    if (code !== slash && classOf(code) !== newline) break
    end++
  }
  return end
}

/** To the last line end of them; else all but the one before the next word. */
function blanksEnd(text: string, at: number, most: number): number {
  const end = run(text, at, most, isBlank)
  for (let last = end; last > at; last--)
    if (classOf(text.charCodeAt(last - 1)) === newline) return last
  return end === text.length || end - at < 2 ? end : end - 1
}
