const digit = /[\u0660-\u0669\u06f0-\u06f9]/g

/** A number as a Persian or Arabic keyboard writes it, in the digits and signs that programs read. */
export const latinDigits = (text: string): string =>
  text
    // Both rows of ten begin at a multiple of sixteen.
    .replaceAll(digit, (letter) => String((letter.codePointAt(0) ?? 0) & 15))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', '')
