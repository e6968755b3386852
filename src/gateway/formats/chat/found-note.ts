import { isText, type Fields } from '../../json/fields'

/** A page that a search found, as formats with searches of their own tell of it. */
interface Source {
  readonly title: unknown
  readonly url: unknown
  /** When it was written or read, in the vendor's words. */
  readonly age?: unknown
}

/** Stands before what was found, so that a model takes it for no words of the user's. */
const heading = '[what tools at the vendor found for the answer above]'

const plain = (value: unknown): readonly string[] =>
  isText(value) ? [value.replaceAll(/\s+/g, ' ').trim()] : []

/** A source as one line; none without an address. */
export const sourceLine = ({ title, url, age }: Source): readonly string[] =>
  isText(url) ? [`[source: ${[title, url, age].flatMap(plain).join(', ')}]`] : []

/** A tool that ran at a vendor, with the input that says what for, as one line; none without any. */
export function ranLine(name: unknown, input: Readonly<Fields>): readonly string[] {
  const { query, pattern, url } = input
  const told = [query, pattern, url].flatMap(plain)
  const shown = told.length > 0 ? told.join(', ') : JSON.stringify(input)
  return shown === '{}' || !isText(name) ? [] : [`[${name}: ${shown}]`]
}

/**
 * What tools at a vendor found for one answer, as a text of the user's behind that answer and the results of
 * its calls: an answer itself must stay what the model said, by which its reasoning is found again.
 * @returns '' for nothing
 */
export const foundNote = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : [heading, ...new Set(lines)].join('\n')
