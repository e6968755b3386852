/** Decimal digits of every script but our own (general category Nd of Unicode). */
const digit = /(?![0-9])\p{Nd}/gu
const anyDigit = /^\p{Nd}$/u

/** A number as any keyboard writes it, in the digits and signs that programs read. */
export const latinDigits = (text: string): string =>
  text
    .replaceAll(digit, (letter) => String(valueOf(letter)))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', '')

/** Digits of a script stand in rows of ten from zero to nine (Unicode, 4.6), some rows behind each other. */
function valueOf(letter: string): number {
  const code = letter.codePointAt(0) ?? 0
  let before = 0
  while (anyDigit.test(String.fromCodePoint(code - before - 1))) before++
  return before % 10
}
