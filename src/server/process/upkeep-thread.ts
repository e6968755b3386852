import type { AuditReport } from '../../ledger/store'
import type { DatabaseAddress } from '../../storage/database-address'
import { requestThread } from './ask-thread'

/** Data as a whole. */
interface DataPlace {
  readonly folder: string
  /** Instead of the folder's own. */
  readonly database: DatabaseAddress | null
}

/** Work on all data, for a thread. */
export interface UpkeepOrder extends DataPlace {
  /** File that a backup is written to; null for an audit. */
  readonly backup: string | null
}

/** Audit's report; null of a backup. */
export type UpkeepAnswer = AuditReport | null

/** Years of calls take minutes. */
const maxMs = 600_000

const requestUpkeep = (order: UpkeepOrder, what: string): Promise<UpkeepAnswer> =>
  requestThread(new URL('./upkeep-worker.ts', import.meta.url), order, { what, maxMs })

/** Audits the ledger in a thread with a connection of its own: each transfer is read. @throws Error */
export async function auditInThread(place: DataPlace): Promise<AuditReport> {
  const report = await requestUpkeep({ ...place, backup: null }, 'audit')
  if (report === null) throw new Error('the audit has no report')
  return report
}

/** Writes everything to one file, in a thread with a connection of its own. @throws Error */
export const backUpInThread = (place: DataPlace, backup: string): Promise<unknown> =>
  requestUpkeep({ ...place, backup }, 'backup')
