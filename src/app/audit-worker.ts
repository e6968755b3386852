/** The thread in which the ledger is audited. */
import { systemClock } from '../domain/clock'
import type { AuditReport } from '../ledger/store'
import { openBeside } from '../storage/open'
import { answerOrders } from './answer-orders'
import type { AuditOrder } from './audit-thread'

answerOrders(async ({ folder, database }: AuditOrder): Promise<AuditReport> => {
  const storage = await openBeside({ folder, database, actor: 'service', clock: systemClock })
  try {
    return await storage.audit()
  } finally {
    await storage.close()
  }
})
