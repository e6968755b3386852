import { describe, expect, test } from 'bun:test'
import type { Caller } from '../../../src/domain/caller'
import { nanoUsd, parseUsd, zeroUsd } from '../../../src/domain/money'
import type { EndingSpool } from '../../../src/ledger/ending-spool'
import { ExchangeRejected, type Engine } from '../../../src/ledger/leased/exchange'
import type { LeasedLedger } from '../../../src/ledger/leased/leased-contract'
import { openLeasedLedger } from '../../../src/ledger/leased/leased-ledger'
import { usualRules, type SliceRules } from '../../../src/ledger/leased/node-slices'
import { openStoreEngine } from './model/store-engine'
import type { Batch, LedgerStore } from '../../../src/ledger/store'
import {
  customer,
  ending,
  memoryStorage,
  opening,
  type CustomerOptions,
  balanceIn,
} from '../../storage/folder'
import { neverMs } from '../../support/pace'

interface DeskOptions {
  readonly customer?: CustomerOptions
  readonly flushMs?: number
  readonly spools?: readonly [EndingSpool, EndingSpool]
  readonly rules?: Partial<SliceRules>
}

/** Some processes before one store, which fails, waits or forgets a reply when asked to. */
async function openDesk({
  customer: options = { usd: '10' },
  flushMs = 1_000_000,
  spools,
  rules = {},
}: DeskOptions = {}) {
  const storage = memoryStorage()
  const caller = await customer(storage, options)
  const batches: { batch: Batch; durable: boolean }[] = []
  const lines: number[] = []
  const state = {
    failing: false,
    losesReply: false,
    gate: null as Promise<void> | null,
    faults: 0,
    time: 0,
    /** Calls that no store takes, by what of them it refuses. */
    rejected: new Map<string, 'success' | 'all'>(),
    unrecorded: [] as { id: string; cost: number }[],
  }
  const store: LedgerStore = {
    ...storage.ledger,
    commit(batch, durable) {
      if (state.failing) throw new Error('disk full')
      for (const { opening: call, ending: end } of batch.ended) {
        const refuses = state.rejected.get(call.id)
        if (refuses === 'all' || refuses === end.status)
          throw new ExchangeRejected(new Error('23514'))
      }
      batches.push({ batch, durable })
      return storage.ledger.commit(batch, durable)
    },
  }
  const now = () => state.time ?? performance.now()
  const nodes = new Map<number, LeasedLedger>()
  const engine = openStoreEngine({
    store,
    ttlMs: 1000,
    now,
    onQuestion: ({ node, scope, no }) => nodes.get(node)?.hint(scope, no),
    defer: queueMicrotask,
  })
  const answer: Engine = async (exchange) => {
    await state.gate
    lines.push(exchange.lines.length)
    const told = await engine.answer(exchange)
    if (!state.losesReply) return told
    state.losesReply = false
    throw new Error('connection reset')
  }
  const open = (node: number): LeasedLedger => {
    engine.register(node)
    const ledger = openLeasedLedger({
      node,
      engine: answer,
      spools: spools ?? null,
      settings: {
        kycCeiling: parseUsd('2'),
        serviceDayCapacity: null,
        flushMs,
        pendingAfterMs: neverMs,
      },
      rules: { ...usualRules, ttlMs: 1000, ...rules },
      beatMs: null,
      now,
      onFault: () => void state.faults++,
      onUnrecorded: ({ opening: { id }, cost }) =>
        void state.unrecorded.push({ id, cost: Number(cost) }),
    })
    nodes.set(node, ledger)
    return ledger
  }
  const hold = (ledger: LeasedLedger, usd: string, by: Caller = caller) =>
    ledger.hold({
      caller: by,
      amount: parseUsd(usd),
      opening: opening(by, 1_764_000_000_000 as never),
    })
  return { storage, caller, batches, lines, state, engine, open, hold }
}

const usd = (amount: string) => ending(parseUsd(amount))

