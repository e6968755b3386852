import { describe, expect, test } from 'bun:test'
import { presetsOf } from '../../src/domain/fields/field'
import { keyFields } from '../../src/domain/fields/key-fields'
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
  /** Behind what comes of the commit, and before any timer. */
  const tellSoon = async () => {
    for (let turns = 0; turns < 20; turns++) await Promise.resolve()
    told()
  }
  const store: LedgerStore = {
    async sums(scopes) {
      state.reads += scopes.length
      return scopes.map((scope) =>
        scope.kind === 'balance'
          ? nanoUsd(balances.get(scope.id) ?? start)
          : nanoUsd(sums.get(`${scope.kind} ${scope.id} ${scope.period}`) ?? 0),
      )
    },
    async commit(batch, durable) {
      void tellSoon()
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
    sumUp: async () => false,
    recover: async () => 0,
    find: async () => null,
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
    group: null,
    unverifiedCeiling: null,
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
    ...presetsOf(keyFields),
    requestsPerMinute: null,
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
  test('a call that begins and ends between two commits is one record', async () => {
    const { begin, ledger, batches } = open()
    ;(await begin(10)).settle(ending(nanoUsd(7)))
    await ledger.flush()
    expect(batches).toHaveLength(1)
    expect(batches[0]?.batch.opened).toEqual([])
    expect(batches[0]?.batch.ended).toMatchObject([{ held: 10, wasOpened: false }])
  })

  test('a call that is still running is written as pending once, and ended later', async () => {
    const { begin, ledger, batches } = open()
    const hold = await begin(10)
    await ledger.flush()
    await ledger.flush()
    hold.grow(nanoUsd(5))
    hold.settle(ending(nanoUsd(12)))
    await ledger.flush()
    expect(batches.map(({ batch }) => [batch.opened.length, batch.ended.length])).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(batches[1]?.batch.ended).toMatchObject([{ held: 15, wasOpened: true }])
  })

  test('charges of many calls come as one amount a sum', async () => {
    const { begin, ledger, batches } = open()
    for (const cost of [1, 2, 4]) (await begin(10)).settle(ending(nanoUsd(cost)))
    ;(await begin(10)).release(ending(zeroUsd))
    await ledger.flush()
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
    ;(await begin(10)).settle(ending(nanoUsd(1)))
    ;(await begin(10)).settle(ending(nanoUsd(1)))
    expect(batches).toHaveLength(0)
    await done
    expect(batches[0]?.batch.ended).toHaveLength(2)
    expect(batches[0]?.durable).toBe(false)
  })

  test('a flush of nothing writes nothing, unless it must be durable', async () => {
    const { ledger, batches } = open()
    await ledger.flush()
    expect(batches).toHaveLength(0)
    await ledger.flush(true)
    expect(batches).toMatchObject([{ durable: true, batch: { opened: [], ended: [] } }])
  })
})

describe('when the database does not write', () => {
  test('nothing is lost, every decision still counts it, and it is tried again', async () => {
    const { begin, ledger, batches, state, faults, committed, sums } = open(1)
    state.failing = new Error('database is locked')
    let tried = committed()
    ;(await begin(600)).settle(ending(nanoUsd(600)))
    await tried
    expect(faults).toEqual([state.failing])
    expect(await ledger.funds(1 as AccountId)).toMatchObject({ balance: 400, available: 400 })
    expect(begin(401)).rejects.toThrow('insufficient_credit')
    ;(await begin(300)).settle(ending(nanoUsd(300)))
    tried = committed()
    state.failing = null
    await tried
    expect(batches).toHaveLength(1)
    expect(batches[0]?.batch.ended).toHaveLength(2)
    expect(sums.get('key 1 ')).toBe(900)
    expect(await ledger.funds(1 as AccountId)).toMatchObject({ balance: 100, held: 0 })
    await ledger.flush()
    expect(batches).toHaveLength(1)
  })

  test('whoever asks for a flush is told, and a later one writes it', async () => {
    const { begin, ledger, batches, state } = open()
    const running = await begin(10)
    ;(await begin(10)).settle(ending(nanoUsd(3)))
    state.failing = new Error('disk full')
    expect(ledger.flush(true)).rejects.toThrow('disk full')
    running.settle(ending(nanoUsd(4)))
    state.failing = null
    await ledger.flush(true)
    // The pending row was never written, so there is none to be ended.
    expect(batches[0]?.batch.opened).toEqual([])
    expect(batches[0]?.batch.ended.map(({ wasOpened }) => wasOpened)).toEqual([false, false])
  })

  test('calls are refused once a hundred thousand wait', async () => {
    const { begin, ledger, state } = open()
    state.failing = new Error('disk full')
    for (let i = 0; i < 100_000; i++) (await begin(0)).release(ending(zeroUsd))
    expect(begin(0)).rejects.toThrow('gateway_error')
    expect(ledger.heldInAll()).toBe(zeroUsd)
    state.failing = null
    await ledger.flush()
    ;(await begin(0)).release(ending(zeroUsd))
  })
})

