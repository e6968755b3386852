import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import type { EndingSpool } from '../../src/ledger/ending-spool'
import { openLedger } from '../../src/ledger/open-ledger'
import type { LedgerStore } from '../../src/ledger/store'
import { customer, ending, memoryStorage, opening } from '../storage/folder'
import { neverMs, until } from '../support/pace'

/** A ledger whose database and spool fail when asked to, and that commits when asked to. */
async function open() {
  const storage = memoryStorage()
  const caller = await customer(storage, { usd: '1' })
  const writes: string[] = []
  const state = {
    databaseFails: false,
    spoolFails: false,
    diskFull: false,
    cleared: 0,
    faults: 0,
    committing: Promise.resolve(),
  }
  const store: LedgerStore = {
    ...storage.ledger,
    async commit(batch, durable) {
      await state.committing
      if (state.databaseFails) throw new Error('database or disk is full')
      return await storage.ledger.commit(batch, durable)
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
      pendingAfterMs: neverMs,
    },
    onFault: () => void state.faults++,
  })
  const begin = () =>
    ledger.hold({ caller, amount: nanoUsd(10), opening: opening(caller, 1_764_000_000_000 as Ms) })
  const balance = async () => (await ledger.funds(caller.account.id)).balance
  return { storage, state, writes, ledger, begin, balance }
}

const whole = nanoUsd(1_000_000_000)

describe('before a client is told', () => {
  test('all that ended together is in the spool, by one write', async () => {
    const { begin, ledger, writes } = await open()
    const told: Promise<void>[] = []
    const holds = [await begin(), await begin(), await begin()]
    for (const hold of holds) {
      hold.settle(ending(nanoUsd(7)))
      told.push(ledger.spooled())
    }
    expect(writes).toEqual([])
    await Promise.all(told)
    const recordsIn = (line: string) =>
      (JSON.parse(line.slice('crc32hex '.length)) as unknown[]).length
    expect(writes.map(recordsIn)).toEqual([3])
  })

  test('what costs nothing waits for nothing', async () => {
    const { begin, ledger, writes } = await open()
    ;(await begin()).release(ending(nanoUsd(0)))
    expect(await ledger.spooled()).toBeUndefined()
    await ledger.spooled()
    expect(writes).toEqual([])
  })

  test('what a call owes is there as soon as it is said', async () => {
    const { begin, writes } = await open()
    const { usage, vendor, vendorModel } = ending(nanoUsd(7))
    ;(await begin()).owe({ usage, vendor, vendorModel, cost: nanoUsd(7) })
    expect(writes).toHaveLength(1)
  })

  test('a commit makes the spool empty, and what it wrote needs none', async () => {
    const { begin, ledger, writes, state } = await open()
    ;(await begin()).settle(ending(nanoUsd(7)))
    await ledger.flush()
    await ledger.spooled()
    expect([state.cleared, writes.length]).toEqual([1, 0])
  })
})

test('a commit that is over leaves in the spool what ended while it was under way', async () => {
  const { begin, ledger, writes, state } = await open()
  const [first, second] = [await begin(), await begin()]
  first.settle(ending(nanoUsd(7)))
  const { promise, resolve } = Promise.withResolvers<void>()
  state.committing = promise
  const over = ledger.flush()
  await Bun.sleep(0)
  second.settle(ending(nanoUsd(5)))
  await ledger.spooled()
  resolve()
  await over
  expect([writes.length, state.cleared]).toEqual([1, 0])
  await ledger.flush()
  expect(state.cleared).toBe(1)
})

describe('a spool that cannot be written', () => {
  test('is no loss while the database can: it is committed at once', async () => {
    const { begin, ledger, state, storage } = await open()
    state.spoolFails = true
    const hold = await begin()
    hold.settle(ending(nanoUsd(7)))
    await ledger.spooled()
    expect(await storage.audit()).toMatchObject({ ok: true, requests: 1 })
    expect(ledger.ready()).toBe(true)
  })

  test('and a database that cannot: no new call, no charge for what was not sent, until one can', async () => {
    const { begin, ledger, state, storage, balance } = await open()
    const paid = await begin()
    const unsent = await begin()
    paid.settle(ending(nanoUsd(5)))
    await ledger.spooled()
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
    expect(await balance()).toBe(nanoUsd(whole - 5))
    expect(ledger.ready()).toBe(false)
    expect(begin()).rejects.toThrow('gateway_error')

    state.spoolFails = state.databaseFails = state.diskFull = false
    await until(ledger.ready)
    ;(await begin()).settle(ending(nanoUsd(1)))
    await ledger.flush()
    expect(await balance()).toBe(nanoUsd(whole - 6))
    expect(await storage.audit()).toMatchObject({ ok: true, requests: 3, differences: [] })
  })
})

test('a database that cannot be written, where the disk has room: calls go on', async () => {
  const { begin, ledger, state, writes } = await open()
  state.databaseFails = true
  ;(await begin()).settle(ending(nanoUsd(5)))
  await ledger.spooled()
  await until(() => state.faults > 0)
  expect(ledger.ready()).toBe(true)
  expect(writes).toHaveLength(1)
  state.diskFull = true
  await until(() => !ledger.ready())
  expect(begin()).rejects.toThrow('gateway_error')
})
