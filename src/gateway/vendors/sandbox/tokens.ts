import type { Steps } from './slices'

/*
 * The sandbox's tokens are words, so that whoever reads a text can count them. A longer word counts as
 * several, and so do many blanks: a token has at most 16 letters, behind fewer than 17 blanks.
 */

/** Letters of a token, and blanks before them. */
const sideChars = 16
/** Longest token; a letter of two halves is not cut. */
export const maxTokenChars = 2 * sideChars + 1

/** Characters read between two looks at the clock. */
export const stepChars = 65_536

/** Blanks between words; the Persian half-space joins, so it is none. */
const isBlank = (code: number): boolean =>
  code <= 32 ||
  (code >= 0xa0 &&
    (code === 0xa0 ||
      (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x3000))

/** Where the blanks end that begin here, after at most so many. */
function endOfBlanks(text: string, start: number, most: number): number {
  const end = Math.min(text.length, start + most)
  let at = start
  while (at < end && isBlank(text.charCodeAt(at))) at++
  return at
}

const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Where the token ends that begins here; the last one has the few blanks behind it. */
function endOfToken(text: string, start: number): number {
  let at = endOfBlanks(text, start, sideChars)
  const end = Math.min(text.length, at + sideChars)
  while (at < end && !isBlank(text.charCodeAt(at))) at++
  if (at === end && at < text.length && isHighHalf(text.charCodeAt(at - 1))) at++
  const behind = endOfBlanks(text, at, sideChars)
  return behind === text.length && behind - at < sideChars ? behind : at
}

const isFewBlanks = (text: string): boolean =>
  text.length < sideChars && endOfBlanks(text, 0, sideChars) === text.length

/** @param text of any length */
export function* countTokensInSteps(text: string): Steps<number> {
  if (isFewBlanks(text)) return 0
  let count = 0
  let step = stepChars
  for (let at = 0; at < text.length; at = endOfToken(text, at)) {
    count++
    if (at < step) continue
    step += stepChars
    yield
  }
  return count
}

/** @param text not longer than an answer */
export function countSandboxTokens(text: string): number {
  const steps = countTokensInSteps(text)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** The first tokens of a text, with what stands between them. */
export function firstTokens(text: string, most: number): string {
  let at = 0
  for (let count = 0; count < most && at < text.length; count++) at = endOfToken(text, at)
  return text.slice(0, at)
}

/** A text token by token, each with the blanks before it; the last also with those behind it. */
export function* piecesOf(text: string): Generator<string, void> {
  for (let at = 0, end; at < text.length; at = end) {
    end = endOfToken(text, at)
    yield text.slice(at, end)
  }
}
