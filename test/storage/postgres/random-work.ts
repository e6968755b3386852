import type { Caller } from '../../../src/domain/caller'
import { nanoUsd } from '../../../src/domain/money'
import type { CallOpening } from '../../../src/domain/record'
import type { VideoJob } from '../../../src/domain/video-job'
import { openStorage } from '../../../src/business/data/sqlite/open-storage'
import type { Storage } from '../../../src/business/data/storage'
import { orderVideo } from '../../endpoints/videos/order'
import { charge, customer, noBatch, opening, type TestFolder } from '../folder'

/** What a gateway and its operators do, one thing after the other, by a seed. */
export async function workIn(folder: TestFolder, seed: number) {
  let state = seed * 7919
  const below = (end: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * end)
  }
  const storage: Storage = openStorage({
    folder: folder.path,
    exclusive: true,
    clock: folder.clock,
  })
  const callers: Caller[] = []
  const running: CallOpening[] = []
  const ordered: VideoJob[] = []
  const charged: { readonly call: CallOpening; readonly cost: number }[] = []
  const join = async () => void callers.push(await customer(storage, { usd: '500' }))
  await join()
  const pick = (): Caller => callers[below(callers.length)] ?? fail()
  const begin = (): CallOpening => opening(pick(), folder.clock.now())
  const end = (call: CallOpening, cost: number, wasOpened: boolean) => {
    if (cost > 0) charged.push({ call, cost })
    return storage.ledger.commit(charge(call, cost, wasOpened), false)
  }
  const things: readonly (() => unknown)[] = [
    () => end(begin(), 1000 + below(9000), false),
    () => end(begin(), 1000 + below(9000), false),
    () => end(begin(), 0, false),
    () => {
      const call = begin()
      running.push(call)
      return storage.ledger.commit({ ...noBatch, opened: [call] }, false)
    },
    () => {
      const [call] = running.splice(below(running.length), 1)
      return call && end(call, below(2) * 4000, true)
    },
    async () => {
      const [given] = charged.splice(below(charged.length), 1)
      if (given === undefined) return
      const { call, cost } = given
      const { account, project, key, model, id, created } = call
      const about = { note: 'so it was asked', told: false, by: 'test' }
      const place = { account, project, key, model, request: id, opened: created }
      await storage.refunds.refund({ ...place, ...about, amount: nanoUsd(1 + below(cost)) })
    },
    async () =>
      void ordered.push(await orderVideo(storage, pick(), folder.clock.now(), below(2) * 4000)),
    () => {
      const [job] = ordered.splice(below(ordered.length), 1)
      if (job === undefined) return
      const status = (['completed', 'failed', 'cancelled'] as const)[below(3)] ?? 'failed'
      return storage.videos.advance([{ job: { ...job, status }, claimed: null }], false)
    },
    () => storage.ledger.sumUp(1 + below(3)),
    () => storage.ledger.sumUp(Number.POSITIVE_INFINITY),
    () => folder.clock.set(folder.clock.now() + below(20) * 3_600_000),
    join,
    () => storage.settings.set('service-zone', below(2) === 0 ? 'UTC' : 'Asia/Tehran'),
  ]
  return {
    storage,
    /** Charges somebody who never calls again, and has not come into the sums yet. */
    async callOnce(): Promise<void> {
      const once = await customer(storage, { usd: '1' })
      await end(opening(once, folder.clock.now()), 5000, false)
      charged.pop()
    },
    step: async (): Promise<void> => void (await things[below(things.length)]?.()),
  }
}

function fail(): never {
  throw new Error('nobody calls')
}
