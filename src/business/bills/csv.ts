import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { BillFault } from './fault'

/** The largest file that is read; it is never in memory at once. */
const maxFileBytes = 16 * 2 ** 30
/** The longest row: beyond it a quote was not closed. */
const maxRowBytes = 1_000_000
const maxHeadBytes = 65_536
const maxColumns = 1000

/** A row with the number of the line where it ends. */
interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

interface CsvFile {
  /** Delimiter of cells. */
  readonly delimiter: string
  readonly rows: AsyncIterable<CsvRow>
}

/**
 * Comma-separated values as they arrive: also with semicolons, tabs, quoted line ends, CRLF and a
 * byte-order mark (RFC 4180 and what spreadsheets make of it).
 * @throws BillFault not_a_csv | no_lines; its rows broken_csv | too_large
 */
export async function openCsv(bytes: AsyncIterable<Uint8Array>): Promise<CsvFile> {
  const source = bytes[Symbol.asyncIterator]()
  const head = await headOf(source)
  checkHead(head)
  const delimiter = delimiterOf(head)
  return { delimiter, rows: rowsOf(textBytes(head, source), delimiter) }
}

async function* rowsOf(text: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
  })
  const input = Readable.from(text)
  input.on('error', (thrown) => parser.destroy(thrown))
  input.pipe(parser)
  try {
    for await (const each of parser as AsyncIterable<{ info: { lines: number }; record: string[] }>)
      yield { line: each.info.lines, cells: each.record }
  } catch (thrown) {
    throw faultOf(thrown)
  } finally {
    parser.destroy()
    input.destroy()
  }
}

function faultOf(thrown: unknown): unknown {
  if (!(thrown instanceof CsvError)) return thrown
  const { code, lines } = thrown as CsvError & { lines?: number }
  const at = lines === undefined ? '' : ` (line ${lines})`
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new BillFault('broken_csv', `the file ends inside of a quoted cell${at}: it is cut off`)
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new BillFault('broken_csv', `a row is longer than 1 MB${at}: a quote is not closed`)
  return new BillFault('broken_csv', `a quote stands where none may${at}: the file is no valid CSV`)
}

/** As much as it takes to tell what the file is. */
async function headOf(source: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  while (size < maxHeadBytes) {
    const next = await source.next()
    if (next.done === true) break
    parts.push(next.value)
    size += next.value.length
    if (size > 512 && next.value.includes(0x0a)) break
  }
  return Buffer.concat(parts)
}

async function* textBytes(head: Buffer, source: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  let read = 0
  try {
    for (let part: Uint8Array = head; ;) {
      read += part.length
      if (read > maxFileBytes)
        throw new BillFault('too_large', 'the file is larger than 16 GB: export fewer days')
      if (part.includes(0)) throw new BillFault('not_a_csv', 'the file is binary, not a CSV')
      if (part.length > 0) yield Buffer.from(part.buffer, part.byteOffset, part.byteLength)
      const next = await source.next()
      if (next.done === true) return
      part = next.value
    }
  } finally {
    await source.return?.()
  }
}

/** First bytes of files that are taken for a CSV by mistake. */
const otherFiles: readonly (readonly [(begin: string) => boolean, string])[] = [
  [
    (begin) => begin.startsWith('\xff\xfe') || begin.startsWith('\xfe\xff'),
    'the file is UTF-16 text: save it as CSV in UTF-8',
  ],
  [(begin) => begin.startsWith('\x1f\x8b'), 'the file is packed (gzip): unpack it first'],
  [
    (begin) => begin.startsWith('PK\x03\x04'),
    'the file is a ZIP archive or an Excel sheet: give the CSV',
  ],
  [(begin) => begin.startsWith('%PDF'), 'the file is a PDF: give the CSV export'],
  [
    (begin) => /^\s*<(?:!doctype|html|\?xml|head|body)/i.test(begin),
    'the file is a web page, not a CSV: was the download refused?',
  ],
  [
    (begin) => /^\s*[{[]/.test(begin),
    'the file is JSON: give the CSV export, or ask the vendor with --fetch',
  ],
]

/** Bytes that no text has. */
const isBinary = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 27)

function checkHead(head: Buffer): void {
  const begin = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  if (begin.trim() === '') throw new BillFault('no_lines', 'the file is empty')
  for (const [is, message] of otherFiles) if (is(begin)) throw new BillFault('not_a_csv', message)
  if (head.some(isBinary)) throw new BillFault('not_a_csv', 'the file is binary, not a CSV')
}

/** Delimiter of the first row, outside of quotes. */
function delimiterOf(head: Buffer): string {
  const first = head
    .toString('utf8')
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]/, 1)[0]
  const counts = [',', ';', '\t', '|'].map(
    (sign) => [sign, (first ?? '').split(sign).length] as const,
  )
  const [sign, count] = counts.reduce((most, each) => (each[1] > most[1] ? each : most))
  if (count > maxColumns)
    throw new BillFault('not_a_csv', `the file has more than ${maxColumns} columns`)
  return sign
}
