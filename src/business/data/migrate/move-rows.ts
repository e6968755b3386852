import type { SQL } from 'bun'
import { copyRows, type CopyPlace } from './copy-in'
import type { GrowingRows, RowMark } from './growing-rows'
import { sinceSql } from './move-audit'

/** Lists that are made of the rows of another table. */
const derivedOf: Readonly<Record<string, (from: string) => string>> = {
  requests: (from) =>
    `INSERT INTO account_calls (account, request)
     SELECT account, id FROM ${from} WHERE status <> 'pending' ORDER BY account, id`,
}

/** Copies the rows that a table had at a moment into one that has none yet. */
export async function beginRows(
  sql: SQL,
  rows: GrowingRows,
  mark: RowMark,
  onRows: (rows: number) => void,
): Promise<void> {
  const table = `"${rows.table}"`
  await sql.begin(async (connection) => {
    await connection.unsafe(`TRUNCATE ${table}`)
    await copyRows(connection, placeOf(rows, table, true), rows.fresh(mark), onRows)
  })
  const derived = derivedOf[rows.table]
  if (derived !== undefined) await sql.unsafe(derived(table))
}

/** Copies the rows that came since, up to another moment. */
export async function addRows(
  sql: SQL,
  rows: GrowingRows,
  mark: RowMark,
  onRows: (rows: number) => void,
): Promise<void> {
  if (rows.waiting(mark) === 0) return
  await sql.begin(async (connection) => {
    await connection.unsafe(
      `CREATE TEMPORARY TABLE fresh_rows (LIKE "${rows.table}" INCLUDING DEFAULTS) ON COMMIT DROP`,
    )
    await copyRows(connection, placeOf(rows, 'fresh_rows', false), rows.fresh(mark), onRows)
    await connection.unsafe(`INSERT INTO "${rows.table}" SELECT * FROM fresh_rows`)
    for (const also of [derivedOf[rows.table], sinceSql[rows.table]])
      if (also !== undefined) await connection.unsafe(also('fresh_rows'))
  })
}

const placeOf = ({ columns }: GrowingRows, table: string, isNew: boolean): CopyPlace => ({
  table,
  columns,
  isNew,
})
