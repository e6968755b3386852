import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { LeaseExchange, Line } from '../../../src/ledger/leased/exchange'
import { registerNode } from '../../../src/ledger/postgres/nodes'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'
import { takeOver } from '../../../src/ledger/postgres/takeover'
import type { CallOpening } from '../../../src/domain/record'
import { charge, opening } from '../folder'
import { engineOn, newCaller, openTestDatabase, ttlMs } from './database'

describeOn('npm', 'a balance that is lowered beneath a slice', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())

  test('is not charged below zero: the service bears what the slice paid beyond it', async () => {
    await using sql = await openTestDatabase(await server.newDatabase())
    const caller = await newCaller(sql, 1000)
    const { id: account } = caller.account
    const begin = (): CallOpening => opening(caller, 1_764_000_000_000 as never)
    const { id: node, started } = await registerNode(sql, { ttlMs, version: '0', address: 'here' })
    const engine = engineOn(sql, { started })
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
    const exchange = async (change: Partial<Line>, call: CallOpening | null = null) => {
      const asked: LeaseExchange = {
        node,
        no: ++no,
        calls:
          call === null ? null : { opened: [], ended: charge(call, change.charged ?? 0).ended },
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
    const first = begin()
    expect(await exchange({ charged: 250 }, first)).toMatchObject({ amount: 150, sum: 0 })
    expect([...(await balances())]).toEqual([{ own: 0, service: -150 }])
    const covered = (await sql.unsafe(
      `SELECT debit::int, credit::int, amount::int, kind, reference, told::int FROM transfers
        WHERE kind = 'adjustment'`,
    )) as object[]
    expect([...covered]).toEqual([
      {
        debit: -3,
        credit: account,
        amount: 150,
        kind: 'adjustment',
        reference: `uncovered-${first.id}`,
        told: 1,
      },
    ])
    // Nor does what no slice pays.
    expect(await exchange({ charged: 200 }, begin())).toMatchObject({ amount: 0, sum: 0 })
    expect([...(await balances())]).toEqual([{ own: 0, service: -350 }])
  })

  test('pays a node that died as far as it reaches, each account for itself', async () => {
    await using sql = await openTestDatabase(await server.newDatabase())
    const { id: gone } = await registerNode(sql, { ttlMs, version: '0', address: 'there' })
    const { id: by } = await registerNode(sql, { ttlMs, version: '0', address: 'here' })
    const callers = await Promise.all([1000, 100].map((paid) => newCaller(sql, paid)))
    for (const [at, { account, project, key }] of callers.entries())
      for (const call of [0, 1])
        await sql.unsafe(
          `INSERT INTO requests (id, account, project, key, endpoint, model, streamed, status, input_tokens,
             output_tokens, cached_tokens, reasoning_tokens, estimated, cost, held, card_version, address, created, owed, node)
           VALUES ($1, $2, $3, $4, 'chat', 'm', 1, 'pending', 1, 1, 0, 0, 0, 0, 500, '1', '::1', 0, 200, $5)`,
          [`req_${at}${call}`, account.id, project.id, key.id, gone],
        )
    await sql.unsafe('UPDATE nodes SET expires = now_ms() - 1 WHERE id = $1', [gone])
    await sql.unsafe('UPDATE nodes SET renewed = now_ms() - $1 WHERE id = $2', [ttlMs, by])
    expect(await takeOver(sql, by, ttlMs)).toEqual({ nodes: [gone], calls: 4 })
    const ids = callers.map(({ account }) => account.id)
    const balances = (await sql.unsafe(
      'SELECT balance::int FROM accounts WHERE id IN ($1, $2, -3) ORDER BY id',
      ids,
    )) as { balance: number }[]
    expect(balances.map(({ balance }) => balance)).toEqual([-300, 600, 0])
    const sums = (await sql.unsafe(
      `SELECT sum::int FROM scopes WHERE name LIKE 'account %' ORDER BY name`,
    )) as { sum: number }[]
    expect(sums.map(({ sum }) => sum)).toEqual([400, 400])
    const borne = (await sql.unsafe(
      `SELECT credit::int, amount::int, reference FROM transfers
        WHERE reference LIKE 'uncovered-%' ORDER BY reference`,
    )) as object[]
    expect([...borne]).toEqual([
      { credit: ids[1], amount: 100, reference: 'uncovered-req_10' },
      { credit: ids[1], amount: 200, reference: 'uncovered-req_11' },
    ])
  })
})
