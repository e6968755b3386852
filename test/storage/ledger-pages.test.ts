import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Ms } from '../../src/domain/clock'
import { firstRequestIdAt } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import { charge, customer, opening, testFolder } from './folder'
import { wholeLedger } from './whole-ledger'

const movement = fc.record({
  kind: fc.constantFrom('charge' as const, 'topup' as const),
  who: fc.nat(1),
  amount: fc.integer({ min: 1, max: 1_000_000 }),
  laterMs: fc.nat(50),
})
const movements = (maxLength: number) => fc.array(movement, { maxLength })
const spanOf = fc.tuple(fc.nat(600), fc.nat(600))

test('pages read while money moves are the ledger of their first moment', async () => {
  using folder = testFolder()
  const storage = folder.open(true)
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      movements(25),
      movements(3),
      spanOf,
      fc.integer({ min: 1, max: 6 }),
      async (before, meanwhile, [a, b], max) => {
        folder.clock.set(folder.clock.now() + 5000)
        const callers = [
          await customer(storage, { usd: '1' }),
          await customer(storage, {}),
        ] as const
        const start = folder.clock.now()
        let rounds = 0
        let now = start as number
        /** What the first account's ledger must say. */
        const told = [{ at: now, amount: 1_000_000_000 }]
        const move = async ({ kind, who, amount, laterMs }: (typeof before)[number]) => {
          now += laterMs
          folder.clock.set(now)
          const caller = callers[who] ?? callers[0]
          const reference = `${++count}`
          if (kind === 'charge') {
            const id = `${firstRequestIdAt(now as Ms)}${reference.padStart(20, '0')}`
            await storage.ledger.commit(charge(opening(caller, now as Ms, id), amount), false)
          } else {
            const account = caller.account.id
            await storage.directory.deposit({ account, amount: nanoUsd(amount), kind, reference })
          }
          if (who === 0) told.push({ at: now, amount: kind === 'charge' ? -amount : amount })
        }
        for (const each of before) await move(each)
        const snapshot = [...told]
        const from = (start + Math.min(a, b)) as Ms
        const to = (start + Math.max(a, b)) as Ms
        const query = { account: callers[0].account.id, from, to }
        const ledger = await wholeLedger(storage, query, max, async () => {
          if (++rounds < 4) for (const each of meanwhile) await move(each)
        })
        const sum = (rows: readonly { amount: number }[]) =>
          rows.reduce((total, { amount }) => total + amount, 0)
        const within = snapshot.filter(({ at }) => at >= from && at < to)
        const earlier = sum(snapshot.filter(({ at }) => at < from))
        expect(ledger.lines.map(({ amount }) => Number(amount))).toEqual(
          within.map(({ amount }) => amount),
        )
        expect(ledger.opening).toBe(earlier)
        expect(ledger.closing).toBe(earlier + sum(within))
        for (const [at, { balance }] of ledger.lines.entries())
          expect(Number(balance)).toBe(earlier + sum(within.slice(0, at + 1)))
      },
    ),
    { numRuns: 40 },
  )
})
