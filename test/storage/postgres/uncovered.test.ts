import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { LeaseExchange, Line } from '../../../src/ledger/leased/exchange'
import { openPostgresEngine } from '../../../src/storage/postgres/exchange'
import { registerNode } from '../../../src/storage/postgres/nodes'
import { postgresBinaries, startPostgres, type PostgresServer } from '../../support/postgres'
import { newAccount, openTestDatabase } from './database'

const ttlMs = 10_000

describe.skipIf(postgresBinaries() === null)('a balance that is lowered beneath a slice', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())

  test('is not charged below zero: the service bears what the slice paid beyond it', async () => {
    await using sql = await openTestDatabase(await server.newDatabase())
    const account = await newAccount(sql, 1000)
    const { id: node, started } = await registerNode(sql, { ttlMs, version: '0', address: 'here' })
    const engine = openPostgresEngine({
      sql: () => sql,
      started,
      ttlMs,
      zoneDay: () => 0,
      onVersion() {},
    })
    const line: Line = {
      scope: `balance ${account} `,
      limit: 0,
      charged: 0,
      give: 0,
      takes: true,
      need: 400,
      want: 400,
      ask: null,
      answer: 0,
      quiet: true,
      held: 0,
    }
    let no = 0
    const exchange = async (change: Partial<Line>) => {
      const asked: LeaseExchange = {
        node,
        no: ++no,
        calls: null,
        durable: false,
        lines: [{ ...line, need: 0, want: 0, ...change }],
      }
      const { rows } = await engine(asked)
      return rows[0]
    }
    const balances = async () =>
      (await sql.unsafe(
        `SELECT (SELECT balance FROM accounts WHERE id = $1)::int AS own,
          (SELECT balance FROM accounts WHERE id = -3)::int AS service`,
        [account],
      )) as { own: number; service: number }[]
    expect(await exchange({ need: 400, want: 400 })).toMatchObject({ amount: 400, sum: 1000 })
    // An operator takes out all but a little.
    await sql.unsafe('UPDATE accounts SET balance = 100 WHERE id = $1', [account])
    expect(await exchange({ charged: 250 })).toMatchObject({ amount: 150, sum: 0 })
    expect([...(await balances())]).toEqual([{ own: 0, service: -150 }])
    const covered = (await sql.unsafe(
      `SELECT debit::int, credit::int, amount::int, kind, told::int FROM transfers WHERE reference LIKE 'uncovered-%'`,
    )) as object[]
    expect([...covered]).toEqual([
      { debit: -3, credit: account, amount: 150, kind: 'adjustment', told: 1 },
    ])
    // What no slice pays is charged whatever the balance, as before.
    expect(await exchange({ charged: 200 })).toMatchObject({ amount: 0, sum: -50 })
    expect([...(await balances())]).toEqual([{ own: -50, service: -300 }])
  })
})
