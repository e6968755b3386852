import { describe, expect, test } from 'bun:test'
import { nanoUsd, zeroUsd } from '../../src/domain/money'
import type { Usage } from '../../src/domain/usage'
import {
  customer,
  ending,
  ledgerOf,
  opening,
  testFolder,
  balanceIn,
  spentIn,
} from '../storage/folder'

const usageOf = (input: number): Usage => ({
  units: { input, output_audio: 7 },
  reasoning: 0,
  estimated: false,
})
const owed = (cost: number, input = 10) => ({
  usage: usageOf(input),
  cost: nanoUsd(cost),
  vendor: 'standin',
  vendorModel: 'voice',
})

/** A process that opens a call which owes twice and then dies, or ends it. */
async function open() {
  const folder = testFolder()
  const storage = folder.open()
  const caller = await customer(storage, { usd: '1' })
  const ledger = ledgerOf(storage)
  const begun = (id: string) =>
    ledger.hold({
      caller,
      amount: nanoUsd(1000),
      opening: opening(caller, folder.clock.now(), id),
    })
  return {
    folder,
    storage,
    caller,
    ledger,
    begun,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

describe('what a call owes while it goes on', () => {
  test('is written with its record, and charged to nobody', async () => {
    using it = await open()
    ;(await it.begun('req_1')).owe(owed(300))
    await it.ledger.flush()
    expect(await it.storage.reports.call('req_1', null)).toMatchObject({
      status: 'pending',
      cost: nanoUsd(300),
      inputTokens: 10,
      units: { input: 10, output_audio: 7 },
      vendor: 'standin',
    })
    expect(await balanceIn(it.storage, it.caller.account.id)).toBe(nanoUsd(1_000_000_000))
    expect(await it.storage.audit()).toMatchObject({ pending: 1, differences: [] })
  })

  test('is charged once when the process dies, with every sum and nothing else', async () => {
    using it = await open()
    const hold = await it.begun('req_1')
    hold.owe(owed(300))
    await it.ledger.flush()
    hold.owe(owed(450, 20))
    await it.begun('req_2')
    await it.ledger.flush()
    expect(await it.storage.ledger.recover()).toBe(2)
    expect(await it.storage.ledger.find('req_1' as never)).toEqual({
      status: 'error',
      cost: nanoUsd(450),
    })
    expect(await it.storage.ledger.find('req_2' as never)).toEqual({
      status: 'error',
      cost: zeroUsd,
    })
    expect(await balanceIn(it.storage, it.caller.account.id)).toBe(nanoUsd(999_999_550))
    const { key } = it.caller
    expect(await spentIn(it.storage, { kind: 'key', id: key.id, period: '' })).toBe(nanoUsd(450))
    expect(await it.storage.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
    expect(await it.storage.ledger.recover()).toBe(0)
    expect(await balanceIn(it.storage, it.caller.account.id)).toBe(nanoUsd(999_999_550))
  })

  test('gives way to what the call costs in the end', async () => {
    using it = await open()
    const hold = await it.begun('req_1')
    hold.owe(owed(300))
    await it.ledger.flush()
    hold.owe(owed(400))
    hold.settle(ending(nanoUsd(500), { usage: usageOf(40) }))
    await it.ledger.flush()
    expect(await it.storage.ledger.find('req_1' as never)).toEqual({
      status: 'success',
      cost: nanoUsd(500),
    })
    expect(it.ledger.heldInAll()).toBe(zeroUsd)
    expect(await it.storage.ledger.recover()).toBe(0)
    expect(await balanceIn(it.storage, it.caller.account.id)).toBe(nanoUsd(999_999_500))
    expect(await it.storage.audit()).toMatchObject({ ok: true, differences: [] })
  })

  test('never becomes less, neither while it runs nor at its end', async () => {
    using it = await open()
    const hold = await it.begun('req_1')
    hold.owe(owed(300))
    expect(() => hold.owe(owed(299))).toThrow('owes less than before')
    expect(() => hold.settle(ending(nanoUsd(299)))).toThrow('below what it owes')
    expect(() => hold.release(ending(zeroUsd))).toThrow('below what it owes')
    hold.settle(ending(nanoUsd(300)))
    expect(() => hold.owe(owed(400))).toThrow('is closed')
  })
})
