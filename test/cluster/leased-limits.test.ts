/** Limits of two nodes, over the reference model of the exchange. */
import { expect, test } from 'bun:test'
import { openLeasedLimits } from '../../src/server/cluster/leased-limits'
import { systemMonotonic } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import { openLeasedLedger } from '../../src/ledger/leased/leased-ledger'
import { openStoreEngine } from '../ledger/leased/model/store-engine'
import { customer, memoryStorage } from '../storage/folder'

const settings = {
  kycCeiling: nanoUsd(2_000_000_000),
  serviceDayCapacity: null,
  flushMs: 1,
  pendingAfterMs: 1000,
}
const rpm = 600

async function openNodes() {
  const storage = memoryStorage()
  const caller = await customer(storage, { usd: '1', key: { requestsPerMinute: rpm } })
  const now = () => performance.now()
  const engine = openStoreEngine({
    store: storage.ledger,
    ttlMs: 10_000,
    now,
    onQuestion() {},
    defer: queueMicrotask,
  })
  const open = (node: number) => {
    engine.register(node)
    const ledger = openLeasedLedger({
      node,
      settings,
      now,
      beatMs: null,
      onFault() {},
      engine: engine.answer.bind(engine),
    })
    const limits = openLeasedLimits({
      monotonic: systemMonotonic,
      settings: { addressRpm: 600, failedAttempts: 20 } as never,
      attemptWindowMs: 60_000,
      maxOfOneAddress: 100,
      overloaded: () => false,
      ledger,
    })
    return { ledger, take: async () => (await limits.takeRequest(caller)).remaining }
  }
  return [open(1), open(2)] as const
}

test('the remaining requests are those of all nodes, whoever has which slice', async () => {
  const nodes = await openNodes()
  let taken = 0
  for (let turn = 0; turn < 12; turn++) {
    const node = nodes[turn % 2]
    const remaining = (await node?.take()) ?? Number.NaN
    taken++
    // A node hears of the others' last requests with its next exchange; slices they did not use are left.
    expect(remaining).toBeGreaterThanOrEqual(rpm - taken)
    expect(remaining).toBeLessThanOrEqual(rpm - Math.ceil(taken / 2))
  }
  for (const { ledger } of nodes) ledger.refresh()
  // Each tells the others within a quarter of a second, with no call to carry it.
  await Bun.sleep(400)
  const [first] = nodes
  expect((await first.take()) + 12 + 1).toBeWithin(rpm, rpm + 7)
})
