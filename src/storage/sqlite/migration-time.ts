import { existsSync } from 'node:fs'
import { databaseIn } from '../files/data-folder'
import { migrations } from '../migrations.macro' with { type: 'macro' }
import { connect } from './connect'
import type { Connection } from './connection'
import { stepsOf } from './migrate'
import { floorOf } from './schema-floor'

/** Rows that a step goes through in a millisecond, on a slow disk. */
const rowsPerMs = 200

/** Statements that go through all rows of a table: an index, a change of rows, a table that is built anew. */
const passes = [
  /\bCREATE (?:UNIQUE )?INDEX\b[^(]*\bON [`"]?(\w+)/i,
  /^\s*UPDATE [`"]?(\w+)/i,
  /^\s*DELETE FROM [`"]?(\w+)/i,
  /\bSELECT\b[\s\S]*\bFROM [`"]?(\w+)/i,
]

/**
 * About how long the steps of the schema last that this program would bring the database of a folder up by; without end
 * where the program of before may not write beside them.
 */
export function migrationMs(folder: string): number {
  if (!existsSync(databaseIn(folder))) return 0
  const connection = connect(databaseIn(folder))
  try {
    const all = migrations()
    const { applied, pending } = stepsOf(connection, all, folder)
    if (floorOf(all).writer > applied) return Number.POSITIVE_INFINITY
    const rows = pending
      .flatMap(({ sql }) => sql)
      .flatMap((statement) => passes.flatMap((pass) => pass.exec(statement)?.[1] ?? []))
      .reduce((sum, table) => sum + rowsOf(connection, table), 0)
    return Math.round(rows / rowsPerMs)
  } finally {
    connection.close()
  }
}

/** By its newest row; 0 for a table that a step makes. */
function rowsOf({ raw }: Connection, table: string): number {
  try {
    const row = raw.prepare<{ rows: number }, []>(
      `SELECT coalesce(max(rowid), 0) AS rows FROM "${table}"`,
    )
    return row.get()?.rows ?? 0
  } catch {
    return 0
  }
}
