import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Caller } from '../../src/domain/caller'
import { dayMs, dayOf } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import type { VendorCost } from '../../src/domain/record'
import { profitGroups, type ProfitGroup, type ProfitSum } from '../../src/domain/reports/report'
import type { CallRefund } from '../../src/ledger/refund-store'
import type { Storage } from '../../src/business/data/storage'
import { charge, customer, opening, testFolder } from './folder'

const models = ['acme/small', 'acme/large'] as const
const vendors = ['acme', 'reserve', null] as const

const call = fc.record({
  who: fc.nat(3),
  model: fc.constantFrom(...models),
  vendor: fc.constantFrom(...vendors),
  cost: fc.oneof(fc.constant(0), fc.nat(1_000_000)),
  billed: fc.oneof(fc.constant(null), fc.nat(900_000)),
  day: fc.nat(3),
})
const step = fc.oneof(
  { weight: 8, arbitrary: call },
  { weight: 2, arbitrary: fc.constant('sum' as const) },
  { weight: 2, arbitrary: fc.constant('refund' as const) },
  { weight: 1, arbitrary: fc.constant('crash' as const) },
)

const zero = nanoUsd(0)
const nothing = { calls: 0, charged: zero, refunded: zero, vendorCost: zero, uncosted: 0 }
const everything = { fromDay: 0, toDay: 99_999 }
const profitOf = async ({ profits }: Storage, group: ProfitGroup) =>
  new Map((await profits.profit({ ...everything, group })).map((sum) => [sum.key, sum]))

interface Charged {
  readonly refund: CallRefund
  readonly vendor: string
}

test('what was earned is exact by every group, wherever its sums stand and whenever they die', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      using folder = testFolder()
      let storage = folder.open()
      const start = folder.clock.now()
      const callers: readonly Caller[] = await Promise.all(
        Array.from({ length: 4 }, () => customer(storage, { usd: '1000' })),
      )
      await storage.prices.change(() => ({
        costs: ['acme', 'reserve'].map((vendor) => ({
          vendor,
          vendorModel: 'm',
          source: 'test',
          lines: [],
        })),
      }))
      const reader = folder.open()
      const told = new Map<string, ProfitSum>()
      const tell = (group: ProfitGroup, key: string, more: Omit<ProfitSum, 'key'>) => {
        const name = `${group} ${key}`
        const sum = told.get(name)
        told.set(name, {
          key,
          calls: more.calls + (sum?.calls ?? 0),
          charged: nanoUsd(more.charged + (sum?.charged ?? 0)),
          refunded: nanoUsd(more.refunded + (sum?.refunded ?? 0)),
          vendorCost: nanoUsd(more.vendorCost + (sum?.vendorCost ?? 0)),
          uncosted: more.uncosted + (sum?.uncosted ?? 0),
        })
      }
      const charged: Charged[] = []
      for (const each of steps) {
        if (each === 'sum') await storage.ledger.sumUp(2)
        else if (each === 'refund') {
          const last = charged.pop()
          if (last === undefined) continue
          // By a command beside the gateway.
          await reader.refunds.refund(last.refund)
          const { account, model, opened, amount } = last.refund
          const back = { ...nothing, refunded: amount }
          tell('day', dayOf(opened), back)
          tell('model', model, back)
          tell('vendor', last.vendor, back)
          tell('account', String(account), back)
        } else if (each === 'crash') {
          storage = folder.open()
          await storage.ledger.recover()
        } else {
          const { model, vendor, cost, billed, day } = each
          const caller = callers[each.who]
          if (caller === undefined) throw new Error('nobody')
          const created = (start + day * dayMs) as typeof start
          const vendorCost: { vendorCost?: VendorCost } =
            billed === null
              ? {}
              : {
                  vendorCost: {
                    amount: nanoUsd(billed),
                    card: vendor === 'reserve' ? 2 : 1,
                    vendor: vendor ?? 'acme',
                    estimated: vendor === null,
                  },
                }
          const opened = { ...opening(caller, created), model }
          const batch = charge(opened, vendor === null ? 0 : cost)
          const ended = batch.ended.map((one) => ({
            ...one,
            ending: { ...one.ending, vendor, vendorModel: vendor && 'm', ...vendorCost },
          }))
          await storage.ledger.commit({ ...batch, ended }, false)
          const amount = nanoUsd(vendor === null ? 0 : cost)
          const { id: request, account, project, key } = opened
          const refund = { request, account, project, key, model, opened: created, amount }
          if (vendor !== null && amount > 0)
            charged.push({ refund: { ...refund, note: null, by: 'test' }, vendor })
          const more = {
            calls: 1,
            charged: nanoUsd(vendor === null ? 0 : cost),
            refunded: nanoUsd(0),
            vendorCost: nanoUsd(billed ?? 0),
            uncosted: vendor !== null && billed === null ? 1 : 0,
          }
          tell('day', dayOf(created), more)
          tell('model', model, more)
          tell('vendor', vendor ?? (billed === null ? '' : 'acme'), more)
          tell('account', String(caller.account.id), more)
        }
      }
      for (const from of [storage, reader])
        for (const group of profitGroups)
          for (const [key, sum] of await profitOf(from, group))
            expect({ group, ...sum }).toEqual({ group, ...told.get(`${group} ${key}`) } as never)
      expect(await storage.audit()).toMatchObject({ ok: true, differences: [] })
    }),
    { numRuns: 15 },
  )
})

