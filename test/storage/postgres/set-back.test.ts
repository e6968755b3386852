import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import type { FenceCause } from '../../../src/ledger/postgres/exchange'
import { registerNode, type NodeLife } from '../../../src/ledger/postgres/nodes'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'
import { engineOn, openTestDatabase, ttlMs } from './database'

describeOn('npm', 'a node whose database', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())

  /** A node after two exchanges. */
  const begin = async (sql: SQL) => {
    const life: NodeLife = await registerNode(sql, { ttlMs, version: '0', address: 'here' })
    const causes: FenceCause[] = []
    const state = { heard: 0 }
    const engine = engineOn(sql, life, {
      heardVersion: () => state.heard,
      onFenced: (cause) => void causes.push(cause),
    })
    let no = 0
    const exchange = async () => {
      const asked = { node: life.id, no: ++no, calls: null, durable: false, lines: [] }
      const { fenced } = await engine(asked)
      return { fenced, causes }
    }
    await exchange()
    expect(await exchange()).toEqual({ fenced: false, causes: [] })
    return { life, exchange, state }
  }

  const losses = {
    'lacks an exchange': 'UPDATE nodes SET batch = 1',
    'does not know it': 'DELETE FROM nodes',
    'lacks a change': 'UPDATE world SET version = version - 1',
  }
  test.each(Object.entries(losses))('%s is fenced', async (_, loss) => {
    await using sql = await openTestDatabase(await server.newDatabase())
    await sql.unsafe('UPDATE world SET version = 10')
    const { exchange } = await begin(sql)
    await sql.unsafe(loss)
    expect(await exchange()).toEqual({ fenced: true, causes: ['set_back'] })
  })

  test('lacks a change of which a notification told is fenced', async () => {
    await using sql = await openTestDatabase(await server.newDatabase())
    const { exchange, state } = await begin(sql)
    state.heard = 1000
    expect(await exchange()).toEqual({ fenced: true, causes: ['set_back'] })
  })

  test('has another one of its number by now leaves that alone', async () => {
    await using sql = await openTestDatabase(await server.newDatabase())
    const { life, exchange } = await begin(sql)
    // As far as this one: its next number would be the other one's next.
    await sql.unsafe('UPDATE nodes SET started = started + 1')
    expect(await exchange()).toEqual({ fenced: true, causes: ['set_back'] })
    const [row]: { batch: bigint }[] = await sql.unsafe('SELECT batch FROM nodes WHERE id = $1', [
      life.id,
    ])
    expect(Number(row?.batch)).toBe(2)
  })

  test('has it taken over says so', async () => {
    await using sql = await openTestDatabase(await server.newDatabase())
    const { exchange } = await begin(sql)
    await sql.unsafe('UPDATE nodes SET dead = true')
    expect(await exchange()).toEqual({ fenced: true, causes: ['taken_over'] })
  })
})
