import type { AuditReport } from '../store'
import type { SpoolRecord } from '../spool-record'
import { houseAccounts } from '../system-accounts'
import {
  checks,
  mostDifferences,
  nothingUnsummed,
  periodChecks,
  rowChecks,
  type Unsummed,
} from './audit-checks'
import { everything, type Audited } from './audit-mark'
import type { Check } from './audit-check'
import type { Connection } from '../../storage/sqlite/connection'
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
  audited: Audited = everything,
): AuditReport {
  const { raw } = connection
  const waiting = waitingIn(connection, spooled)
  const count = (rows: string): number =>
    raw.prepare<{ count: number }, []>(`SELECT count(*) AS count FROM ${rows}`).get()?.count ?? 0
  const differences = found(connection, checks(houseAccounts.revenue, unsummed, audited))
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

/**
 * A part of `audit`: looks at calls and transfers one by one, and at periods.
 * @returns what does not belong together
 */
export const auditPart = (connection: Connection, audited: Audited): readonly string[] =>
  found(connection, [
    ...rowChecks(houseAccounts.revenue, nothingUnsummed, audited),
    ...periodChecks(nothingUnsummed, audited),
  ])

const found = ({ raw }: Connection, all: readonly Check[]): readonly string[] =>
  all.flatMap(({ sql, tell }) =>
    raw
      .prepare<{ subject: string; kept: bigint; real: bigint }, [number]>(sql)
      .safeIntegers(true)
      .all(mostDifferences)
      .map(tell),
  )
