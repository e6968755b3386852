import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Caller } from '../../src/domain/caller'
import { nanoUsd } from '../../src/domain/money'
import type { Storage } from '../../src/business/data/storage'
import { charge, customer, opening, testFolder, spentIn } from './folder'

/** What a process does with its books; `crash` leaves everything as it is and begins anew. */
type Step =
  | { readonly do: 'charge'; readonly caller: number; readonly cost: number; readonly days: number }
  | { readonly do: 'sum'; readonly rows: number }
  | { readonly do: 'report'; readonly caller: number }
  | { readonly do: 'crash' }

const callers = 70
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      caller: fc.nat(callers - 1),
      cost: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000 })),
      days: fc.nat(40),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('sum' as const), rows: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('report' as const), caller: fc.nat(callers - 1) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
)

const dayMs = 86_400_000

/** Parts of the sums that lack a charge. */
function behind(raw: ReturnType<ReturnType<typeof testFolder>['raw']>): number {
  const row = raw.prepare<{ parts: number }, []>(
    `SELECT count(*) AS parts FROM summed
     WHERE transfer < (SELECT coalesce(max(id), 0) FROM transfers WHERE kind = 'charge')`,
  )
  return row.get()?.parts ?? -1
}

test('sums are exact to every reader, wherever the writing of them stands and whenever it dies', async () => {
  using folder = testFolder()
  const first = folder.open()
  const start = folder.clock.now()
  const all: readonly Caller[] = await Promise.all(
    Array.from({ length: callers }, () => customer(first, { usd: '1000' })),
  )
  const reader = folder.open()
  let storage: Storage = first
  const spentByKey = new Map<number, number>()
  const callsByProject = new Map<number, number>()
  const callerAt = (at: number): Caller => {
    const caller = all[at]
    if (caller === undefined) throw new Error('nobody')
    return caller
  }
  const days = { fromDay: 0, toDay: 99_999, group: 'day' } as const
  const callsOf = async (from: Storage, { project }: Caller): Promise<number> =>
    (await from.reports.usage({ project: project.id, ...days })).reduce(
      (sum, row) => sum + row.requests,
      0,
    )

  const take = async (one: Step) => {
    switch (one.do) {
      case 'charge': {
        const caller = callerAt(one.caller)
        folder.clock.set(start + one.days * dayMs)
        const { key, project } = caller
        await storage.ledger.commit(charge(opening(caller, folder.clock.now()), one.cost), false)
        spentByKey.set(key.id, (spentByKey.get(key.id) ?? 0) + one.cost)
        callsByProject.set(project.id, (callsByProject.get(project.id) ?? 0) + 1)
        return
      }
      case 'sum':
        await storage.ledger.sumUp(one.rows)
        return
      case 'report': {
        const caller = callerAt(one.caller)
        expect(await callsOf(storage, caller)).toBe(callsByProject.get(caller.project.id) ?? 0)
        return
      }
      case 'crash':
        storage = folder.open()
        await storage.ledger.recover()
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      for (const one of steps) await take(one)
      expect((await reader.audit()).differences).toEqual([])
      for (const caller of all) {
        const { id } = caller.key
        const spent = nanoUsd(spentByKey.get(id) ?? 0)
        expect(await spentIn(storage, { kind: 'key', id, period: '' })).toBe(spent)
      }
      for (const { id, spent } of await reader.directory.listKeys())
        expect(spent).toBe(nanoUsd(spentByKey.get(id) ?? 0))
      for (const caller of all.slice(0, 5))
        expect(await callsOf(reader, caller)).toBe(callsByProject.get(caller.project.id) ?? 0)
      // Another process goes on from here: nothing may wait in the memory of this one.
      await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
      expect(behind(folder.raw())).toBe(0)
    }),
    { numRuns: 40 },
  )
})

test('a round of sums writes what a commit left behind, by a few rows at a time', async () => {
  using folder = testFolder()
  const storage = folder.open()
  const kept = folder.raw().prepare<{ count: number }, []>('SELECT count(*) AS count FROM spent')
  for (let at = 0; at < 100; at++) {
    const caller = await customer(storage, { usd: '1' })
    await storage.ledger.commit(charge(opening(caller, folder.clock.now()), 5), false)
  }
  expect(kept.get()?.count).toBe(0)
  let rounds = 1
  while (await storage.ledger.sumUp(50)) rounds++
  expect(rounds).toBeGreaterThan(5)
  // Four sums of each customer's own, and that of the day.
  expect(kept.get()?.count).toBe(401)
  expect(await storage.ledger.sumUp(50)).toBe(false)
  expect((await storage.audit()).ok).toBe(true)
})

test('a process that ends in order leaves nothing to make up for', async () => {
  using folder = testFolder()
  const storage = folder.open()
  const caller = await customer(storage, { usd: '1' })
  await storage.ledger.commit(charge(opening(caller, folder.clock.now()), 5), false)
  await storage.close()
  const raw = folder.raw()
  expect(raw.prepare('SELECT count(*) AS count FROM spent').get()).toEqual({ count: 5 })
  expect(
    raw.prepare('SELECT min(transfer) = max(t.id) AS done FROM summed, transfers t').get(),
  ).toEqual({
    done: 1,
  })
})
