import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemClock } from '../../../src/domain/clock'
import { systemIds } from '../../../src/domain/ids'
import { nanoUsd } from '../../../src/domain/money'
import { openLeasedLedger } from '../../../src/ledger/leased/leased-ledger'
import { registerNode } from '../../../src/ledger/postgres/nodes'
import { openSumWriter } from '../../../src/ledger/postgres/aggregate'
import { ending, opening } from '../../storage/folder'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'
import { engineOn, newCaller, openTestDatabase, ttlMs } from './database'

const settings = {
  kycCeiling: nanoUsd(2_000_000_000),
  serviceDayCapacity: null,
  flushMs: 10,
  pendingAfterMs: 500,
}

describeOn('npm', 'sums of charges on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())

  test('follow in steps, however many charges an outage left', async () => {
    await using sql = await openTestDatabase(await server.newDatabase())
    const caller = await newCaller(sql, 1_000_000_000)
    const { id, started } = await registerNode(sql, { ttlMs, version: 'test', address: '' })
    const ledger = openLeasedLedger({
      node: id,
      engine: engineOn(sql, { started }, { zoneDay: () => 1 }),
      settings,
      beatMs: null,
      now: () => performance.now(),
      onFault(fault) {
        throw fault
      },
    })
    for (let call = 0; call < 10; call++) {
      const amount = nanoUsd(100)
      const begun = opening(caller, systemClock.now(), systemIds.request())
      const hold = await ledger.hold({ caller, amount, opening: begun })
      hold.settle(ending(nanoUsd(70)))
    }
    await ledger.close()
    const sums = openSumWriter(4)
    const summed = async () => {
      const rows = (await sql.unsafe(
        'SELECT coalesce(sum(requests), 0)::bigint AS calls, coalesce(sum(cost), 0)::bigint AS cost FROM usage_days',
      )) as { calls: bigint; cost: bigint }[]
      return rows.map(({ calls, cost }) => [Number(calls), Number(cost)])[0]
    }
    const seen: (number | undefined)[] = []
    const over: (boolean | undefined)[] = []
    for (let step = 0; step < 5; step++) {
      over.push((await sums.write(sql))?.isOver)
      seen.push((await summed())?.[0])
    }
    expect(over).toEqual([false, false, true, true, true])
    expect(seen.filter((calls, at) => calls !== seen[at - 1]).length).toBeGreaterThan(2)
    expect(await summed()).toEqual([10, 700])
  })
})