describe('two processes with the money of one account', () => {
  test('share it, and spend no more than there is', async () => {
    const { open, hold, storage, caller } = await openDesk()
    const [one, two] = [open(1), open(2)]
    const holds = [await hold(one, '4'), await hold(two, '4'), await hold(one, '2')]
    expect(await faultOf(hold(two, '0.000000001'))).toBe('insufficient_credit')
    for (const each of holds) each.settle(ending(each.amount))
    await Promise.all([one.flush(), two.flush()])
    expect(await balanceIn(storage, caller.account.id)).toBe(zeroUsd)
    expect((await storage.audit()).differences).toEqual([])
  })

  test('ask each other for what is free, to the last nano-dollar', async () => {
    const { open, hold } = await openDesk({ customer: { usd: '1' } })
    const [one, two] = [open(1), open(2)]
    // Alone it was given everything.
    ;(await hold(one, '0.4')).release(usd('0'))
    const asked = hold(two, '1')
    const all = await asked
    expect(Number(all.amount)).toBe(Number(parseUsd('1')))
    all.release(usd('0'))
  })

  test('refuse with the code of the cap that stands in the way, whoever spent', async () => {
    const { open, hold } = await openDesk({
      customer: { usd: '10', key: { spendLimit: parseUsd('3') } },
    })
    const [one, two] = [open(1), open(2)]
    const first = await hold(one, '2')
    const refused = await hold(two, '1.5').catch((thrown: unknown) => thrown)
    expect(refused).toMatchObject({
      code: 'key_spend_limit_reached',
      facts: { limit: parseUsd('3'), needed: parseUsd('1.5') },
    })
    first.release(usd('0'))
  })

  test('heed a limit that was lowered at their next call, and one that was raised', async () => {
    const { open, hold, caller } = await openDesk({
      customer: { usd: '100', key: { spendLimit: parseUsd('50') } },
    })
    const [one, two] = [open(1), open(2)]
    ;(await hold(one, '1')).release(usd('0'))
    ;(await hold(two, '1')).release(usd('0'))
    const limited = (spendLimit: string): Caller => ({
      ...caller,
      key: { ...caller.key, spendLimit: parseUsd(spendLimit) },
    })
    const first = await hold(one, '2', limited('3'))
    expect(await faultOf(hold(two, '2', limited('3')))).toBe('key_spend_limit_reached')
    const second = await hold(two, '2', limited('6'))
    for (const each of [first, second]) each.release(usd('0'))
  })

  test('give a running call what the other has free, where its own slice ends', async () => {
    const { open, hold } = await openDesk({ customer: { usd: '1' } })
    const [one, two] = [open(1), open(2)]
    ;(await hold(one, '0.4')).release(usd('0'))
    const running = await hold(two, '0.1')
    expect(() => running.grow(parseUsd('0.8'))).toThrow('insufficient_credit')
    await running.growFromAll(parseUsd('0.8'))
    expect(Number(running.amount)).toBe(Number(parseUsd('0.9')))
    expect(await faultOf(running.growFromAll(parseUsd('0.2')))).toBe('insufficient_credit')
    running.release(usd('0'))
  })

  test('get back at once what one had that died', async () => {
    const { open, hold, engine } = await openDesk({ customer: { usd: '1' } })
    const [one, two] = [open(1), open(2)]
    await hold(one, '0.9')
    expect(await faultOf(hold(two, '0.5'))).toBe('insufficient_credit')
    await engine.retire(1)
    ;(await hold(two, '1')).release(usd('0'))
    expect(await faultOf(hold(one, '0.01'))).toBe('gateway_error')
  })
})

describe('a process that does not hear of its engine', () => {
  test('has what a warm account spends in half a lease, however fast that is', async () => {
    const { open, hold, state } = await openDesk({
      customer: { usd: '1000' },
      rules: { ttlMs: 10_000, coverMs: 10_000 },
    })
    const one = open(1)
    const spend = async (): Promise<boolean> => {
      state.time += 10
      const held = await Promise.race([hold(one, '0.1'), Bun.sleep(1).then(() => null)])
      held?.settle(usd('0.1'))
      return held !== null
    }
    // The other one has its part of what there is.
    ;(await hold(open(2), '0.1')).release(usd('0'))
    for (let call = 0; call < 300; call++) {
      expect(await spend()).toBe(true)
      await one.flush()
    }
    state.gate = new Promise(() => {})
    for (let call = 0; call < 500; call++) expect(await spend()).toBe(true)
  })

  test('goes on with what it has, and then takes no call', async () => {
    const { open, hold, state } = await openDesk()
    state.time = 0
    const ledger = open(1)
    ;(await hold(ledger, '1')).release(usd('0'))
    state.failing = true
    state.time = 899
    const last = await hold(ledger, '1')
    state.time = 900
    expect(ledger.ready()).toBe(false)
    expect(await faultOf(hold(ledger, '1'))).toBe('gateway_error')
    last.release(usd('0'))
  })
})

