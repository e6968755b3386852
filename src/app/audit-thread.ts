import type { AuditReport } from '../ledger/store'
import type { DatabaseAddress } from '../storage/database-address'
import { askThread } from './ask-thread'

/** Data to audit, for a thread. */
export interface AuditOrder {
  readonly folder: string
  /** Instead of the folder's own. */
  readonly database: DatabaseAddress | null
}

/** Years of calls take minutes. */
const maxMs = 600_000

/** Audits the ledger in a thread with a connection of its own: each transfer is read. @throws Error */
export const auditInThread = (order: AuditOrder): Promise<AuditReport> =>
  askThread(new URL('./audit-worker.ts', import.meta.url), order, { what: 'audit', maxMs })
