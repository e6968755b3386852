import type { Decimal } from 'decimal.js'
import { latinDigits } from '../../domain/digits'
import type { Ms } from '../../domain/clock'
import { Exact } from '../../gateway/metering/price-card'
import { dayIn } from './days'
import { BillFault, quoted } from './fault'

/** A row of a file, by the names of its columns. */
export interface ExportRow {
  /** Number of the line in the file where it ends, for messages. */
  readonly number: number
  /** Trimmed; empty where the row or the file has no such cell. */
  cell(column: string): string
}

const unreadable = (row: ExportRow, column: string, wanted: string): BillFault =>
  new BillFault(
    'unreadable_cell',
    `line ${row.number}: ${column} is ${row.cell(column) === '' ? 'empty' : `“${quoted(row.cell(column))}”`}, not ${wanted}`,
  )

const plainDay = /^\d{4}-\d{2}-\d{2}$/
const utcTime = /^(\d{4}-\d{2}-\d{2})[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?UTC|Z|\+00:?00)?$/
const otherTime = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)? ?[+-]\d{2}:?\d{2}$/
const unixTime = /^1\d{9}(?:\.0*|\d{3})?$/

/**
 * The day of a cell in a zone: a date as it is, an instant in the zone's days.
 * @throws BillFault unreadable_cell
 */
export function dayCell(row: ExportRow, column: string, zone: string): string {
  const text = row.cell(column)
  const day = plainDay.test(text) ? text : (utcTime.exec(text)?.[1] ?? null)
  if (day !== null && Number.isNaN(Date.parse(day))) throw unreadable(row, column, 'a day')
  if (day !== null && (zone === 'UTC' || day === text)) return day
  const time = instantOf(text)
  if (Number.isNaN(time)) throw unreadable(row, column, 'a day such as 2026-10-31')
  return dayIn(time as Ms, zone)
}

function instantOf(text: string): number {
  if (unixTime.test(text)) return Number(text) * (Number(text) < 1e11 ? 1000 : 1)
  if (utcTime.test(text))
    return Date.parse(`${text.replace(/ ?UTC$|Z$|\+00:?00$/, '').replace(' ', 'T')}Z`)
  return otherTime.test(text) ? Date.parse(text.replace(' ', 'T').replace(' ', '')) : Number.NaN
}

/** `1234.5`, `1,234.50`, `$0.02`, `(1.20)`, `1e-7`; with a comma before its decimals only where told. */
const amountForm = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d*)?(?:e[-+]?\d{1,3})?$/i

function decimalOf(text: string, decimalComma: boolean): Decimal | null {
  const bare = latinDigits(text).replaceAll(/[$\s\u00a0']|US\$|USD/g, '')
  const negative = /^\((.*)\)$/.exec(bare)
  const signed = negative === null ? bare : `-${negative[1]}`
  const plain =
    decimalComma && signed.includes(',') ? signed.replaceAll('.', '').replace(',', '.') : signed
  if (!amountForm.test(plain) || !/\d/.test(plain)) return null
  return new Exact(plain.replaceAll(',', ''))
}

/**
 * Dollars; null where the cell is empty.
 * @throws BillFault unreadable_cell
 */
export function amountCell(row: ExportRow, column: string, decimalComma = false): Decimal | null {
  const text = row.cell(column)
  if (text === '') return null
  const amount = decimalOf(text, decimalComma)
  // Dollars beyond this are no bill, and would not be exact as nano-dollars.
  if (amount === null || amount.abs().greaterThan(9e6)) throw unreadable(row, column, 'an amount')
  return amount
}

/**
 * A count from 0; undefined where the cell is empty. Vendors write `10.0` too.
 * @throws BillFault unreadable_cell
 */
export function countCell(
  row: ExportRow,
  column: string,
  decimalComma = false,
): number | undefined {
  const text = row.cell(column)
  if (text === '') return undefined
  // Nearly all there are.
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const count = decimalOf(text, decimalComma)?.toNumber() ?? Number.NaN
  if (!(count >= 0 && count <= Number.MAX_SAFE_INTEGER)) throw unreadable(row, column, 'a count')
  return count
}

/**
 * Refuses a bill in another currency: what a dollar was on that day is not ours to guess.
 * @throws BillFault other_currency
 */
export function checkCurrency(currency: string): void {
  if (currency !== '' && !/^(?:usd|us\$|\$)$/i.test(currency))
    throw new BillFault(
      'other_currency',
      `the bill is in ${quoted(currency)}: export it in US dollars, or add a column of dollars and name it with --columns amount=…`,
    )
}
