import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { CallsQuery } from '../../src/domain/reports/account-reader'
import type { Caller } from '../../src/domain/caller'
import type { Ms } from '../../src/domain/clock'
import type { Storage } from '../../src/business/data/storage'
import { manyCalls } from '../support/many-calls'
import { charge, customer, noBatch, opening, testFolder } from './folder'

const always = { from: 0 as Ms, to: (2 ** 46) as Ms }
const any = { project: null, key: null, model: null, status: null, before: null }

/** Every call of an account, page after page. */
async function allCalls(
  { accountReader: reader }: Storage,
  account: Caller['account']['id'],
  query: Partial<CallsQuery> = {},
): Promise<readonly string[]> {
  const found: string[] = []
  let before: string | null = null
  do {
    const asked = { ...always, ...any, account, max: 7, ...query, before: before as never }
    const { calls, next } = await reader.calls(asked)
    found.push(...calls.map(({ id }) => id))
    before = next
  } while (before !== null)
  return found
}

test('an account’s calls are all listed once, wherever their index stands and whenever it dies', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ who: fc.nat(3), cost: fc.nat(2), long: fc.boolean() }) },
    { weight: 2, arbitrary: fc.constant('end' as const) },
    { weight: 2, arbitrary: fc.constant('sum' as const) },
    { weight: 1, arbitrary: fc.constant('crash' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
      using folder = testFolder()
      let storage = folder.open()
      const first = [await customer(storage, { usd: '9' }), await customer(storage, { usd: '9' })]
      const raw = folder.raw()
      // Those behind it lie in the shards of the first two.
      raw.run(`INSERT INTO accounts (id, name, status, verified, concurrency, requests_per_minute,
        max_request_kb, balance, created) VALUES (64, 'far', 'active', 1, 1, 1, 1, 0, 0)`)
      const second = first.map(() => customer(storage, { usd: '9' }))
      const callers = [...first, ...(await Promise.all(second))]
      const made = new Map<number, string[]>()
      let open: ReturnType<typeof opening>[] = []
      for (const each of steps)
        if (each === 'sum') await storage.ledger.sumUp(1)
        else if (each === 'crash') {
          storage = folder.open()
          await storage.ledger.recover()
          open = []
        } else if (each === 'end') {
          const call = open.shift()
          if (call !== undefined) await storage.ledger.commit(charge(call, 5, true), false)
        } else {
          const caller = callers[each.who] ?? expect.unreachable()
          const call = opening(caller, folder.clock.now())
          made.set(call.account, [call.id, ...(made.get(call.account) ?? [])])
          if (each.long) await storage.ledger.commit({ ...noBatch, opened: [call] }, false)
          else await storage.ledger.commit(charge(call, each.cost), false)
          if (each.long) open.push(call)
        }
      for (const { account } of callers)
        expect(await allCalls(storage, account.id)).toEqual(made.get(account.id) ?? [])
      expect((await storage.audit()).differences).toEqual([])
    }),
    { numRuns: 20 },
  )
})

test('a busy account’s calls come into the index by a few at a time', async () => {
  using folder = testFolder()
  const storage = folder.open()
  const busy = await customer(storage, { usd: '9' })
  for (let at = 0; at < 300; at++)
    await storage.ledger.commit(charge(opening(busy, folder.clock.now()), 1), false)
  const indexed = folder.raw().prepare<{ n: number }, []>('SELECT count(*) AS n FROM account_calls')
  let rounds = 0
  while ((indexed.get()?.n ?? 0) < 300) {
    const had = indexed.get()?.n ?? 0
    expect(await storage.ledger.sumUp(50)).toBe(true)
    expect((indexed.get()?.n ?? 0) - had).toBeLessThanOrEqual(50)
    rounds++
  }
  expect(rounds).toBe(6)
  expect((await storage.audit()).differences).toEqual([])
})

test('opening a folder brings in the calls and days that an older program left out of its sums', async () => {
  const big = { calls: 6000, accounts: 60, keys: 10, unsummed: 40 }
  using folder = manyCalls(big)
  const raw = folder.raw()
  const marks = raw.prepare(
    'SELECT 1 FROM account_calls_fill UNION ALL SELECT 1 FROM usage_rollup_fill',
  )
  expect(marks.all()).toHaveLength(3)
  const storage = folder.open()
  expect(marks.all()).toEqual([])
  expect(await storage.audit()).toMatchObject({ ok: true, differences: [], requests: big.calls })
  const account = 1 as Caller['account']['id']
  const idsOf = (where: string) =>
    raw
      .prepare<{ id: string }, []>(
        `SELECT id FROM requests WHERE account = 1 AND ${where} ORDER BY id DESC`,
      )
      .all()
      .map(({ id }) => id)
  expect(idsOf('true')).toHaveLength(big.calls / 2)
  expect(await allCalls(storage, account, { max: 100 })).toEqual(idsOf('true'))
  expect(await allCalls(storage, account, { max: 100, status: 'error' })).toEqual(
    idsOf(`status = 'error'`),
  )
  expect(await allCalls(storage, big.accounts as typeof account)).toEqual([])
  const indexed = raw.prepare<{ n: number }, []>('SELECT count(*) AS n FROM account_calls')
  expect(indexed.get()?.n).toBe(big.calls)
  const days = (table: string) =>
    raw.prepare<{ cost: number }, []>(`SELECT sum(cost) AS cost FROM ${table}`).get()?.cost ?? 0
  const zoneSum = days('usage_zone_days')
  expect(zoneSum).toBe(days('usage_days'))
  // What an earlier process left is brought up once.
  await storage.ledger.recover()
  expect(await storage.audit()).toMatchObject({ ok: true, differences: [] })
  expect(days('usage_zone_days')).toBeGreaterThan(zoneSum)
})

test('opening a folder finishes what an older program had brought in by half', async () => {
  using folder = manyCalls({ calls: 6000, accounts: 60, keys: 10, unsummed: 40 })
  const raw = folder.raw()
  const [from] = raw
    .prepare<{ id: string }, []>('SELECT id FROM requests ORDER BY id LIMIT 1 OFFSET 3000')
    .all()
  raw.run('UPDATE account_calls_fill SET before = ?', [from?.id ?? ''])
  raw.run('INSERT INTO account_calls SELECT account, id FROM requests WHERE id >= ?', [
    from?.id ?? '',
  ])
  raw.run('UPDATE usage_rollup_fill SET project = 30, day = 0')
  for (const [table, days, place, period] of [
    ['usage_model_days', 'usage_days', 'project, day, model', ''],
    ['usage_service_days', 'usage_days', 'day, model', ''],
    ['usage_zone_model_days', 'usage_zone_days', 'project, day, model', ''],
    ['usage_zone_key_days', 'usage_zone_days', 'project, key, day', ''],
    [
      'usage_key_months',
      'usage_days',
      'month, project, key',
      `unixepoch(day * 86400, 'unixepoch', 'start of month') / 86400 AS month,`,
    ],
  ] as const)
    raw.run(`INSERT INTO ${table} (${place}, requests, errors, input_tokens, output_tokens, cached_tokens, cost)
      SELECT ${place}, sum(requests), sum(errors), sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(cost)
      FROM (SELECT ${period} * FROM ${days} WHERE project < 30) GROUP BY ${place}`)
  const storage = folder.open()
  expect(await storage.audit()).toMatchObject({ ok: true, differences: [] })
  await storage.ledger.recover()
  expect(await storage.audit()).toMatchObject({ ok: true, differences: [] })
})
