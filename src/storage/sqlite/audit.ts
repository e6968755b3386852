import type { AuditReport } from '../../ledger/store'
import type { SpoolRecord } from '../../ledger/spool-record'
import { houseAccounts } from '../house'
import { checks, mostDifferences, nothingUnsummed, type Unsummed } from './audit-checks'
import type { Connection } from './database'
import { waitingIn } from './replay'

/**
 * Recomputes everything from the transfers; reads only. Each check has a consistent view of its own:
 * one for all would keep the log from beginning anew for as long as all of them take. All of the
 * work is the database's: memory stays that of a handful of rows.
 * @param spooled records of the spool beside it
 */
export function audit(
  connection: Connection,
  spooled: readonly SpoolRecord[] = [],
  unsummed: Unsummed = nothingUnsummed,
): AuditReport {
  const { raw } = connection
  const waiting = waitingIn(connection, spooled)
  const count = (rows: string): number =>
    raw.prepare<{ count: number }, []>(`SELECT count(*) AS count FROM ${rows}`).get()?.count ?? 0
  const differences = checks(houseAccounts.revenue, unsummed).flatMap(({ sql, tell }) =>
    raw
      .prepare<{ subject: string; kept: bigint; real: bigint }, [number]>(sql)
      .safeIntegers(true)
      .all(mostDifferences)
      .map(tell),
  )
  return {
    ok: differences.length === 0,
    accounts: count('accounts WHERE id > 0'),
    transfers: count('transfers'),
    requests: count('requests'),
    pending: count(`requests WHERE status = 'pending'`),
    spooled: waiting.calls,
    spooledCost: waiting.cost,
    differences,
  }
}