describe('exchanges', () => {
  test('bring the calls that gathered while one was on its way', async () => {
    const { open, hold, batches, state } = await openDesk()
    const ledger = open(1)
    ;(await hold(ledger, '1')).settle(usd('1'))
    const gate = Promise.withResolvers<void>()
    state.gate = gate.promise
    const first = ledger.flush()
    ;(await hold(ledger, '1')).settle(usd('0.5'))
    ;(await hold(ledger, '1')).settle(usd('0.5'))
    const second = ledger.flush()
    gate.resolve()
    await Promise.all([first, second])
    expect(batches.map(({ batch }) => batch.ended.length)).toEqual([1, 2])
    expect(await ledger.funds(batches[0]?.batch.ended[0]?.opening.account as never)).toMatchObject({
      balance: parseUsd('8'),
      held: zeroUsd,
    })
  })

  test('bring no more than four hundred calls', async () => {
    const { open, hold, batches } = await openDesk()
    const ledger = open(1)
    for (let call = 0; call < 900; call++) (await hold(ledger, '0.001')).settle(usd('0.001'))
    await ledger.flush()
    expect(batches.map(({ batch }) => batch.ended.length)).toEqual([400, 400, 100])
  })

  test('tell of so many scopes at a time, however many go back at once', async () => {
    const { storage, open, hold, engine, lines } = await openDesk({ rules: { maxLines: 20 } })
    const ledger = open(1)
    for (let each = 0; each < 60; each++) {
      const by = await customer(storage, { usd: '1' })
      ;(await hold(ledger, '0.001', by)).release(usd('0'))
    }
    await ledger.flush()
    expect(engine.leased()).toBeGreaterThan(0)
    lines.length = 0
    await ledger.close()
    expect(engine.leased()).toBe(0)
    expect(lines.length).toBeGreaterThan(2)
    expect(Math.max(...lines)).toBe(20)
  })

  test('whose reply was lost are sent again, and charge once', async () => {
    const { open, hold, batches, state, storage, caller } = await openDesk({ flushMs: 1 })
    const ledger = open(1)
    const running = await hold(ledger, '2')
    state.losesReply = true
    running.settle(usd('1.5'))
    while (state.faults === 0) await Bun.sleep(1)
    await ledger.flush(true)
    expect(batches.filter(({ batch }) => batch.ended.length > 0)).toHaveLength(1)
    expect(await balanceIn(storage, caller.account.id)).toBe(parseUsd('8.5'))
    expect(await ledger.funds(caller.account.id)).toMatchObject({ balance: parseUsd('8.5') })
  })

  test.each(['success', 'all'] as const)(
    'write every other call where one is rejected for good (%s)',
    async (refuses) => {
      const { open, hold, state, storage, caller, engine } = await openDesk()
      const ledger = open(1)
      const poison = 'req_poison'
      const begin = (id?: string) =>
        ledger.hold({
          caller,
          amount: parseUsd('0.1'),
          opening: opening(caller, 1_764_000_000_000 as never, id),
        })
      const holds = []
      for (let call = 0; call < 20; call++) holds.push(await begin(call === 7 ? poison : undefined))
      state.rejected.set(poison, refuses)
      for (const each of holds) each.settle(usd('0.1'))
      expect(await faultOf(ledger.flush())).toBe('exchange rejected')
      await ledger.flush()
      expect(state.unrecorded).toEqual([{ id: poison, cost: Number(parseUsd('0.1')) }])
      expect(await balanceIn(storage, caller.account.id)).toBe(parseUsd('8.1'))
      const row = await storage.ledger.find(poison as never)
      expect(row).toEqual(refuses === 'all' ? null : { status: 'error', cost: zeroUsd })
      // Nothing of it is held or owed here any more.
      const { available } = await ledger.funds(caller.account.id)
      expect(available).toBe(parseUsd('8.1'))
      ;(await hold(ledger, '8.1')).release(usd('0'))
      await ledger.close()
      expect(engine.leased()).toBe(0)
      expect((await storage.audit()).differences).toEqual([])
    },
  )

  test('that failed are tried again, and every decision counts them meanwhile', async () => {
    const { open, hold, state, storage, caller } = await openDesk()
    const ledger = open(1)
    ;(await hold(ledger, '6')).settle(usd('6'))
    state.failing = true
    expect(await faultOf(ledger.flush(true))).toBe('disk full')
    ;(await hold(ledger, '4')).settle(usd('4'))
    state.failing = false
    await ledger.flush(true)
    expect(await balanceIn(storage, caller.account.id)).toBe(zeroUsd)
    expect((await storage.audit()).differences).toEqual([])
  })
})

