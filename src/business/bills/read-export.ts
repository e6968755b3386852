import { Exact } from '../../gateway/metering/price-card'
import { anthropicCostExport, anthropicTokenExport } from './anthropic'
import type { BillCollector, BillLine } from './bill'
import type { ExportRow } from './cells'
import { openCsv } from './csv'
import { BillFault } from './fault'
import { columnName, type BillFormat, type Heading, type OpenedFormat } from './format'
import { googleExport } from './google'
import { openNamedColumns, type NamedColumns } from './named-columns'
import { openaiCostExport, openaiUsageExport } from './openai'
import { openrouterDays, openrouterGenerations } from './openrouter'

/** Exports that are known by their columns. */
const formats: readonly BillFormat[] = [
  openaiCostExport,
  openaiUsageExport,
  anthropicTokenExport,
  anthropicCostExport,
  openrouterGenerations,
  openrouterDays,
  googleExport,
]

export interface ExportOptions {
  /** Name in messages. */
  readonly name: string
  /** Columns that somebody named: no export is looked for then. */
  readonly columns: NamedColumns | null
  /** Time zone of days whose zone the format does not tell. */
  readonly zone: string
}

/**
 * Adds the lines of an export, whichever vendor's it is.
 * @throws BillFault
 */
export async function readExport(
  bytes: AsyncIterable<Uint8Array>,
  collector: BillCollector,
  options: ExportOptions,
): Promise<void> {
  try {
    await readRows(bytes, collector, options)
  } catch (thrown) {
    if (thrown instanceof BillFault)
      throw new BillFault(thrown.code, `${options.name}: ${thrown.message}`)
    throw thrown
  }
}

async function readRows(
  bytes: AsyncIterable<Uint8Array>,
  collector: BillCollector,
  { name, columns, zone }: ExportOptions,
): Promise<void> {
  let opened: { readonly format: OpenedFormat; readonly row: RowView } | null = null
  let rows = 0
  const rounded = new RoundedLines()
  const file = await openCsv(bytes)
  for await (const { line: number, cells } of file.rows) {
    if (opened === null) {
      const heading = headingOf(cells, file.delimiter)
      const known =
        columns === null ? formats.find((each) => each.recognises(heading.columns)) : undefined
      const format = known?.open(heading) ?? openNamedColumns(heading, columns ?? {}, zone)
      collector.begin(`${known?.name ?? 'CSV'} ${name}`, known?.zone ?? zone)
      opened = { format, row: new RowView(cells) }
      continue
    }
    const { format, row } = opened
    row.show(number, cells)
    const line = format.line(row)
    if (line === null) continue
    if (row.isShort)
      throw new BillFault(
        'broken_csv',
        `line ${number} has ${cells.length} of ${row.width} cells: the file is cut off or broken`,
      )
    rows++
    if (collector.add(line) && format.rounding !== undefined) rounded.add(line)
  }
  if (opened === null || rows === 0)
    throw new BillFault('no_lines', 'the file has no lines of a bill')
  for (const note of opened.format.notes?.() ?? []) collector.note(note)
  for (const line of rounded.lines(opened.format.rounding?.() ?? null)) collector.add(line)
}

/** Lines with dollars by day and model, until it is known to what they were rounded. */
class RoundedLines {
  readonly #counts = new Map<string, { readonly line: BillLine; count: number }>()

  add(line: BillLine): void {
    if (line.usd === undefined || line.model === null) return
    const key = `${line.day} ${line.model}`
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { line, count: 1 })
    else known.count++
  }

  *lines(each: string | null): Generator<BillLine> {
    if (each === null) return
    for (const { line, count } of this.#counts.values())
      yield {
        day: line.day,
        model: line.model,
        usd: new Exact(0),
        rounding: new Exact(each).times(count),
      }
  }
}

const headingOf = (titles: readonly string[], delimiter: string): Heading => ({
  titles,
  columns: new Set(titles.map(columnName)),
  // Spreadsheets write semicolons where a comma is the decimal point.
  decimalComma: delimiter === ';',
})

/** One row after the other, by names of columns. */
class RowView implements ExportRow {
  readonly #at = new Map<string, number>()
  readonly width: number
  #cells: readonly string[] = []
  number = 0

  constructor(titles: readonly string[]) {
    this.width = titles.length
    for (const [at, title] of titles.entries()) {
      const name = columnName(title)
      // Of two columns with one name the first counts.
      if (!this.#at.has(name)) this.#at.set(name, at)
    }
  }

  get isShort(): boolean {
    return this.#cells.length < this.width
  }

  show(number: number, cells: readonly string[]): void {
    this.number = number
    this.#cells = cells
  }

  cell(column: string): string {
    const at = this.#at.get(column)
    return at === undefined ? '' : (this.#cells[at] ?? '').trim()
  }
}
