import { expect, test } from 'bun:test'
import { dayMs, dayNumber } from '../../src/domain/clock'
import { openActiveDaySlices } from '../../src/business/usage/active-day-backfill'
import { connect } from '../../src/storage/sqlite/connect'
import { charge, customer, opening, testFolder } from './folder'

test('accounts with calls are counted the same before their days are kept, then, and after a late call', async () => {
  using folder = testFolder()
  const storage = folder.open()
  const now = folder.clock.now()
  const today = dayNumber(now)
  const callers = await Promise.all(
    Array.from({ length: 70 }, () => customer(storage, { usd: '10' })),
  )
  const call = async (at: number, ago: number) => {
    const caller = callers[at]
    if (caller === undefined) throw new Error(`no caller ${at}`)
    const created = (now - ago * dayMs) as typeof now
    await storage.ledger.commit(charge(opening(caller, created), 5), false)
  }
  for (let at = 0; at < 70; at++) for (let ago = at % 7; ago < 40; ago += 11) await call(at, ago)
  await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
  const raw = folder.raw()
  const ranges = [0, 1, 7, 30].map((days) => ({ fromDay: today - days, toDay: today }))
  ranges.push({ fromDay: today - 39, toDay: today - 8 }, { fromDay: 5, toDay: 6 })
  const count = raw.prepare<{ count: number }, [number, number]>(
    'SELECT count(DISTINCT account) AS count FROM requests WHERE created / 86400000 BETWEEN ? AND ?',
  )
  const wanted = () => ranges.map(({ fromDay, toDay }) => count.get(fromDay, toDay)?.count ?? -1)
  /** By a process that has nothing in memory, and by one that has. */
  const looks = async () => {
    const fresh = folder.open()
    const told = [storage, fresh].map(async ({ operatorReader }) =>
      (await operatorReader.serviceSums(ranges)).map(({ activeAccounts }) => activeAccounts),
    )
    return await Promise.all(told)
  }
  expect(await looks()).toEqual([wanted(), wanted()])
  const connection = connect(`${folder.path}/chapar.db`)
  const keep = openActiveDaySlices(connection)
  let kept = 0
  while (keep()) kept++
  const daysOf = (table: string) =>
    raw.prepare<{ count: number }, []>(`SELECT count(DISTINCT day) AS count FROM ${table}`).get()
  // All but the last one, which goes on.
  expect(daysOf('profit_days')).toEqual({ count: kept + 1 })
  expect(daysOf('active_days')).toEqual({ count: kept })
  expect(await looks()).toEqual([wanted(), wanted()])
  await call(69, 1)
  await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
  expect(await looks()).toEqual([wanted(), wanted()])
  expect(keep()).toBe(true)
  expect(keep()).toBe(false)
  expect(await looks()).toEqual([wanted(), wanted()])
  // What is kept is what is read: without it the days would come to less.
  raw.run(`DELETE FROM profit_accounts WHERE day < ${today - 7}`)
  expect((await looks())[1]).toEqual(wanted())
  connection.close()
})
