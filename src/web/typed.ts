/** A number as it was typed, in digits of any script and with marks of either, as ASCII. */
export const plainNumber = (typed: string): string =>
  typed
    .trim()
    .replace(/[۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) - 0x6f0))
    .replace(/[٠-٩]/g, (digit) => String((digit.codePointAt(0) ?? 0) - 0x660))
    .replace(/[٬,\s]/g, '')
    .replace('٫', '.')

/** Whether a text is an amount of dollars, with nine decimals at most. */
export const isUsd = (typed: string): boolean => /^\d{1,6}(?:\.\d{1,9})?$/.test(plainNumber(typed))

/** Dollars as typed; null for nothing. */
export const usdOrNull = (typed: string): string | null =>
  typed.trim() === '' ? null : plainNumber(typed)

/** An amount as a field shows it: without the zeroes that only fill places. */
export const usdField = (decimal: string | null): string =>
  decimal === null ? '' : decimal.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
