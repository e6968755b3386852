export type CsvCell = string | number | boolean | null

/**
 * One line of comma-separated values (RFC 4180), without its end. A cell that a spreadsheet would take
 * for a formula gets an apostrophe in front (OWASP, CSV Injection): names are typed by people.
 */
export const csvLine = (cells: readonly CsvCell[]): string =>
  cells.map((cell) => (cell === null ? '' : quoted(String(cell)))).join(',')

function quoted(cell: string): string {
  const isFormula = /^[=+@\t\r-]/.test(cell) && !/^-\d+(?:\.\d+)?$/.test(cell)
  const text = isFormula ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
