import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { CallsQuery } from '../../src/domain/account-reader'
import type { Caller } from '../../src/domain/caller'
import type { Ms } from '../../src/domain/clock'
import { connect } from '../../src/storage/sqlite/connect'
import { openFillSlices } from '../../src/storage/sqlite/call-index-fill'
import type { Storage } from '../../src/storage/storage'
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

describe('a database of the release before', () => {
  const big = { calls: 6000, accounts: 60, keys: 10, unsummed: 40 }

  test('adds up in both kinds of days, and lists every call before and while its index fills', async () => {
    using folder = manyCalls(big)
    const storage = folder.open()
    expect(await storage.audit()).toMatchObject({ ok: true, differences: [], requests: big.calls })
    const raw = folder.raw()
    const account = 1 as Caller['account']['id']
    const wanted = raw
      .prepare<{ id: string }, [number]>(
        'SELECT id FROM requests WHERE account = ? ORDER BY id DESC',
      )
      .all(account)
      .map(({ id }) => id)
    expect(wanted).toHaveLength(big.calls / 2)
    const failed = raw
      .prepare<{ id: string }, []>(
        `SELECT id FROM requests WHERE account = 1 AND status = 'error' ORDER BY id DESC`,
      )
      .all()
      .map(({ id }) => id)
    const connection = connect(`${folder.path}/chapar.db`)
    const fill = openFillSlices(connection)
    const indexed = raw.prepare<{ n: number }, []>('SELECT count(*) AS n FROM account_calls')
    const zoneDays = raw.prepare<{ total: number }, []>(
      'SELECT sum(cost) AS total FROM usage_zone_days',
    )
    const zoneSum = zoneDays.get()?.total
    expect(zoneSum).toBe(
      raw.prepare<{ total: number }, []>('SELECT sum(cost) AS total FROM usage_days').get()?.total,
    )
    for (const more of [true, true, true, false]) {
      expect(await allCalls(storage, account, { max: 100 })).toEqual(wanted)
      expect(await allCalls(storage, account, { max: 100, status: 'error' })).toEqual(failed)
      expect(await allCalls(storage, big.accounts as typeof account)).toEqual([])
      expect((await storage.audit()).differences).toEqual([])
      expect(fill(more ? 2000 : 1)).toBe(more)
    }
    expect(indexed.get()?.n).toBe(big.calls)
    expect(await allCalls(storage, account, { max: 100 })).toEqual(wanted)
    connection.close()
    // What an earlier process left is brought up once.
    await storage.ledger.recover()
    expect(await storage.audit()).toMatchObject({ ok: true, differences: [] })
    expect(zoneDays.get()?.total).toBeGreaterThan(zoneSum ?? 0)
  })
})
