/** The thread in which public prices are checked. */
import { systemClock, type Clock, type Ms } from '../domain/clock'
import { openBeside } from '../storage/open'
import { checkPrices } from './price-check'
import type { PriceCheckAnswer, PriceCheckOrder } from './price-check-thread'
import { openSourceWays } from './price-sources'

declare const self: Worker

async function run(order: PriceCheckOrder): Promise<PriceCheckAnswer> {
  const { folder, database, claim, actor, sources, whole, policy, discovery, sandbox } = order
  const { clockAheadMs = 0 } = order
  const clock: Clock = { now: () => (systemClock.now() + clockAheadMs) as Ms }
  const storage = await openBeside({ folder, database, claim, actor, clock })
  try {
    const check = await checkPrices(
      { storage, discovery, sandbox: async () => sandbox },
      { sources, whole, policy, ways: openSourceWays(), clock },
    )
    return { check }
  } finally {
    await storage.close()
  }
}

self.addEventListener('message', ({ data }: MessageEvent<PriceCheckOrder>) => {
  void run(data).then(
    (answer) => postMessage(answer),
    (thrown: unknown) => {
      // Uncaught: the main thread is told what it was.
      setTimeout(() => {
        throw thrown
      })
    },
  )
})
