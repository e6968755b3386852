/** The thread in which public prices are checked. */
import type { PriceCheck } from '../../business/pricing/price-check'
import { systemClock, type Clock, type Ms } from '../../domain/clock'
import { openBeside } from '../../business/data/open'
import { answerOrders } from '../process/answer-orders'
import { checkPrices } from './price-check'
import type { PriceCheckOrder } from './price-check-thread'
import { openSourceWays } from './price-sources'

async function run(order: PriceCheckOrder): Promise<PriceCheck> {
  const { folder, database, claim, actor, sources, whole, policy, discovery, sandbox } = order
  const { clockAheadMs = 0 } = order
  const clock: Clock = { now: () => (systemClock.now() + clockAheadMs) as Ms }
  const storage = await openBeside({ folder, database, claim, actor, clock })
  try {
    return await checkPrices(
      { storage, discovery, sandbox: async () => sandbox },
      { sources, whole, policy, ways: openSourceWays(), clock },
    )
  } finally {
    await storage.close()
  }
}

answerOrders(run)