describe('slices in memory', () => {
  test('of a call that waits are the same when the day changes and idle ones are forgotten', async () => {
    const { open, hold, state, caller } = await openDesk({
      customer: { usd: '10', key: { spendLimit: parseUsd('3') } },
    })
    const ledger = open(1)
    const gate = Promise.withResolvers<void>()
    state.gate = gate.promise
    const waiting = hold(ledger, '2')
    const nextDay = (1_764_000_000_000 + 86_400_000) as never
    const late = ledger.hold({
      caller,
      amount: parseUsd('2'),
      opening: opening(caller, nextDay),
    })
    gate.resolve()
    const first = await waiting
    expect(await faultOf(late)).toBe('key_spend_limit_reached')
    first.settle(usd('2'))
    await ledger.flush()
    expect(await faultOf(hold(ledger, '1.1'))).toBe('key_spend_limit_reached')
  })

  test('do not let a call that held nothing grow beyond the balance', async () => {
    const { open, hold } = await openDesk({ customer: { usd: '1' } })
    const ledger = open(1)
    const running = await hold(ledger, '0')
    expect(() => running.grow(parseUsd('2'))).toThrow('insufficient_credit')
    await running.growFromAll(parseUsd('1'))
    expect(await faultOf(running.growFromAll(parseUsd('0.1')))).toBe('insufficient_credit')
    running.settle(usd('1'))
  })
})

describe('a call that goes on', () => {
  test('is written as pending, with what it owes and who answers, and ended once', async () => {
    const { open, hold, storage, batches } = await openDesk()
    const ledger = open(1)
    const running = await hold(ledger, '1')
    await ledger.flush()
    const id = batches[0]?.batch.opened[0]?.id ?? ''
    const usage = { units: { input: 3 }, reasoning: 0, estimated: false }
    running.owe({ usage, cost: nanoUsd(300), vendor: 'standin', vendorModel: 'voice' })
    await ledger.flush()
    expect(await storage.reports.call(id, null)).toMatchObject({ status: 'pending', cost: 300 })
    expect(() => running.owe({ usage, cost: nanoUsd(299), vendor: 'v', vendorModel: 'm' })).toThrow(
      'owes less than before',
    )
    running.settle(ending(nanoUsd(500)))
    await ledger.flush()
    expect(await storage.reports.call(id, null)).toMatchObject({ status: 'success', cost: 500 })
    expect(await storage.audit()).toMatchObject({ ok: true, pending: 0 })
  })

  test('that ends while its pending row is on its way has one record', async () => {
    const { open, hold, storage, state, batches } = await openDesk()
    const ledger = open(1)
    const running = await hold(ledger, '1')
    const gate = Promise.withResolvers<void>()
    state.gate = gate.promise
    const pending = ledger.flush()
    running.settle(usd('1'))
    const over = ledger.flush()
    gate.resolve()
    await Promise.all([pending, over])
    expect(batches.map(({ batch }) => [batch.opened.length, batch.ended.length])).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, requests: 1 })
  })
})

describe('spools', () => {
  test('take turns: what ends during an exchange is not cleared with it', async () => {
    const written: [string[], string[]] = [[], []]
    const cleared: number[] = []
    const spoolAt = (at: 0 | 1): EndingSpool => ({
      append: (line) => void written[at].push(line),
      clear: () => void cleared.push(at),
      reserve: () => true,
      extend: () => true,
      close() {},
    })
    const { open, hold, state } = await openDesk({ spools: [spoolAt(0), spoolAt(1)] })
    const ledger = open(1)
    ;(await hold(ledger, '1')).settle(usd('1'))
    await ledger.spooled()
    const gate = Promise.withResolvers<void>()
    state.gate = gate.promise
    const first = ledger.flush()
    ;(await hold(ledger, '1')).settle(usd('1'))
    await ledger.spooled()
    expect(written.map((lines) => lines.length)).toEqual([1, 1])
    gate.resolve()
    await first
    expect(cleared).toHaveLength(1)
    await ledger.flush()
    expect(new Set(cleared)).toEqual(new Set([0, 1]))
  })
})

test('a process that closes writes everything and gives everything back', async () => {
  const { open, hold, engine, storage, caller } = await openDesk()
  const ledger = open(1)
  ;(await hold(ledger, '1')).settle(usd('1'))
  const late = await hold(ledger, '1')
  expect(engine.leased()).toBeGreaterThan(0)
  await ledger.close()
  expect(engine.leased()).toBe(Number(parseUsd('1')))
  expect(await faultOf(hold(ledger, '1'))).toBe('gateway_error')
  late.settle(usd('0.5'))
  await ledger.flush()
  expect(engine.leased()).toBe(0)
  expect(await balanceIn(storage, caller.account.id)).toBe(parseUsd('8.5'))
})

const faultOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : 'no error'),
  )
