import { openSharedKeyFile } from '../../../storage/files/key-file'
import { writeBackupFile } from './backup'
import { connect } from '../../../storage/sqlite/connect'
import { openSchema } from '../sqlite/schema-access'
import type { Clock } from '../../../domain/clock'
import type { DatabaseAddress } from '../../../storage/database-address'
import { openDatabase } from '../../../storage/postgres/connect'
import { copyOut } from '../migrate/copy-out'
import { refuseNewer } from '../../../storage/postgres/migrate'
import { examined } from '../../../storage/postgres/examine-server'
import { reachable } from '../../../storage/postgres/reachable'

/** What is copied may be large; each statement is not. */
const statementTimeoutMs = 600_000

/**
 * Everything of a database on PostgreSQL in one file, as `writeBackup` makes them of a folder, also
 * while gateways serve from it.
 * @param folder that has its secret @returns the file's size in bytes
 * @throws RangeError where the folder has no secret, or another one's, where the database was made by a
 *   newer program, of which something would be left out, and as of `reachable`
 */
export async function writePostgresBackup(
  named: DatabaseAddress,
  folder: string,
  file: string,
  clock: Clock,
): Promise<number> {
  const keys = openSharedKeyFile(folder)
  const place = { folder, isShared: true }
  const address = await examined(named)
  return await reachable(address, () =>
    writeBackupFile(file, { keys, place, clock }, async (draft) => {
      await using sql = openDatabase({ address, max: 2, name: 'chapar backup', statementTimeoutMs })
      const copy = connect(draft)
      try {
        openSchema(copy, { folder: null, locked: true, mayMigrate: true })
        await refuseNewer(sql)
        await copyOut(sql, copy)
      } finally {
        copy.close()
      }
    }),
  )
}
