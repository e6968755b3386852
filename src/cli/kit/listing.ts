import { Option, type Command } from 'commander'
import { csvLine, type CsvCell } from '../../domain/csv-line'
import { read, type CommonOptions } from './command'
import { printJson, printLine, printStream, printTable } from './output'

interface ListOptions extends CommonOptions {
  readonly csv?: true
}

/** A list that may be too long to be read. */
export interface LongListOptions extends ListOptions {
  readonly limit?: number
}

/** Columns of a list for people, besides its JSON. */
interface ListForm<View> {
  /** Members of a view by their paths, such as `limits.rpm`; a file's heading. */
  readonly columns: readonly string[]
  /** Heading of the table. */
  readonly heading: readonly string[]
  readonly cells: (view: View) => readonly string[]
}

/** Rows of a list; read as they are printed where they are more than fit into memory. */
type Rows<View> = Iterable<View> | AsyncIterable<View>

/** What of a list is shown. */
interface ShownRows<View> {
  readonly rows: Rows<View>
  /** How many are not. */
  readonly more: number
}

export const withCsv = (command: Command): Command =>
  command.addOption(
    new Option('--csv', 'print comma-separated values, every row of them').conflicts('json'),
  )

const rowsUnlessReported = 100

export const withLimit = (command: Command): Command =>
  withCsv(command).addOption(
    new Option(
      '--limit <n>',
      `show only the newest (default: ${rowsUnlessReported}; all with --csv)`,
    ).argParser(read.count),
  )

/** Rows that are shown: a file has all of them unless a limit was given. */
export const limitOf = ({ csv, limit }: LongListOptions): number =>
  limit ?? (csv ? Number.MAX_SAFE_INTEGER : rowsUnlessReported)

export function shownOf<View>(all: readonly View[], options: LongListOptions): ShownRows<View> {
  const limit = limitOf(options)
  return { rows: all.slice(0, limit), more: Math.max(0, all.length - limit) }
}

/** Prints a list that is always shown whole. */
export const printList = <View extends object>(
  options: ListOptions,
  rows: Rows<View>,
  form: ListForm<View>,
): Promise<void> => print(options, { rows, more: null }, form)

/** Prints what of a long list is shown, and says how much is not. */
export const printShown = <View extends object>(
  options: ListOptions,
  shown: ShownRows<View>,
  form: ListForm<View>,
): Promise<void> => print(options, shown, form)

async function print<View extends object>(
  { json, csv }: ListOptions,
  { rows, more }: { readonly rows: Rows<View>; readonly more: number | null },
  { columns, heading, cells }: ListForm<View>,
): Promise<void> {
  if (csv) return await printStream(csvLines(rows, columns))
  const data = await Array.fromAsync(rows)
  if (json) return printJson({ object: 'list', data, ...(more === null ? {} : { more }) })
  printTable([heading, ...data.map(cells)])
  if (more !== null && more > 0)
    printLine(`… ${more} more: --limit ${data.length + more}, or --csv for all`)
}

async function* csvLines(rows: Rows<object>, columns: readonly string[]): AsyncGenerator<string> {
  yield csvLine(columns.map((path) => path.replaceAll('.', '_')))
  for await (const row of rows) yield csvLine(columns.map((path) => cellAt(row, path.split('.'))))
}

function cellAt(value: unknown, [name, ...rest]: readonly string[]): CsvCell {
  if (name !== undefined) {
    const inner: unknown =
      typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
    return cellAt(inner, rest)
  }
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.join(' ')
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null
}
