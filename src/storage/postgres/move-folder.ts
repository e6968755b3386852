import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import type { Clock } from '../../domain/clock'
import { databaseIn, movedIn, refuseMoved } from '../files/data-folder'
import { sync } from '../sqlite/backup'
import { connect } from '../sqlite/connect'
import { finishFills } from '../sqlite/finish-fills'
import { lockFolder } from '../files/folder-lock'
import { openStorage } from '../sqlite/open-storage'
import type { DatabaseAddress } from '../database-address'
import { openDatabase, schemaName } from './connect'
import { copySpeed, tablesOf } from './copy-in'
import { moveIn, type MovedIn } from './move-in'

/**
 * Moves all that a data folder has into a new database on PostgreSQL. The folder stays as it was, with a
 * note of where its data is; nobody serves it any more.
 * @throws DataFolderBusy while a gateway serves it
 * @throws RangeError as of `moveIn`
 */
export async function moveFolder(
  folder: string,
  address: DatabaseAddress,
  clock: Clock,
): Promise<MovedIn> {
  refuseMoved(folder)
  const storage = openStorage({ folder, exclusive: true, clock })
  try {
    // What an earlier process left is charged, and its sums are written.
    await storage.ledger.recover()
  } finally {
    await storage.close()
  }
  const unlock = lockFolder(folder)
  const filling = connect(databaseIn(folder))
  finishFills(filling)
  filling.close()
  const lite = new Database(databaseIn(folder), { readonly: true, strict: true })
  try {
    const moved = await moveIn(lite, address)
    writeFileSync(movedIn(folder), `${address.shown}\n`, { mode: 0o600 })
    sync(movedIn(folder))
    sync(folder)
    return moved
  } finally {
    lite.close()
    unlock()
  }
}

/** What a move would be like. */
interface TriedMove {
  readonly rows: number
  readonly seconds: number
}

/**
 * Tells how long a move takes, by copying some rows into a table that is gone at once.
 * @throws RangeError where there is a database of ours already
 */
export async function tryMove(folder: string, address: DatabaseAddress): Promise<TriedMove> {
  refuseMoved(folder)
  const lite = new Database(databaseIn(folder), { readonly: true, strict: true })
  await using sql = openDatabase({ address, max: 1, name: 'chapar migrate' })
  try {
    const there: unknown[] = await sql.unsafe(
      `SELECT 1 FROM information_schema.schemata WHERE schema_name = '${schemaName}'`,
    )
    if (there.length > 0)
      throw new RangeError(
        `${address.shown} holds data of this program already: name a new database`,
      )
    const count = (table: string): number =>
      lite.prepare<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()
        ?.count ?? 0
    const rows = tablesOf(lite).reduce((sum, table) => sum + count(table), 0)
    return { rows, seconds: Math.ceil(rows / (await copySpeed(lite, sql))) + 1 }
  } finally {
    lite.close()
  }
}
