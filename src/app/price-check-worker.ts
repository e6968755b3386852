/** The thread in which public prices are checked. */
import { systemClock } from '../domain/clock'
import { exchangedLedger } from '../storage/postgres/exchanged-sums'
import { openPostgresStorage } from '../storage/postgres/open-storage'
import { openStorage } from '../storage/sqlite/open-storage'
import type { Storage } from '../storage/storage'
import { checkPrices } from './price-check'
import type { PriceCheckAnswer, PriceCheckOrder } from './price-check-thread'
import { openSourceWays } from './price-sources'

declare const self: Worker

async function run(order: PriceCheckOrder): Promise<PriceCheckAnswer> {
  const { sources, whole, policy, discovery, sandbox } = order
  const storage = await storageOf(order)
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

async function storageOf(order: PriceCheckOrder): Promise<Storage> {
  const { folder, database: address, claim, actor } = order
  const shared = { folder, clock: systemClock, actor }
  if (address === null) return openStorage({ ...shared, exclusive: false })
  const claimed = claim === null ? {} : { claim }
  return await openPostgresStorage({ ...shared, address, ledger: exchangedLedger, ...claimed })
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
