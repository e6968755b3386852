import type { AuditReport } from '../../../ledger/store'
import { audit, auditPart } from '../../../ledger/store/audit'
import { nothingUnsummed } from '../../../ledger/store/audit-checks'
import type { Connection } from '../../../storage/sqlite/connection'
import type { DatabaseAddress } from '../../../storage/database-address'
import { baseAudited, sinceAudited, type ChangedPeriods } from './move-audit'
import { connectPostgres } from '../../../storage/postgres/blocking-connection'

/** Of a move: indexes of many rows, and audits, take their time. */
export const moveTimeoutMs = 6 * 3_600_000

/**
 * Audits the first copy, while a gateway goes on writing to what it is of.
 * @throws RangeError where it finds a difference
 */
export const auditFirst = (moving: DatabaseAddress, changed: ChangedPeriods): void =>
  withStores(moving, (connection) => refuseDifferences(auditPart(connection, baseAudited(changed))))

/**
 * Audits what came behind the first copy, and all sums.
 * @throws RangeError where it finds a difference
 */
export const auditEnd = (moving: DatabaseAddress, changed: ChangedPeriods): AuditReport =>
  withStores(moving, (connection) => {
    const report = audit(connection, [], nothingUnsummed, sinceAudited(changed))
    refuseDifferences(report.differences)
    return report
  })

function refuseDifferences(differences: readonly string[]): void {
  if (differences.length > 0)
    throw new RangeError(
      `the copy does not add up: ${differences.slice(0, 3).join('; ')}; nothing of it is left`,
    )
}

/** Works on the database as the stores do. */
function withStores<Result>(
  address: DatabaseAddress,
  work: (connection: Connection) => Result,
): Result {
  const connection = connectPostgres({
    address,
    name: 'chapar audit',
    statementTimeoutMs: moveTimeoutMs,
  })
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}
