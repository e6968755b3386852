import { describe, expect, test } from 'bun:test'
import type { Caller } from '../../src/domain/caller'
import type { Ms } from '../../src/domain/clock'
import type { AccountId, KeyId } from '../../src/domain/ids'
import { nanoUsd, zeroUsd, type NanoUsd } from '../../src/domain/money'
import { openLedger } from '../../src/ledger/open-ledger'
import type { Batch, LedgerStore } from '../../src/ledger/store'
import { ending, opening } from '../storage/folder'

/** A store that remembers what it was told, and fails when asked to. */
function fakeStore(start = 1000) {
  const batches: { batch: Batch; durable: boolean }[] = []
  const balances = new Map<AccountId, number>()
  const sums = new Map<string, number>()
  const state = { failing: null as Error | null, reads: 0 }
  let told = () => {}
  const store: LedgerStore = {
    balance(account) {
      state.reads++
      return nanoUsd(balances.get(account) ?? start)
    },
    spent({ kind, id, period }) {
      state.reads++
      return nanoUsd(sums.get(`${kind} ${id} ${period}`) ?? 0)
    },
    commit(batch, durable) {
      queueMicrotask(told)
      if (state.failing !== null) throw state.failing
      batches.push({ batch, durable })
      const charged = new Map<AccountId, NanoUsd>()
      for (const { opening: open, ending: end } of batch.ended) {
        if (end.cost === 0) continue
        const balance = (balances.get(open.account) ?? start) - end.cost
        balances.set(open.account, balance)
        charged.set(open.account, nanoUsd(balance))
      }
      for (const { scope, amount } of batch.spent) {
        const name = `${scope.kind} ${scope.id} ${scope.period}`
        sums.set(name, (sums.get(name) ?? 0) + amount)
      }
      return charged
    },
    sumUp: () => false,
    recover: () => 0,
    find: () => null,
  }
  /** Resolves when a commit was tried, whatever came of it. */
  const committed = () => new Promise<void>((resolve) => (told = resolve))
  return { store, batches, sums, state, committed }
}

const caller = (id = 1): Caller => ({
  account: {
    id: id as AccountId,
    name: 'a',
    status: 'active',
    verified: true,
    dailyCap: null,
    concurrency: 8,
    requestsPerMinute: 60,
    maxRequestKb: 1,
    noticeFloor: null,
  },
  project: {
    id: id as Caller['project']['id'],
    account: id as AccountId,
    name: 'p',
    active: true,
    allowedModels: null,
    monthlyBudget: null,
  },
  key: {
    id: id as KeyId,
    project: id as Caller['project']['id'],
    name: 'k',
    prefix: 'sk',
    state: 'active',
    requestsPerMinute: null,
    spendLimit: null,
    allowedModels: null,
    allowedAddresses: null,
    expiresAt: null,
  },
})

const noon = Date.parse('2026-11-20T12:00:00Z') as Ms
const dayMs = 86_400_000

function open(flushMs = 1_000_000, fake = fakeStore()) {
  const faults: unknown[] = []
  const ledger = openLedger({
    store: fake.store,
    settings: {
      kycCeiling: nanoUsd(2_000_000_000),
      serviceDayCapacity: null,
      flushMs,
      pendingAfterMs: flushMs,
    },
    onFault: (fault) => void faults.push(fault),
  })
  const begin = (amount: number, from = caller(), at = noon) =>
    ledger.hold({ caller: from, amount: nanoUsd(amount), opening: opening(from, at) })
  return { ...fake, ledger, begin, faults }
}

