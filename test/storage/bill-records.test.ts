import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { addUnits, type BillUnit } from '../../src/business/bills/bill'
import { dayMs, type Ms } from '../../src/domain/clock'
import { firstRequestIdAt } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import type { CallEnding } from '../../src/domain/record'
import type { Units } from '../../src/domain/usage'
import type { Storage } from '../../src/business/data/storage'
import { customer, ending, opening, testFolder } from './folder'

const start = Date.parse('2026-10-01') as Ms
const end = Date.parse('2026-11-01') as Ms
const vendors = ['acme', 'reserve', null] as const

const call = fc.record({
  day: fc.nat(40),
  model: fc.constantFrom('acme/small', 'acme/large'),
  vendor: fc.constantFrom(...vendors),
  biller: fc.constantFrom(...vendors),
  billed: fc.nat(1_000_000),
  status: fc.constantFrom<CallEnding['status']>('success', 'error', 'cancelled'),
  units: fc.constantFrom<Units>(
    {},
    { input: 7, cached_input: 3, output: 2 },
    { input: 5, cache_write_1h: 4, output: 1 },
    { image: 2 },
  ),
})

const costsOf = async (storage: Storage) => {
  await storage.prices.change(() => ({
    costs: ['acme', 'reserve'].map((vendor) => ({
      vendor,
      vendorModel: 'm',
      source: 'test',
      lines: [],
    })),
  }))
  return new Map(
    [...(await storage.prices.state()).costs.values()].map(({ vendor, id }) => [vendor, id]),
  )
}

test('records add up to the days’ sums, whichever part of these is written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 40 }), fc.nat(40), async (calls, summedAfter) => {
      using folder = testFolder()
      const storage = folder.open()
      const caller = await customer(storage, { usd: '10' })
      const cards = await costsOf(storage)
      const counted = { calls: 0, usd: 0, unanswered: 0 }
      const units: Partial<Record<BillUnit, number>> = {}
      for (const [at, one] of calls.entries()) {
        if (at === summedAfter) await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
        const created = (start - 5 * dayMs + one.day * dayMs + at) as Ms
        const id = `${firstRequestIdAt(created)}${String(at).padStart(20, '0')}`
        const who = one.vendor ?? one.biller
        const billed = who === null ? null : one.biller === null ? null : one.billed
        const vendorCost =
          billed === null || who === null
            ? {}
            : {
                vendorCost: {
                  amount: nanoUsd(billed),
                  card: cards.get(who) ?? null,
                  vendor: who,
                  estimated: false,
                },
              }
        const whole = ending(nanoUsd(0), {
          status: one.status,
          vendor: one.vendor,
          vendorModel: one.vendor === null ? null : 'm',
          usage: { units: one.units, reasoning: 0, estimated: false },
          ...vendorCost,
        })
        const open = { ...opening(caller, created, id), model: one.model }
        await storage.ledger.commit(
          {
            opened: [],
            ended: [{ opening: open, ending: whole, held: nanoUsd(0), wasOpened: false }],
            spent: [],
          },
          false,
        )
        if (created < start || created >= end) continue
        if (who === 'acme') {
          counted.calls++
          counted.usd += billed ?? 0
          const {
            cache_write_1h: written = 0,
            input = 0,
            cached_input: cached = 0,
            output = 0,
            image = 0,
          } = one.units
          addUnits(units, { input, cached_input: cached, cache_write: written, output, image })
        } else if (who === null && one.model === 'acme/large') counted.unanswered++
      }
      const days = await storage.bills.days({
        vendors: ['acme'],
        fromDay: start / dayMs,
        toDay: end / dayMs - 1,
      })
      const { sums } = await storage.bills.calls({
        vendors: ['acme'],
        models: ['acme/large'],
        from: start,
        to: end,
      })
      const known = sums.filter((sum) => sum.known)
      const added: Partial<Record<BillUnit, number>> = {}
      for (const sum of known) addUnits(added, sum.units)
      const total = (
        of: readonly { calls: number; vendorCost: number; uncosted: number }[],
      ): readonly number[] =>
        (['calls', 'vendorCost', 'uncosted'] as const).map((member) =>
          of.reduce((sum, one) => sum + one[member], 0),
        )
      expect(total(days)).toEqual(total(known))
      expect(total(known).slice(0, 2)).toEqual([counted.calls, counted.usd])
      expect(added).toEqual(units)
      expect(total(sums.filter((sum) => !sum.known))[0]).toBe(counted.unanswered)
    }),
    { numRuns: 25 },
  )
})

