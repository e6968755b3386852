import type { Database } from 'bun:sqlite'
import type { AuditReport } from '../../ledger/store'
import { audit } from '../sqlite/audit'
import type { DatabaseAddress } from '../database-address'
import { openDatabase, schemaName } from './connect'
import { copyIn, type Copied } from './copy-in'
import { migratePostgres } from './migrate'
import { connectPostgres } from './sync-connection'

/** What is copied may be large; each statement is not. */
const statementTimeoutMs = 600_000

/** What became of a move. */
export interface MovedIn extends Copied {
  readonly audit: AuditReport
}

/**
 * Makes a new database on PostgreSQL that has all that one of SQLite has, and audits it.
 * @throws RangeError where there is a database of ours already, or where the copy does not add up:
 *   nothing of it is left then
 */
export async function moveIn(lite: Database, address: DatabaseAddress): Promise<MovedIn> {
  await using sql = openDatabase({ address, max: 1, name: 'chapar migrate', statementTimeoutMs })
  let copied: Copied | null = null
  await migratePostgres(sql, async (connection) => {
    copied = await copyIn(lite, connection)
  })
  if (copied === null)
    throw new RangeError(`${address.shown} holds data of this program already: name a new database`)
  const { tables, rows }: Copied = copied
  const report = auditOf(address)
  if (report.ok) return { tables, rows, audit: report }
  await sql.unsafe(`DROP SCHEMA ${schemaName} CASCADE`)
  throw new RangeError(
    `the copy does not add up: ${report.differences.slice(0, 3).join('; ')}; nothing of it is left`,
  )
}

function auditOf(address: DatabaseAddress): AuditReport {
  const connection = connectPostgres({ address, name: 'chapar audit', statementTimeoutMs })
  try {
    return audit(connection)
  } finally {
    connection.close()
  }
}
