import type { BillLine } from './bill'
import type { ExportRow } from './cells'

/** The first row of a file. */
export interface Heading {
  /** As they are written. */
  readonly titles: readonly string[]
  /** In small letters with `_` between words: `Cost ($)` is `cost`. */
  readonly columns: ReadonlySet<string>
  /** Numbers have a decimal comma. */
  readonly decimalComma: boolean
}

export interface OpenedFormat {
  /** Null for a row that is no line of the bill, such as a total. */
  line(row: ExportRow): BillLine | null
  /** Sentences on what was left out, once all rows were read. */
  notes?(): readonly string[]
  /** Half of what dollars were rounded to, where only the whole file tells; null for not at all. */
  rounding?(): string | null
}

/** An export of a vendor as data. */
export interface BillFormat {
  /** For people. */
  readonly name: string
  /** Time zone of its days. */
  readonly zone: string
  recognises(columns: ReadonlySet<string>): boolean
  open(heading: Heading): OpenedFormat
}

/** A title as columns are looked for. */
export const columnName = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/\([^)]*\)/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')

export const has = (columns: ReadonlySet<string>, ...names: readonly string[]): boolean =>
  names.every((name) => columns.has(name))