describe('what is written', () => {
  test('a call that begins and ends between two commits is one record', () => {
    const { begin, ledger, batches } = open()
    begin(10).settle(ending(nanoUsd(7)))
    ledger.flush()
    expect(batches).toHaveLength(1)
    expect(batches[0]?.batch.opened).toEqual([])
    expect(batches[0]?.batch.ended).toMatchObject([{ held: 10, wasOpened: false }])
  })

  test('a call that is still running is written as pending once, and ended later', () => {
    const { begin, ledger, batches } = open()
    const hold = begin(10)
    ledger.flush()
    ledger.flush()
    hold.grow(nanoUsd(5))
    hold.settle(ending(nanoUsd(12)))
    ledger.flush()
    expect(batches.map(({ batch }) => [batch.opened.length, batch.ended.length])).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(batches[1]?.batch.ended).toMatchObject([{ held: 15, wasOpened: true }])
  })

  test('charges of many calls come as one amount a sum', () => {
    const { begin, ledger, batches } = open()
    for (const cost of [1, 2, 4]) begin(10).settle(ending(nanoUsd(cost)))
    begin(10).release(ending(zeroUsd))
    ledger.flush()
    const spent: unknown[] | undefined = batches[0]?.batch.spent.map(({ scope, amount }) => [
      scope,
      amount,
    ])
    expect(spent).toEqual([
      [{ kind: 'key', id: 1, period: '' }, 7],
      [{ kind: 'project-month', id: 1, period: '2026-11' }, 7],
      [{ kind: 'account', id: 1, period: '' }, 7],
      [{ kind: 'account-day', id: 1, period: '2026-11-20' }, 7],
      [{ kind: 'service-day', id: 0, period: '2026-11-20' }, 7],
    ])
    expect(batches[0]?.batch.ended).toHaveLength(4)
  })

  test('calls gather for a moment and are written without being asked', async () => {
    const { begin, committed, batches } = open(1)
    const done = committed()
    begin(10).settle(ending(nanoUsd(1)))
    begin(10).settle(ending(nanoUsd(1)))
    expect(batches).toHaveLength(0)
    await done
    expect(batches[0]?.batch.ended).toHaveLength(2)
    expect(batches[0]?.durable).toBe(false)
  })

  test('a flush of nothing writes nothing, unless it must be durable', () => {
    const { ledger, batches } = open()
    ledger.flush()
    expect(batches).toHaveLength(0)
    ledger.flush(true)
    expect(batches).toMatchObject([{ durable: true, batch: { opened: [], ended: [] } }])
  })
})

describe('when the database does not write', () => {
  test('nothing is lost, every decision still counts it, and it is tried again', async () => {
    const { begin, ledger, batches, state, faults, committed, sums } = open(1)
    state.failing = new Error('database is locked')
    let tried = committed()
    begin(600).settle(ending(nanoUsd(600)))
    await tried
    expect(faults).toEqual([state.failing])
    expect(ledger.funds(1 as AccountId)).toMatchObject({ balance: 400, available: 400 })
    expect(() => begin(401)).toThrow('insufficient_credit')
    begin(300).settle(ending(nanoUsd(300)))
    tried = committed()
    state.failing = null
    await tried
    expect(batches).toHaveLength(1)
    expect(batches[0]?.batch.ended).toHaveLength(2)
    expect(sums.get('key 1 ')).toBe(900)
    expect(ledger.funds(1 as AccountId)).toMatchObject({ balance: 100, held: 0 })
    ledger.flush()
    expect(batches).toHaveLength(1)
  })

  test('whoever asks for a flush is told, and a later one writes it', () => {
    const { begin, ledger, batches, state } = open()
    const running = begin(10)
    begin(10).settle(ending(nanoUsd(3)))
    state.failing = new Error('disk full')
    expect(() => ledger.flush(true)).toThrow('disk full')
    running.settle(ending(nanoUsd(4)))
    state.failing = null
    ledger.flush(true)
    // The pending row was never written, so there is none to be ended.
    expect(batches[0]?.batch.opened).toEqual([])
    expect(batches[0]?.batch.ended.map(({ wasOpened }) => wasOpened)).toEqual([false, false])
  })

  test('calls are refused once a hundred thousand wait', () => {
    const { begin, ledger, state } = open()
    state.failing = new Error('disk full')
    for (let i = 0; i < 100_000; i++) begin(0).release(ending(zeroUsd))
    expect(() => begin(0)).toThrow('gateway_error')
    expect(ledger.heldInAll()).toBe(zeroUsd)
    state.failing = null
    ledger.flush()
    begin(0).release(ending(zeroUsd))
  })
})

