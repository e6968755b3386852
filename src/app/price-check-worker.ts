/** The thread in which public prices are checked. */
import { systemClock } from '../domain/clock'
import { openStorage } from '../storage/open'
import { checkPrices } from './price-check'
import type { PriceCheckAnswer, PriceCheckOrder } from './price-check-thread'
import { openSourceWays } from './price-sources'

declare const self: Worker

async function run(order: PriceCheckOrder): Promise<PriceCheckAnswer> {
  const { folder, actor, sources, whole, policy, discovery, sandbox } = order
  const storage = openStorage({ folder, exclusive: false, clock: systemClock, actor })
  try {
    const check = await checkPrices(
      { storage, discovery, sandbox: async () => sandbox },
      { sources, whole, policy, ways: openSourceWays(), clock: systemClock },
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
