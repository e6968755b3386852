import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { dayMs, dayNumber, monthStart } from '../../src/domain/clock'
import { profitGroups } from '../../src/domain/reports/report'
import { monthCover } from '../../src/ledger/sums/month-cover'
import { charge, customer, opening, testFolder } from './folder'

const day = fc.integer({ min: 20_000, max: 20_800 })
const range = fc.tuple(day, day).map(([one, other]) => ({
  from: Math.min(one, other),
  to: Math.max(one, other),
}))

test('a cover by months counts each day of its range once, and no other day', () => {
  fc.assert(
    fc.property(range, fc.option(range), (asked, kept) => {
      const cover = monthCover(asked, kept)
      const within = (at: number, from: number, to: number) => Number(at >= from && at <= to)
      for (let at = 19_900; at < 20_900; at++) {
        const count =
          within(monthStart(at), cover.firstMonth, cover.lastMonth) +
          cover.startSign * within(at, cover.startFrom, cover.startTo) +
          cover.endSign * within(at, cover.endFrom, cover.endTo)
        if (count !== within(at, asked.from, asked.to)) throw new Error(`day ${at}: ${count}`)
      }
    }),
  )
})

test('a range that ends today reads at most half a month of days', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 400 }), (today, before) => {
      const kept = { from: 0, to: today }
      const cover = monthCover({ from: today - before, to: today }, kept)
      const read = (from: number, to: number) => Math.max(0, Math.min(to, today) - from + 1)
      expect(
        read(cover.startFrom, cover.startTo) + read(cover.endFrom, cover.endTo),
      ).toBeLessThanOrEqual(15)
    }),
  )
})

test('every range comes to the same by month and by day, with a sum that waits', async () => {
  using folder = testFolder()
  const storage = folder.open()
  const caller = await customer(storage, { usd: '1000' })
  const start = folder.clock.now()
  for (let at = 0; at < 70; at++) {
    const created = (start + at * dayMs) as typeof start
    await storage.ledger.commit(charge(opening(caller, created), 1 + at * at), false)
    if (at === 60) await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
  }
  const first = dayNumber(start)
  const { id: project } = caller.project
  const total = (sums: readonly { readonly cost: number }[]) =>
    sums.reduce((sum, { cost }) => sum + cost, 0)
  for (let from = first - 2; from < first + 72; from += 3)
    for (let to = from; to < first + 72; to += 4) {
      let real = 0
      for (let at = 0; at < 70; at++)
        if (first + at >= from && first + at <= to) real += 1 + at * at
      const query = { fromDay: from, toDay: to }
      for (const group of profitGroups) {
        const sums = await storage.profits.profit({ ...query, group })
        expect(sums.reduce((sum, { charged }) => sum + charged, 0)).toBe(real)
        if (real === 0) expect(sums).toEqual([])
      }
      for (const group of ['day', 'model', 'key'] as const)
        expect(total(await storage.reports.usage({ ...query, project, group }))).toBe(real)
    }
})

test('the audit finds a month that is not what its days come to', async () => {
  for (const table of ['profit_months', 'profit_account_months', 'usage_months']) {
    using folder = testFolder()
    const storage = folder.open()
    const caller = await customer(storage, { usd: '10' })
    await storage.ledger.commit(charge(opening(caller, folder.clock.now()), 500), false)
    await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
    expect((await storage.audit()).ok).toBe(true)
    const money = table === 'usage_months' ? 'cost' : 'charged'
    folder.raw().run(`UPDATE ${table} SET ${money} = ${money} + 1`)
    expect((await storage.audit()).differences).toEqual([expect.stringContaining('month')])
  }
})
