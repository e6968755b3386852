import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import { systemClock } from '../../../src/domain/clock'
import { systemIds } from '../../../src/domain/ids'
import { nanoUsd } from '../../../src/domain/money'
import type { UnrecordedCall } from '../../../src/ledger/leased/rejected-calls'
import { openLeasedLedger } from '../../../src/ledger/leased/leased-ledger'
import { registerNode } from '../../../src/ledger/postgres/nodes'
import { replaySpools } from '../../../src/ledger/postgres/replay-spools'
import { ending, opening } from '../../storage/folder'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'
import { engineOn, newCaller, openTestDatabase, ttlMs } from './database'

const settings = {
  kycCeiling: nanoUsd(2_000_000_000),
  serviceDayCapacity: null,
  flushMs: 1,
  pendingAfterMs: 500,
}
const paid = 1_000_000
const cost = nanoUsd(70)

/** PostgreSQL has no NUL in a text, whatever a vendor calls its answer. */
const unwritable = { ...ending(cost), vendorAnswer: 'resp_\u0000' }

describeOn('npm', 'a call that PostgreSQL rejects', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())

  const node = (sql: SQL) => registerNode(sql, { ttlMs, version: 'test', address: '' })
  const statuses = async (sql: SQL) =>
    (
      (await sql.unsafe('SELECT id, status, cost::float8 FROM requests ORDER BY id')) as object[]
    ).map((row) => ({ ...row }))
  const balance = async (sql: SQL, account: number) =>
    Number(
      (
        (await sql.unsafe('SELECT balance FROM accounts WHERE id = $1', [account])) as {
          balance: bigint
        }[]
      )[0]?.balance,
    )

  test('is recorded as a free error, and every other call is charged', async () => {
    await using sql = await openTestDatabase(await server.newDatabase())
    const caller = await newCaller(sql, paid)
    const { id, started } = await node(sql)
    const unrecorded: UnrecordedCall[] = []
    const ledger = openLeasedLedger({
      node: id,
      engine: engineOn(sql, { started }),
      settings,
      beatMs: null,
      now: () => performance.now(),
      onFault() {},
      onUnrecorded: (call) => void unrecorded.push(call),
    })
    const ids = Array.from({ length: 5 }, systemIds.request).toSorted()
    const holds = []
    for (const each of ids) {
      const begun = opening(caller, systemClock.now(), each)
      holds.push(await ledger.hold({ caller, amount: nanoUsd(100), opening: begun }))
    }
    for (const [at, hold] of holds.entries()) hold.settle(at === 2 ? unwritable : ending(cost))
    await ledger.flush().catch(() => {})
    await ledger.close()
    expect(unrecorded.map((call) => [call.opening.id, call.cost])).toEqual([
      [ids[2] as never, cost],
    ])
    expect(await statuses(sql)).toEqual(
      ids.map((each, at) =>
        at === 2
          ? { id: each, status: 'error', cost: 0 }
          : { id: each, status: 'success', cost: 70 },
      ),
    )
    expect(await balance(sql, caller.account.id)).toBe(paid - 4 * cost)
    expect(await leased(sql)).toBe(0)
  })

  test('in the spool of an ended node does not keep the next one from starting', async () => {
    await using sql = await openTestDatabase(await server.newDatabase())
    const caller = await newCaller(sql, paid)
    const { id } = await node(sql)
    const records = [ending(cost), unwritable, ending(cost)].map((each, at) => ({
      opening: opening(caller, systemClock.now(), `req_spooled${at}`),
      held: nanoUsd(100),
      ending: each,
    }))
    const replayed = await replaySpools(sql, [{ node: id, records }], () => 0)
    expect(replayed).toEqual({ calls: 2, short: 0, rejected: [records[1] as never] })
    expect(await balance(sql, caller.account.id)).toBe(paid - 2 * cost)
    const [row] = (await sql.unsafe('SELECT dead FROM nodes WHERE id = $1', [id])) as {
      dead: boolean
    }[]
    expect(row?.dead).toBe(true)
  })
})

const leased = async (sql: SQL): Promise<number> =>
  Number(
    (
      (await sql.unsafe('SELECT coalesce(sum(amount), 0)::float8 AS sum FROM slices')) as {
        sum: number
      }[]
    )[0]?.sum,
  )
