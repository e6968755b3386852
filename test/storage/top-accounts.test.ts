import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { dayMs, dayNumber } from '../../src/domain/clock'
import { profitOrders, profitScores } from '../../src/domain/reports/report'
import { charge, customer, opening, testFolder, type TestFolder } from './folder'

const accounts = 600
const days = 100
/** Most accounts are alike, as those of a service are: only some stand out. */
const amounts = fc.record({
  usual: fc.integer({ min: 0, max: 1000 }),
  spread: fc.integer({ min: 0, max: 1000 }),
  seed: fc.nat(1_000_000),
  costPercent: fc.integer({ min: 20, max: 150 }),
})

/** Days and months of accounts, as the gateway would have summed them up, `today` the last of them. */
function putDays(
  raw: ReturnType<TestFolder['raw']>,
  today: number,
  { usual, spread, seed, costPercent }: typeof amounts extends fc.Arbitrary<infer T> ? T : never,
): void {
  const chance = (salt: number) =>
    `((a * 2654435761 + d * 40503 + ${seed + salt}) % 4294967291 / 4294967291.0)`
  // Some earn much in the one half of a month, and lose it in the other.
  const isLate = `CAST(strftime('%d', d * 86400, 'unixepoch') AS INTEGER) > 15`
  for (const table of ['profit_accounts', 'profit_account_months', 'profit_days', 'profit_months'])
    raw.run(`DELETE FROM ${table}`)
  raw.run(`WITH RECURSIVE accounts (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM accounts WHERE a < ${accounts}),
      days (d) AS (SELECT ${today - days + 1} UNION ALL SELECT d + 1 FROM days WHERE d < ${today}),
      sold (a, d, charged) AS MATERIALIZED (SELECT a, d, CAST(${usual} + ${spread} * ${chance(1)} AS INTEGER)
        + iif(a % 50 = 0, 2000, 0) + iif(a % 60 = 7 AND NOT ${isLate}, 3000, 0) FROM accounts CROSS JOIN days WHERE ${chance(2)} < 0.3)
    INSERT INTO profit_accounts SELECT d, a, 1, charged, iif(${chance(3)} < 0.1, charged / 2, 0),
      CAST(charged * ${costPercent} / 100.0 * ${chance(4)} AS INTEGER) + iif(a % 60 = 7 AND ${isLate}, 9000, 0), 0 FROM sold`)
  const month = `unixepoch(day * 86400, 'unixepoch', 'start of month') / 86400`
  const sums = 'sum(calls), sum(charged), sum(refunded), sum(vendor_cost), sum(uncosted)'
  raw.run(
    `INSERT INTO profit_account_months SELECT ${month}, account, ${sums} FROM profit_accounts GROUP BY 1, 2`,
  )
  raw.run(`INSERT INTO profit_days SELECT day, 'm', 'v', ${sums} FROM profit_accounts GROUP BY 1`)
  raw.run(
    `INSERT INTO profit_months SELECT ${month}, 'm', 'v', ${sums} FROM profit_accounts GROUP BY 1`,
  )
}

test('the first accounts of any range are those that a look at all of them finds', async () => {
  using folder = testFolder()
  const storage = folder.open()
  // What is charged and not summed up yet is in it.
  const caller = await customer(storage, { usd: '1000' })
  const now = folder.clock.now()
  for (const ago of [0, 3, 50])
    await storage.ledger.commit(
      charge(opening(caller, (now - ago * dayMs) as typeof now), 20_000 + ago),
      false,
    )
  const raw = folder.raw()
  const today = dayNumber(now)
  const back = fc.nat(days + 5)
  await fc.assert(
    fc.asyncProperty(
      amounts,
      back,
      back,
      fc.integer({ min: 1, max: 40 }),
      async (put, one, other, max) => {
        putDays(raw, today, put)
        const range = { fromDay: today - Math.max(one, other), toDay: today - Math.min(one, other) }
        const all = await storage.profits.profit({ ...range, group: 'account' })
        for (const order of profitOrders) {
          const score = profitScores[order]
          const wanted = all.toSorted(
            (a, b) => score(b) - score(a) || Number(a.key) - Number(b.key),
          )
          expect(await storage.profits.topAccounts({ ...range, order, max })).toEqual(
            wanted.slice(0, max),
          )
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('ten of a hundred thousand accounts are found among hundreds', async () => {
  using folder = testFolder()
  const storage = folder.open()
  const raw = folder.raw()
  const today = dayNumber(folder.clock.now())
  raw.run(`WITH RECURSIVE accounts (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM accounts WHERE a < 100000)
    INSERT INTO profit_account_months SELECT unixepoch(${today} * 86400, 'unixepoch', 'start of month') / 86400,
      a, 1, a, 0, a % 97, 0 FROM accounts`)
  raw.run(`INSERT INTO profit_days VALUES (${today}, 'm', 'v', 1, 1, 0, 1, 0)`)
  const query = { fromDay: today - 60, toDay: today, max: 10 }
  const all = raw.prepare('SELECT count(*) AS count FROM profit_account_months').get()
  expect(all).toEqual({ count: 100_000 })
  const began = performance.now()
  for (const order of profitOrders) {
    const [first] = await storage.profits.topAccounts({ ...query, order })
    expect(Number(first?.key)).toBeGreaterThan(99_900)
  }
  process.stderr.write(
    `ten of 100,000 accounts by both orders: ${(performance.now() - began).toFixed(1)} ms\n`,
  )
})