/** A folder with many calls of one day. */
async function withCalls(count: number) {
  const folder = testFolder()
  const storage = folder.open()
  const caller = await customer(storage, { usd: '1' })
  const open = opening(caller, start, `${firstRequestIdAt(start)}x`)
  const whole = ending(nanoUsd(0), { status: 'cancelled', vendor: 'acme', vendorModel: 'm' })
  await storage.ledger.commit(
    {
      opened: [],
      ended: [{ opening: open, ending: whole, held: nanoUsd(0), wasOpened: false }],
      spent: [],
    },
    false,
  )
  const raw = folder.raw()
  const columns = raw
    .prepare<{ name: string }, []>(
      `SELECT name FROM pragma_table_info('requests') WHERE name <> 'id'`,
    )
    .all()
    .map(({ name }) => name)
    .join()
  raw.run(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})
    INSERT INTO requests (id, ${columns})
    SELECT '${firstRequestIdAt(start)}y' || printf('%09d', n), ${columns} FROM numbers, requests`)
  return { folder, storage, raw, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const day = { vendors: ['acme'], models: ['m1'], from: start, to: (start + dayMs) as Ms }

test('every read of records goes by their ids, a part at a time, and holds no snapshot between two', async () => {
  using it = await withCalls(7001)
  const statements = new Set<string>()
  const original = Database.prototype.prepare
  const spy = spyOn(Database.prototype, 'prepare').mockImplementation(function (
    this: Database,
    sql: string,
    ...rest: never[]
  ) {
    // Gateways of other tests may still be ending.
    if (this.filename === it.raw.filename) statements.add(sql)
    return original.call(this, sql, ...rest)
  } as typeof original)
  const free: number[] = []
  const looking = setInterval(() => {
    free.push(
      it.raw.prepare<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy ?? 1,
    )
  }, 0)
  try {
    const { sums, doubtful } = await it.storage.bills.calls(day)
    expect(sums.reduce((all, { calls }) => all + calls, 0)).toBe(7001)
    expect(doubtful).toHaveLength(5)
  } finally {
    clearInterval(looking)
    spy.mockRestore()
  }
  expect(free.length).toBeGreaterThan(0)
  expect(free.every((busy) => busy === 0)).toBe(true)
  const plans = [...statements]
    .filter((sql) => /^select/i.test(sql.trim()))
    .map((sql) =>
      it.raw
        .prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail),
    )
  expect(plans).toHaveLength(3)
  for (const plan of plans) {
    expect(plan[0]).toMatch(/^SEARCH requests USING (?:COVERING )?INDEX \S+ \(id>\? AND id<\?\)$/)
    expect(plan.filter((detail) => detail.startsWith('SCAN'))).toEqual([])
  }
})

test('sums of days are read by the day', async () => {
  using it = await withCalls(2)
  const seen: string[] = []
  const original = Database.prototype.query
  const spy = spyOn(Database.prototype, 'query').mockImplementation(function (
    this: Database,
    sql: string,
  ) {
    if (this.filename === it.raw.filename) seen.push(sql)
    return original.call(this, sql)
  } as typeof original)
  try {
    void it.storage.bills.days({ vendors: ['acme'], fromDay: 1, toDay: 2 })
  } finally {
    spy.mockRestore()
  }
  const [sql = ''] = seen
  const plan = it.raw
    .prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => detail)
  expect(plan).toContain('SEARCH profit_days USING PRIMARY KEY (day>? AND day<?)')
  expect(plan.filter((detail) => /^SCAN (?:profit_days|requests|transfers)/.test(detail))).toEqual(
    [],
  )
})