describe('when it closes', () => {
  test('what waits is written durably', () => {
    const { begin, ledger, batches } = open()
    begin(10).settle(ending(nanoUsd(3)))
    ledger.close()
    expect(batches).toMatchObject([{ durable: true, batch: { ended: [{ held: 10 }] } }])
  })

  test('a call that ends later is written at once, and no other begins', () => {
    const { begin, ledger, batches } = open()
    const hold = begin(10)
    ledger.close()
    expect(() => begin(1)).toThrow('gateway_error')
    hold.settle(ending(nanoUsd(3)))
    expect(batches[1]).toMatchObject({ durable: true, batch: { ended: [{ wasOpened: true }] } })
    expect(ledger.heldInAll()).toBe(zeroUsd)
  })
})

describe('what is read', () => {
  test('a key is read from the database once, not once a call', () => {
    const { begin, ledger, state } = open()
    begin(1).settle(ending(nanoUsd(1)))
    const { reads } = state
    for (let i = 0; i < 100; i++) {
      begin(1).settle(ending(nanoUsd(1)))
      if (i % 10 === 0) ledger.flush()
    }
    expect(state.reads).toBe(reads)
  })

  test('after a refresh each sum in use is read once more', () => {
    const { begin, ledger, state } = open()
    begin(1)
    const { reads } = state
    ledger.refresh()
    begin(1)
    begin(1)
    ledger.funds(1 as AccountId)
    expect(state.reads).toBe(2 * reads)
  })

  test('when the day changes what is idle is forgotten, and what is in use is not', () => {
    const { begin, ledger, state } = open()
    begin(1, caller(1)).settle(ending(nanoUsd(1)))
    const running = begin(1, caller(2))
    const free = begin(0, caller(3))
    ledger.flush()
    begin(1, caller(4), (noon + dayMs) as Ms)
    const { reads } = state
    ledger.funds(2 as AccountId)
    ledger.funds(3 as AccountId)
    expect(state.reads).toBe(reads)
    ledger.funds(1 as AccountId)
    expect(state.reads).toBe(reads + 1)
    // A call that held nothing may still be charged, next to others of its account.
    begin(400, caller(3), (noon + dayMs) as Ms).settle(ending(nanoUsd(400)))
    free.settle(ending(nanoUsd(50)))
    running.settle(ending(nanoUsd(1)))
    expect(ledger.funds(3 as AccountId)).toMatchObject({ balance: 550, held: 0 })
    ledger.flush()
    expect(ledger.funds(3 as AccountId)).toMatchObject({ balance: 550, held: 0 })
  })

  test('calls of two days side by side do not drive each other out of memory', () => {
    const { begin, ledger, state } = open()
    const late = (noon + dayMs) as Ms
    const both = () => {
      begin(1, caller(1), late).settle(ending(nanoUsd(1)))
      begin(1, caller(1), noon).settle(ending(nanoUsd(1)))
      ledger.flush()
    }
    both()
    const { reads } = state
    for (let i = 0; i < 20; i++) both()
    expect(state.reads).toBe(reads)
  })
})

test('a hold of less than nothing is a fault', () => {
  const { begin, ledger } = open()
  expect(() => begin(-1)).toThrow('a hold of -1')
  const hold = begin(5)
  expect(() => hold.grow(nanoUsd(-1))).toThrow('a hold of -1')
  expect(() => hold.settle(ending(nanoUsd(-1)))).toThrow('negative cost')
  expect(() => hold.release(ending(nanoUsd(1)))).toThrow('has a cost')
  hold.release(ending(zeroUsd))
  expect(ledger.heldInAll()).toBe(zeroUsd)
})
