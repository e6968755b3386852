/** The thread in which the ledger is audited, and backups are written. */
import { systemClock } from '../../domain/clock'
import { openBeside } from '../../business/data/open'
import { backUp } from '../../business/data/maintenance'
import { answerOrders } from './answer-orders'
import type { UpkeepAnswer, UpkeepOrder } from './upkeep-thread'

answerOrders(async ({ folder, database, backup }: UpkeepOrder): Promise<UpkeepAnswer> => {
  if (backup !== null) {
    await backUp({ folder, database }, backup, systemClock)
    return null
  }
  const storage = await openBeside({ folder, database, actor: 'service', clock: systemClock })
  try {
    return await storage.audit()
  } finally {
    await storage.close()
  }
})
