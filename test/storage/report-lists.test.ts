import { expect, test } from 'bun:test'
import { dayMs, dayNumber } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import { profitOrders, profitScores } from '../../src/domain/reports/report'
import { charge, customer, handClock, memoryStorage, opening } from './folder'

/* On any engine: these stores are asked in memory, so that they run on PostgreSQL too. */

const accounts = 75

/** Calls of 70 days, a part of which is not summed up. */
async function sold() {
  const clock = handClock()
  const storage = memoryStorage(clock)
  const callers = await Promise.all(
    Array.from({ length: accounts }, () => customer(storage, { usd: '10' })),
  )
  const now = clock.now()
  for (const [at, caller] of callers.entries())
    for (let ago = at % 9; ago < 70; ago += 23) {
      const cost = 1000 + ((at * 7919) % 613) + ago
      const call = opening(caller, (now - ago * dayMs) as typeof now)
      const batch = charge({ ...call, model: `acme/model-${at % 3}` }, cost)
      const vendorCost = {
        amount: nanoUsd(cost - 300 + ((at * 31) % 700)),
        card: 1,
        vendor: 'acme',
      }
      const ended = batch.ended.map((one) => ({
        ...one,
        ending: { ...one.ending, vendorCost: { ...vendorCost, estimated: false } },
      }))
      await storage.ledger.commit({ ...batch, ended }, false)
      if (at === accounts - 3) await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
    }
  return { storage, callers, today: dayNumber(now) }
}

test('the first accounts by profit are those of the whole list', async () => {
  const { storage, today } = await sold()
  for (const [fromDay, toDay] of [
    [today - 365, today],
    [today - 40, today - 11],
    [today - 3, today],
  ] as const) {
    const all = await storage.profits.profit({ fromDay, toDay, group: 'account' })
    for (const order of profitOrders) {
      const score = profitScores[order]
      const wanted = all.toSorted((a, b) => score(b) - score(a) || Number(a.key) - Number(b.key))
      const top = await storage.profits.topAccounts({ fromDay, toDay, order, max: 7 })
      expect(top).toEqual(wanted.slice(0, 7))
    }
  }
})

test('pages of an account and of the service come to its calls', async () => {
  const { storage, callers, today } = await sold()
  const days = { fromDay: today - 365, toDay: today + 1 }
  const all = await storage.profits.profit({ ...days, group: 'account' })
  for (const at of [0, accounts - 1]) {
    const account = callers[at]?.account.id ?? (0 as never)
    const charged = all.find(({ key }) => key === String(account))?.charged
    for (const by of ['model', 'key', 'project'] as const) {
      const key = by === 'model' ? (callers[at]?.key.id ?? null) : null
      const filter = { ...days, account, project: null, key, model: null }
      const page = await storage.accountReader.usage({ ...filter, by, maxGroups: 9, maxDrawn: 9 })
      expect([by, page.total.cost, page.groupCount]).toEqual([by, charged ?? nanoUsd(-1), 1])
    }
  }
  await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
  const [year, week] = await storage.operatorReader.serviceSums([
    days,
    { fromDay: today - 2, toDay: today },
  ])
  const calls = all.reduce((sum, each) => sum + each.calls, 0)
  expect(year).toMatchObject({ calls, activeAccounts: accounts, errors: 0 })
  expect(year?.moneyIn).toBe(nanoUsd(accounts * 10e9))
  expect(week?.activeAccounts).toBe(callers.filter((_, at) => at % 9 <= 2).length)
  expect((await storage.audit()).differences).toEqual([])
})
