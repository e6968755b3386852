/**
 * Marks that nobody sees: what stands between them keeps its own direction, and the sentence around
 * it stays in order. See Unicode Standard Annex 9, section 2.4.
 */
const leftToRight = '\u2066'
const firstStrong = '\u2068'
const end = '\u2069'

const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const persianLetter = /[\u0600-\u06ff]/

/** A value from outside, in whatever direction it is written; marks of its own could turn the rest. */
export const isolated = (value: string): string =>
  `${firstStrong}${value.replaceAll(marks, '')}${end}`

/** Words of printable ASCII in a row. */
const asciiWords = /[\x21-\x7e]+(?: [\x21-\x7e]+)*/g

/** Our own words in which Latin ones stand: field names in backticks, paths, formats. */
const withIsolates = (text: string): string =>
  text.replaceAll(asciiWords, (words) => {
    if (!/[A-Za-z]|`[^`]+`/.test(words)) return words
    const [, before = '', kept = '', after = ''] =
      /^([()".,:;!? ]*)(.*?)([()".,:;!? ]*)$/.exec(words) ?? []
    return `${before}${leftToRight}${kept}${end}${after}`
  })

/** A value as it stands in a Persian sentence. */
function placed(value: string | number): string {
  const text = String(value)
  if (text.includes(end)) return text
  if (persianLetter.test(text)) return withIsolates(text)
  return /^[\d.]*$/.test(text) ? text : isolated(text)
}

/** Backticks around a value that keeps its own direction, or around one that needs none. */
const quotedValue = new RegExp(`\`(?:${firstStrong}([^${end}]*)${end}|([\\d.]+))\``, 'g')

/**
 * A Persian sentence: what is Latin in it, and what is put into it, cannot turn its order around.
 * Values that were isolated already stay as they are.
 */
export function persian(
  texts: TemplateStringsArray,
  ...values: readonly (string | number)[]
): string {
  const parts = texts.map((text, at) => {
    const value = values[at]
    return withIsolates(text) + (value === undefined ? '' : placed(value))
  })
  return parts.join('').replaceAll(quotedValue, `${firstStrong}\`$1$2\`${end}`)
}