describe('while a commit is under way', () => {
  test('what is charged counts beside it, and is the next one’s', async () => {
    const fake = fakeStore()
    let goOn = () => {}
    const commit: LedgerStore['commit'] = async (batch, durable) => {
      await new Promise<void>((resolve) => (goOn = resolve))
      return await fake.store.commit(batch, durable)
    }
    const { begin, ledger, batches } = open(1_000_000, {
      ...fake,
      store: { ...fake.store, commit },
    })
    ;(await begin(400)).settle(ending(nanoUsd(400)))
    const running = await begin(500)
    const first = ledger.flush()
    await tick()
    running.settle(ending(nanoUsd(500)))
    const second = ledger.flush()
    expect(await ledger.funds(1 as AccountId)).toMatchObject({ balance: 100, held: 0 })
    goOn()
    await first
    expect(await ledger.funds(1 as AccountId)).toMatchObject({ balance: 100, held: 0 })
    expect(begin(101)).rejects.toThrow('insufficient_credit')
    expect(batches.map(({ batch }) => batch.ended.length)).toEqual([1])
    await tick()
    goOn()
    await second
    // Its pending row was written by the first.
    expect(batches[1]?.batch.ended.map(({ wasOpened }) => wasOpened)).toEqual([true])
    expect(await ledger.funds(1 as AccountId)).toMatchObject({ balance: 100, held: 0 })
  })

  test('that fails, what was charged before and since is written together', async () => {
    const fake = fakeStore()
    let fail = (_: Error) => {}
    const failing = { ...fake.store }
    const commit: LedgerStore['commit'] = (batch, durable) => failing.commit(batch, durable)
    failing.commit = () => new Promise((_, reject) => (fail = reject))
    const { begin, ledger, batches } = open(1_000_000, {
      ...fake,
      store: { ...fake.store, commit },
    })
    ;(await begin(400)).settle(ending(nanoUsd(400)))
    const running = await begin(500)
    const first = ledger.flush().catch(String)
    await tick()
    running.settle(ending(nanoUsd(500)))
    fail(new Error('disk full'))
    expect(await first).toBe('Error: disk full')
    expect(await ledger.funds(1 as AccountId)).toMatchObject({ balance: 100, held: 0 })
    failing.commit = fake.store.commit
    await ledger.flush()
    expect(batches.map(({ batch }) => batch.ended.map(({ ending: { cost } }) => cost))).toEqual([
      [400, 500].map(nanoUsd),
    ])
    expect(await ledger.funds(1 as AccountId)).toMatchObject({ balance: 100, held: 0 })
  })
})

/** Until everything that waits for nothing else is done. */
const tick = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('when it closes', () => {
  test('what waits is written durably', async () => {
    const { begin, ledger, batches } = open()
    ;(await begin(10)).settle(ending(nanoUsd(3)))
    await ledger.close()
    expect(batches).toMatchObject([{ durable: true, batch: { ended: [{ held: 10 }] } }])
  })

  test('a call that ends later is written at once, and no other begins', async () => {
    const { begin, ledger, batches, committed } = open()
    const hold = await begin(10)
    await ledger.close()
    expect(begin(1)).rejects.toThrow('gateway_error')
    const tried = committed()
    hold.settle(ending(nanoUsd(3)))
    await tried
    expect(batches[1]).toMatchObject({ durable: true, batch: { ended: [{ wasOpened: true }] } })
    expect(ledger.heldInAll()).toBe(zeroUsd)
  })
})

describe('what is read', () => {
  test('a key is read from the database once, not once a call', async () => {
    const { begin, ledger, state } = open()
    ;(await begin(1)).settle(ending(nanoUsd(1)))
    const { reads } = state
    for (let i = 0; i < 100; i++) {
      ;(await begin(1)).settle(ending(nanoUsd(1)))
      if (i % 10 === 0) await ledger.flush()
    }
    expect(state.reads).toBe(reads)
  })

  test('after a refresh each sum in use is read once more', async () => {
    const { begin, ledger, state } = open()
    await begin(1)
    const { reads } = state
    ledger.refresh()
    await begin(1)
    await begin(1)
    await ledger.funds(1 as AccountId)
    expect(state.reads).toBe(2 * reads)
  })

  test('when the day changes what is idle is forgotten, and what is in use is not', async () => {
    const { begin, ledger, state } = open()
    ;(await begin(1, caller(1))).settle(ending(nanoUsd(1)))
    const running = await begin(1, caller(2))
    const free = await begin(0, caller(3))
    await ledger.flush()
    await begin(1, caller(4), (noon + dayMs) as Ms)
    const { reads } = state
    await ledger.funds(2 as AccountId)
    await ledger.funds(3 as AccountId)
    expect(state.reads).toBe(reads)
    await ledger.funds(1 as AccountId)
    expect(state.reads).toBe(reads + 1)
    // A call that held nothing may still be charged, next to others of its account.
    ;(await begin(400, caller(3), (noon + dayMs) as Ms)).settle(ending(nanoUsd(400)))
    free.settle(ending(nanoUsd(50)))
    running.settle(ending(nanoUsd(1)))
    expect(await ledger.funds(3 as AccountId)).toMatchObject({ balance: 550, held: 0 })
    await ledger.flush()
    expect(await ledger.funds(3 as AccountId)).toMatchObject({ balance: 550, held: 0 })
  })

  test('calls of two days side by side do not drive each other out of memory', async () => {
    const { begin, ledger, state } = open()
    const late = (noon + dayMs) as Ms
    const both = async () => {
      ;(await begin(1, caller(1), late)).settle(ending(nanoUsd(1)))
      ;(await begin(1, caller(1), noon)).settle(ending(nanoUsd(1)))
      await ledger.flush()
    }
    await both()
    const { reads } = state
    for (let i = 0; i < 20; i++) await both()
    expect(state.reads).toBe(reads)
  })
})

test('a hold of less than nothing is a fault', async () => {
  const { begin, ledger } = open()
  expect(begin(-1)).rejects.toThrow('a hold of -1')
  const hold = await begin(5)
  expect(() => hold.grow(nanoUsd(-1))).toThrow('a hold of -1')
  expect(() => hold.settle(ending(nanoUsd(-1)))).toThrow('negative cost')
  expect(() => hold.release(ending(nanoUsd(1)))).toThrow('has a cost')
  hold.release(ending(zeroUsd))
  expect(ledger.heldInAll()).toBe(zeroUsd)
})
