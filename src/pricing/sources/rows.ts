/** A JSON object whose numbers are the text they were written in. */
export type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null
export const rowOf = (value: unknown): Row => (isRow(value) ? value : {})
export const rowsOf = (value: unknown): readonly Row[] =>
  Array.isArray(value) ? value.map(rowOf) : []
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const wordsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.flatMap((each) => textOf(each) ?? []) : []

/**
 * Every number as the text it was written in: 2.5e-07 must not pass through a binary float.
 * @throws SyntaxError | RangeError for what is no JSON, or nested too deep
 */
export function parseKeepingNumbers(json: string): Row {
  const keepText = (_: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value !== 'number') return value
    if (context?.source === undefined) throw new Error('this runtime hides how numbers are written')
    return context.source
  }
  return rowOf(JSON.parse(json, keepText))
}

/** A whole number of tokens above zero. */
export function wholeOf(value: unknown): number | null {
  const number = Number(textOf(value) ?? Number.NaN)
  return Number.isSafeInteger(number) && number > 0 ? number : null
}
