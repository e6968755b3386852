export type CsvCell = string | number | boolean | null

/** One line of comma-separated values (RFC 4180); what a spreadsheet would take for a formula is text. */
export const csvLine = (cells: readonly CsvCell[]): string =>
  cells.map((cell) => (cell === null ? '' : quoted(String(cell)))).join(',')

function quoted(cell: string): string {
  const text = /^[=+@\t\r]|^-(?!\d)/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