test('the audit finds what was earned and is not what the records say', async () => {
  using folder = testFolder()
  const storage = folder.open()
  const caller = await customer(storage, { usd: '10' })
  await storage.ledger.commit(charge(opening(caller, folder.clock.now()), 500), false)
  await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
  expect((await storage.audit()).ok).toBe(true)
  folder.raw().run('UPDATE profit_days SET vendor_cost = 3')
  expect((await storage.audit()).differences).toEqual([
    expect.stringContaining('earned by'),
    expect.stringContaining('earned in the month'),
  ])
})

test('what many accounts paid is exact after each piece of a round, and after a death in the middle', async () => {
  using folder = testFolder()
  let storage = folder.open()
  const caller = await customer(storage, { usd: '1000' })
  const raw = folder.raw()
  const accounts = 900
  // Accounts, projects and keys of the same number, as many as fill several pieces.
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${999 + accounts})`
  raw.run(`${numbers} INSERT INTO accounts (id, name, status, verified, concurrency, requests_per_minute,
    max_request_kb, balance, created) SELECT n, 'many', 'active', 1, 8, 1, 1, 0, 0 FROM numbers`)
  raw.run(`${numbers} INSERT INTO projects (id, account, name, active, created)
    SELECT n, n, 'many', 1, 0 FROM numbers`)
  raw.run(`${numbers} INSERT INTO keys (id, project, name, hash, prefix, state, created)
    SELECT n, n, 'many', 'hash ' || n, 'sk', 'active', 0 FROM numbers`)
  const who = (at: number) =>
    ({
      ...caller,
      account: { id: 1000 + at },
      project: { id: 1000 + at },
      key: { id: 1000 + at },
    }) as unknown as Caller
  const callAll = async () => {
    for (let at = 0; at < accounts; at += 90) {
      const batches = Array.from({ length: 90 }, (_, more) =>
        charge(opening(who(at + more), folder.clock.now()), 7 + at + more),
      )
      const [ended, spent] = [batches.flatMap((b) => b.ended), batches.flatMap((b) => b.spent)]
      await storage.ledger.commit({ opened: [], ended, spent }, false)
    }
  }
  const once = (accounts * (accounts - 1)) / 2 + 7 * accounts
  const reader = folder.open()
  const told = async () => {
    const sums = await reader.profits.profit({ ...everything, group: 'account' })
    const models = await reader.profits.profit({ ...everything, group: 'model' })
    expect(sums.length).toBe(accounts)
    const charged = (of: readonly ProfitSum[]) => of.reduce((sum, each) => sum + each.charged, 0)
    expect(charged(models)).toBe(charged(sums))
    return charged(sums)
  }
  const mark = raw.prepare<{ transfer: number }, []>('SELECT transfer FROM summed WHERE shard = 64')
  await callAll()
  const marks = new Set<number>()
  while (await storage.ledger.sumUp(256)) {
    expect(await told()).toBe(once)
    marks.add(mark.get()?.transfer ?? 0)
  }
  // Piece by piece, not all at the end.
  expect(marks.size).toBeGreaterThan(3)
  expect((await storage.audit()).differences).toEqual([])
  await callAll()
  const before = mark.get()?.transfer ?? 0
  while ((mark.get()?.transfer ?? 0) === before) await storage.ledger.sumUp(256)
  storage = folder.open()
  await storage.ledger.recover()
  expect(await told()).toBe(2 * once)
  expect((await storage.audit()).differences).toEqual([])
})
