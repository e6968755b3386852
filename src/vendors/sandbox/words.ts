/** Blanks between words; the Persian half-space joins, so it is none. */
const isBlank = (code: number): boolean =>
  code <= 32 ||
  code === 0xa0 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x3000

/** Words, which are the sandbox's tokens: whoever reads a text can count them. */
export function countWords(text: string): number {
  let count = 0
  let inside = false
  for (let at = 0; at < text.length; at++) {
    const blank = isBlank(text.charCodeAt(at))
    if (!blank && !inside) count++
    inside = !blank
  }
  return count
}

/** The first words of a text, with what stands between them. */
export function firstWords(text: string, most: number): string {
  if (most <= 0) return ''
  let count = 0
  let inside = false
  for (let at = 0; at < text.length; at++) {
    const blank = isBlank(text.charCodeAt(at))
    if (inside && blank && count === most) return text.slice(0, at)
    if (!blank && !inside) count++
    inside = !blank
  }
  return text
}

/** A text word by word, each with the blanks before it; the last also with those behind it. */
export function* piecesOf(text: string): Generator<string, void> {
  let start = 0
  let inside = false
  for (let at = 0; at < text.length; at++) {
    const blank = isBlank(text.charCodeAt(at))
    if (blank && inside && !isAllBlank(text, at)) {
      yield text.slice(start, at)
      start = at
    }
    inside = !blank
  }
  if (start < text.length) yield text.slice(start)
}

function isAllBlank(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) if (!isBlank(text.charCodeAt(at))) return false
  return true
}
