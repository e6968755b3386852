import { expect, test } from 'bun:test'
import { nanoUsd, zeroUsd } from '../../../src/domain/money'
import type { CallOpening } from '../../../src/domain/record'
import { noUsage } from '../../../src/domain/usage'
import { inSpoolOrder, lastWords, PendingCalls } from '../../../src/ledger/leased/dead-front'
import {
  charge,
  customer,
  ending,
  memoryStorage,
  opening,
  balanceIn,
  spentIn,
} from '../../storage/folder'

/** A store, and calls of a process that is gone. */
async function openDesk() {
  const storage = memoryStorage()
  const caller = await customer(storage, { usd: '1' })
  const begin = (id: string): CallOpening => opening(caller, 1_764_000_000_000 as never, id)
  const bury = async (records: Parameters<typeof lastWords>[1], pending: PendingCalls) => {
    const batch = await lastWords(storage.ledger, records, pending)
    await storage.ledger.commit(batch, false)
    return batch
  }
  const costOf = (id: string) => storage.ledger.find(id as never)
  return { storage, caller, begin, bury, costOf }
}

const owed = (cost: number) => ({
  usage: noUsage,
  cost: nanoUsd(cost),
  vendor: 'standin',
  vendorModel: 'voice',
})
const held = nanoUsd(100)

test('calls of a process that died are charged as it spooled them, and what they owed, once', async () => {
  const { storage, begin, bury, costOf, caller } = await openDesk()
  const [spooled, pendingSpooled, owing, idle, done] = ['1', '2', '3', '4', '5'].map((n) =>
    begin(`req_${n}`),
  ) as [CallOpening, CallOpening, CallOpening, CallOpening, CallOpening]
  const pending = new PendingCalls()
  const calls = {
    opened: [pendingSpooled, owing, idle],
    owed: [{ opening: owing, owed: owed(7), held }],
    ended: [],
  }
  await storage.ledger.commit({ ...calls, spent: [] }, false)
  pending.heard(calls)
  await storage.ledger.commit(charge(done, 9), false)
  const answered = { ...pendingSpooled, model: 'second' }
  const records = [
    { opening: spooled, held, ending: ending(nanoUsd(10)) },
    { opening: answered, held, ending: ending(nanoUsd(20)) },
    { opening: owing, held, owed: owed(30) },
    { opening: owing, held, owed: owed(5) },
    { opening: done, held, ending: ending(nanoUsd(9)) },
  ]
  for (let time = 0; time < 2; time++) await bury(records, pending)
  expect(await Promise.all(['req_1', 'req_2', 'req_3', 'req_4', 'req_5'].map(costOf))).toEqual([
    { status: 'success', cost: nanoUsd(10) },
    { status: 'success', cost: nanoUsd(20) },
    { status: 'error', cost: nanoUsd(30) },
    { status: 'error', cost: zeroUsd },
    { status: 'success', cost: nanoUsd(9) },
  ])
  expect(await storage.reports.call('req_2', null)).toMatchObject({ model: 'second' })
  const spent = nanoUsd(69)
  expect(await balanceIn(storage, caller.account.id)).toBe(nanoUsd(1_000_000_000 - spent))
  expect(await spentIn(storage, { kind: 'key', id: caller.key.id, period: '' })).toBe(spent)
  expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
})

test('of two spools an ending counts, whichever is read first', async () => {
  const { begin } = await openDesk()
  const call = begin('req_1')
  const over = { opening: call, held, ending: ending(nanoUsd(10)) }
  const ordered = inSpoolOrder([over, { opening: call, held, owed: owed(3) }])
  expect(ordered.at(-1)).toBe(over)
})
