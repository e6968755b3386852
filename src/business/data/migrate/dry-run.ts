import { Database } from 'bun:sqlite'
import type { SQL } from 'bun'
import { databaseIn, refuseMoved } from '../../../storage/files/data-folder'
import type { DatabaseAddress } from '../../../storage/database-address'
import { openDatabase } from '../../../storage/postgres/connect'
import { columnsOf, copyRows, countRows, wholeTable } from './copy-in'
import { refuseTaken } from './move'
import { examined } from '../../../storage/postgres/examine-server'
import { reachable } from '../../../storage/postgres/reachable'
import { tablesThat } from './moved-tables'

/** Estimate of a move. */
interface TriedMove {
  readonly rows: number
  /** In all. */
  readonly seconds: number
  /** For which nobody is served, besides what running calls take to end. */
  readonly stopSeconds: number
}

/**
 * Tells how long a move takes, by copying some rows into a table that is gone at once.
 * @throws RangeError where there is a database of ours already, or none can be made
 */
export async function tryMove(folder: string, named: DatabaseAddress): Promise<TriedMove> {
  refuseMoved(folder)
  const address = await examined(named)
  const lite = new Database(databaseIn(folder), { readonly: true, strict: true })
  await using sql = openDatabase({ address, max: 1, name: 'chapar migrate' })
  try {
    await reachable(address, () => refuseTaken(sql, address))
    const rows = countRows(lite)
    const [late, grown] = [
      countRows(lite, tablesThat('whole')),
      countRows(lite, tablesThat('grows')),
    ]
    const speed = await copySpeed(lite, sql)
    const stopSeconds = Math.ceil(late / speed + grown / comparedInSecond) + 2
    return { rows, seconds: Math.ceil((rows - late) / speed) + stopSeconds, stopSeconds }
  } finally {
    lite.close()
  }
}

/** Rows that are copied to tell how fast that is. */
const triedRows = 20_000
/** Indexes, sums and checks come on top of the rows; measured on a copy of three million calls. */
const shareOfRows = 0.5
/** Rows of calls and transfers that both sides add up at the end; measured on the same. */
const comparedInSecond = 1_000_000
const usualSpeed = 50_000

/** Rows that a move copies in a second, all in all. */
async function copySpeed(lite: Database, sql: SQL): Promise<number> {
  const columns = columnsOf(lite, 'requests')
  const began = performance.now()
  const rows = await sql.begin(async (connection) => {
    const types = columns.map((name) => `"${name}" text`).join(', ')
    await connection.unsafe(`CREATE TEMPORARY TABLE tried_rows (${types}) ON COMMIT DROP`)
    const place = { table: 'pg_temp.tried_rows', columns }
    return await copyRows(
      connection,
      place,
      wholeTable(lite, 'requests', `(SELECT * FROM requests LIMIT ${triedRows}) t`),
    )
  })
  return rows < 1000 ? usualSpeed : (rows / (performance.now() - began)) * 1000 * shareOfRows
}
