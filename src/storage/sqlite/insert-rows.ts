import type { Database, SQLQueryBindings } from 'bun:sqlite'

type Row = readonly SQLQueryBindings[]

/** Writes rows in order. @returns the id of the last one; null when there was none */
export type InsertRows = (rows: readonly Row[]) => number | null

/** A statement costs about as much as a row: so many rows share one. */
const rowsAtOnce = 8

/**
 * @param into `INSERT INTO table (columns) VALUES`
 * @param row the values of one row in parentheses, with a question mark for each that differs
 */
export function prepareInsertRows(raw: Database, into: string, row: string): InsertRows {
  const one = raw.prepare(`${into} ${row}`)
  const many = raw.prepare(`${into} ${Array.from({ length: rowsAtOnce }, () => row).join(', ')}`)
  return (rows) => {
    let last: number | bigint | null = null
    let at = 0
    for (; at + rowsAtOnce <= rows.length; at += rowsAtOnce)
      last = many.run(...rows.slice(at, at + rowsAtOnce).flat()).lastInsertRowid
    for (; at < rows.length; at++) last = one.run(...(rows[at] ?? [])).lastInsertRowid
    return last === null ? null : Number(last)
  }
}
