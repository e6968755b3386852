import { expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import { openLedgerLines, transfersInScan } from '../../src/ledger/store/ledger-lines'
import { callsInPage } from '../../src/business/usage/reports'
import { charge, customer, opening, testFolder } from './folder'
import { wholeLedger } from './whole-ledger'

/** A folder with a call for each of two customers, and copies of both calls behind them. */
async function withCalls(copies: number) {
  const folder = testFolder()
  const storage = folder.open()
  const callers = [
    await customer(storage, { usd: '1' }),
    await customer(storage, { usd: '1' }),
  ] as const
  const raw = folder.raw()
  const time = folder.clock.now()
  for (const [at, caller] of callers.entries())
    await storage.ledger.commit(charge(opening(caller, time, `req_00000000${2 + at}`), 5), false)
  const columns = raw
    .prepare<{ name: string }, []>(
      `SELECT name FROM pragma_table_info('requests') WHERE name <> 'id'`,
    )
    .all()
    .map(({ name }) => name)
    .join()
  raw.run(`
    WITH RECURSIVE numbers (n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies + 9})
    INSERT INTO requests (id, ${columns})
    SELECT printf('req_%09d', n), ${columns} FROM numbers JOIN requests ON id = 'req_00000000' || (2 + n % 2)`)
  raw.run(`
    INSERT INTO transfers (debit, credit, amount, kind, reference, created)
    SELECT account, -1, 5, 'charge', id, created FROM requests WHERE id > 'req_000000009'`)
  return {
    storage,
    reports: storage.reports,
    caller: callers[0],
    span: { from: 0 as Ms, to: (time + 1) as Ms },
    raw,
    /** Whether the log can begin anew now: nobody holds a snapshot of it. */
    unpinned: () =>
      raw.prepare<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

test('a ledger of many pages is that of one moment, and holds no snapshot while it is printed', async () => {
  using it = await withCalls(2.5 * transfersInScan)
  const { account } = it.caller
  const query = { account: account.id, ...it.span }
  let deposits = 0
  const ledger = await wholeLedger(it.storage, query, transfersInScan / 5, async () => {
    expect(it.unpinned()).toBe(true)
    const deposit = { account: account.id, amount: 7, kind: 'topup', reference: `${++deposits}` }
    await it.storage.directory.deposit(deposit as never)
  })
  const { lines, opening, closing } = ledger
  expect(deposits).toBeGreaterThan(5)
  expect(lines).toHaveLength(2 + 1.25 * transfersInScan)
  expect(lines.filter(({ amount }) => amount === 7)).toEqual([])
  expect(lines.at(-1)?.balance).toBe(closing as never)
  const moved = lines.reduce((sum, { amount }) => sum + amount, 0)
  expect(closing).toBe((opening ?? 0) + moved)
  // A reader whose time is always nearly over stops behind each scan, and reads the same.
  const ledgerOf = openLedgerLines(it, { isNear: () => true })
  const now = await wholeLedger(it.storage, query, 10_000)
  const hurried = await wholeLedger({ accountReader: { ledger: ledgerOf } }, query, 1_000_000)
  expect(hurried.pages).toBe(2 * 3)
  expect({ ...hurried, pages: 0 }).toEqual({ ...now, pages: 0 })
})

test('a list of calls of many pages misses none and repeats none', async () => {
  using it = await withCalls(2.5 * callsInPage)
  const any = { account: null, project: null, key: null, model: null, status: null }
  const all = (await it.reports.calls({ ...it.span, ...any, most: 1_000_000 })).map(({ id }) =>
    String(id),
  )
  expect(all).toHaveLength(2 + 2.5 * callsInPage)
  expect(all).toEqual([...new Set(all)].toSorted().toReversed())
  const own = { ...any, account: it.caller.account.id }
  const some = (await it.reports.calls({ ...it.span, ...own, most: callsInPage })).map(({ id }) =>
    String(id),
  )
  expect(some).toEqual(all.filter((id) => Number(id.slice(4)) % 2 === 0).slice(0, callsInPage))
  expect(await it.reports.calls({ ...it.span, ...any, most: 3 })).toHaveLength(3)
})
