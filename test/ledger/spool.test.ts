import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import type { EndingSpool } from '../../src/ledger/ending-spool'
import { openLedger } from '../../src/ledger/open-ledger'
import type { LedgerStore } from '../../src/ledger/store'
import { customer, ending, memoryStorage, opening } from '../storage/folder'

/** A ledger whose database and spool fail when asked to, and that commits when asked to. */
async function open() {
  const storage = memoryStorage()
  const caller = await customer(storage, { usd: '1' })
  const writes: string[] = []
  const state = { databaseFails: false, spoolFails: false, diskFull: false, cleared: 0, faults: 0 }
  const store: LedgerStore = {
    ...storage.ledger,
    commit(batch, durable) {
      if (state.databaseFails) throw new Error('database or disk is full')
      return storage.ledger.commit(batch, durable)
    },
  }
  const spool: EndingSpool = {
    append(lines) {
      if (state.spoolFails) throw new Error('no space left on device')
      writes.push(lines)
    },
    clear: () => void state.cleared++,
    reserve: () => true,
    extend: () => !state.diskFull,
    close() {},
  }
  const ledger = openLedger({
    store,
    spool,
    settings: {
      kycCeiling: nanoUsd(2_000_000_000),
      serviceDayCapacity: null,
      flushMs: 1,
      pendingAfterMs: 1_000_000,
    },
    onFault: () => void state.faults++,
  })
  const begin = () =>
    ledger.hold({ caller, amount: nanoUsd(10), opening: opening(caller, 1_764_000_000_000 as Ms) })
  const balance = () => ledger.funds(caller.account.id).balance
  return { storage, state, writes, ledger, begin, balance }
}

const whole = nanoUsd(1_000_000_000)
/** Until a timer has run. */
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await Bun.sleep(1)
}

describe('before a client is told', () => {
  test('all that ended together is in the spool, by one write', async () => {
    const { begin, ledger, writes } = await open()
    const told: Promise<void>[] = []
    for (let call = 0; call < 3; call++) {
      begin().settle(ending(nanoUsd(7)))
      told.push(Promise.resolve(ledger.spooled()))
    }
    expect(writes).toEqual([])
    await Promise.all(told)
    const recordsIn = (line: string) =>
      (JSON.parse(line.slice('crc32hex '.length)) as unknown[]).length
    expect(writes.map(recordsIn)).toEqual([3])
  })

  test('what costs nothing waits for nothing', async () => {
    const { begin, ledger, writes } = await open()
    begin().release(ending(nanoUsd(0)))
    expect(ledger.spooled()).toBeUndefined()
    ledger.spool()
    expect(writes).toEqual([])
  })

  test('what a call owes is there as soon as it is said', async () => {
    const { begin, writes } = await open()
    const { usage, vendor, vendorModel } = ending(nanoUsd(7))
    begin().owe({ usage, vendor, vendorModel, cost: nanoUsd(7) })
    expect(writes).toHaveLength(1)
  })

  test('a commit makes the spool empty, and what it wrote needs none', async () => {
    const { begin, ledger, writes, state } = await open()
    begin().settle(ending(nanoUsd(7)))
    ledger.flush()
    ledger.spool()
    expect([state.cleared, writes.length]).toEqual([1, 0])
  })
})

describe('a spool that cannot be written', () => {
  test('is no loss while the database can: it is committed at once', async () => {
    const { begin, ledger, state, storage } = await open()
    state.spoolFails = true
    const hold = begin()
    hold.settle(ending(nanoUsd(7)))
    await ledger.spooled()
    expect(await storage.audit()).toMatchObject({ ok: true, requests: 1 })
    expect(ledger.ready()).toBe(true)
  })

  test('and a database that cannot: no new call, no charge for what was not sent, until one can', async () => {
    const { begin, ledger, state, storage, balance } = await open()
    const paid = begin()
    const unsent = begin()
    paid.settle(ending(nanoUsd(5)))
    ledger.spool()
    state.spoolFails = state.databaseFails = state.diskFull = true
    unsent.settle(ending(nanoUsd(7)))
    let thrown: unknown = null
    try {
      await ledger.spooled()
    } catch (fault) {
      thrown = fault
      unsent.takeBack()
    }
    expect(thrown).toMatchObject({ code: 'gateway_error' })
    expect(balance()).toBe(nanoUsd(whole - 5))
    expect(ledger.ready()).toBe(false)
    expect(begin).toThrow('gateway_error')

    state.spoolFails = state.databaseFails = state.diskFull = false
    await until(ledger.ready)
    begin().settle(ending(nanoUsd(1)))
    ledger.flush()
    expect(balance()).toBe(nanoUsd(whole - 6))
    expect(await storage.audit()).toMatchObject({ ok: true, requests: 3, differences: [] })
  })
})

test('a database that cannot be written, where the disk has room: calls go on', async () => {
  const { begin, ledger, state, writes } = await open()
  state.databaseFails = true
  begin().settle(ending(nanoUsd(5)))
  ledger.spool()
  await until(() => state.faults > 0)
  expect(ledger.ready()).toBe(true)
  expect(writes).toHaveLength(1)
  state.diskFull = true
  await until(() => !ledger.ready())
  expect(begin).toThrow('gateway_error')
})
