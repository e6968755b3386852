import { afterAll, beforeAll, expect, test } from 'bun:test'
import type {
  Engine,
  LeaseAnswer,
  LeaseExchange,
  Line,
  QuestionStep,
} from '../../../src/ledger/leased/exchange'
import { LeaseBook } from '../../ledger/leased/model/lease-book'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import { openDatabase } from '../../../src/storage/postgres/connect'
import { exchangeSettings, exchangeSql } from '../../../src/ledger/postgres/exchange-sql'
import { leaveNode, registerNode } from '../../../src/ledger/postgres/nodes'
import { takeOver } from '../../../src/ledger/postgres/takeover'
import { describeOn, serverKinds, startPostgres, type PostgresServer } from '../../support/postgres'
import { seeded } from '../../ledger/leased/weather'
import { engineOn, newAccount, openTestDatabase, ttlMs } from './database'
import { firstSeed, roundsOf } from '../../support/campaigns'

const rounds = roundsOf('exchange model')

for (const kind of serverKinds)
  describeOn(kind, 'an exchange on PostgreSQL', () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres({ fsync: 'off' }, kind)
    })
    afterAll(() => server.remove())

    test('reads no table as a whole, and costs less than a server compiles a statement for', async () => {
      const url = await server.newDatabase()
      await using made = await openTestDatabase(url)
      await made.unsafe('ANALYZE')
      const address = { ...readDatabaseAddress(url), settings: exchangeSettings }
      await using sql = openDatabase({ address, max: 1, name: 'test' })
      await sql.unsafe(`PREPARE exchange AS ${exchangeSql}`).simple()
      const rows = (await sql
        .unsafe(`EXPLAIN (FORMAT JSON) EXECUTE exchange (1, 1, 1000, '[]', '[]', '[]', 0)`)
        .simple()) as readonly ExplainRow[]
      const said = rows[0]?.['QUERY PLAN'] ?? []
      const [explained] = (typeof said === 'string' ? JSON.parse(said) : said) as {
        Plan: PlanNode
      }[]
      expect(nodesOf(explained?.Plan).filter((node) => node['Node Type'] === 'Seq Scan')).toEqual(
        [],
      )
      // `jit_above_cost` is 100,000, and a table that is read against `enable_seqscan` costs ten thousand million.
      expect(explained?.Plan['Total Cost']).toBeLessThan(10_000)
    })

    test('answers as the book in memory does, whatever is asked, in numbers and after deaths', async () => {
      await using sql = await openTestDatabase(await server.newDatabase())
      await sql.unsafe('CREATE TABLE hand_clock AS SELECT 1000000::bigint AS t')
      await sql.unsafe(
        'CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT t FROM hand_clock $$',
      )
      for (let round = 0; round < rounds; round++) await playRound(sql, firstSeed + round)
    })
  })

interface ExplainRow {
  readonly 'QUERY PLAN': string | readonly { readonly Plan: PlanNode }[]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Total Cost': number
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (plan: PlanNode | undefined): readonly PlanNode[] =>
  plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

interface TestNode {
  readonly id: number
  no: number
  readonly engine: Engine
}

async function playRound(sql: Awaited<ReturnType<typeof openTestDatabase>>, seed: number) {
  const random = seeded(seed)
  const account = await newAccount(sql, 1_000)
  const caps = [`key ${account} `, `account-day ${account} 2026-11-24`]
  const scopes = [`balance ${account} `, ...caps]
  const sums = new Map<string, number>([[scopes[0] as string, 1_000]])
  const book = new LeaseBook(
    {
      of: (scope) => sums.get(scope) ?? 0,
      charge: (scope, cost) =>
        void sums.set(
          scope,
          (sums.get(scope) ?? 0) + (scope.startsWith('balance ') ? -cost : cost),
        ),
    },
    ttlMs,
  )
  const now = async () =>
    Number(((await sql.unsafe('SELECT t FROM hand_clock')) as { t: bigint }[])[0]?.t)
  const nodes: TestNode[] = []
  const begin = async () => {
    const { id, started } = await registerNode(sql, { ttlMs, version: '0', address: 'here' })
    book.register(id, await now())
    const engine = engineOn(sql, { started })
    nodes.push({ id, no: 0, engine })
  }
  for (let count = 0; count < 3; count++) await begin()
  let charged = 0

  for (let step = 0; step < 120; step++) {
    const node = nodes[Math.floor(random() * nodes.length)] as TestNode
    const repeats = random() < 0.1 && node.no > 0
    const no = repeats ? node.no : ++node.no
    const lines = scopes.filter(() => random() < 0.7).map((scope) => lineOf(scope, random))
    const exchange: LeaseExchange = { node: node.id, no, calls: null, durable: false, lines }
    const told = book.answer(exchange, await now())
    const answer = await node.engine(exchange)
    expect({ seed, step, ...settled(answer, lines) }).toEqual({
      seed,
      step,
      ...settled(told, lines),
    })
    if (answer.fresh) charged += lines[0]?.scope === scopes[0] ? (lines[0]?.charged ?? 0) : 0
    if (random() < 0.2)
      await sql.unsafe('UPDATE hand_clock SET t = t + $1', [Math.floor(random() * 400)])
    if (random() < 0.02) {
      const [silent] = nodes.splice(Math.floor(random() * nodes.length), 1)
      await sql.unsafe('UPDATE hand_clock SET t = t + $1', [ttlMs + 1])
      for (const { id } of nodes) {
        await sql.unsafe('UPDATE nodes SET expires = now_ms() + $2 WHERE id = $1', [id, ttlMs])
        const known = book.nodes.get(id)
        if (known !== undefined) known.expires = (await now()) + ttlMs
      }
      const by = nodes[0]?.id ?? 0
      expect((await takeOver(sql, by, ttlMs)).nodes).toEqual([...book.takeOver(by, await now())])
      book.forget(silent?.id ?? 0)
      await begin()
    }
  }
  const [row] = (await sql.unsafe(
    `SELECT balance, leased, (SELECT coalesce(sum(amount), 0)::bigint FROM slices WHERE scope = 'balance ' || id || ' ') AS slices
      FROM accounts WHERE id = $1`,
    [account],
  )) as { balance: bigint; leased: bigint; slices: bigint }[]
  expect(Number(row?.balance)).toBe(1_000 - charged)
  expect(row?.leased).toBe(row?.slices as bigint)
  await sql.unsafe('UPDATE hand_clock SET t = t + 100000')
  for (const { id } of nodes) await leaveNode(sql, id)
  await sql.unsafe('UPDATE nodes SET dead = true')
}

/** Answers without the order of nodes, and without what only a fresh one tells. */
const settled = ({ fenced, fresh, rows }: LeaseAnswer, lines: readonly Line[]) => ({
  fenced,
  fresh,
  rows: rows.map((row, at) => {
    const { limit, takes } = lines[at] as Line
    // Of a sum that is only counted, either says what it likes.
    if (row === null || (limit === null && !takes && row.amount === 0)) return null
    const { amount, short, sum, leased, slot } = row
    if (!fresh) return { amount, sum, leased }
    const others = row.others
      .filter((other) => other.amount > 0)
      .map((other) => [other.node, other.amount] as const)
      .toSorted(([one], [other]) => one - other)
    return { amount, short, sum, leased, isMine: slot?.mine ?? null, others }
  }),
})

const steps: readonly (QuestionStep | null)[] = [null, null, null, 'open', 'again', 'done']

function lineOf(scope: string, random: () => number): Line {
  const isBalance = scope.startsWith('balance ')
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const need = upTo(60)
  const limit = isBalance ? 0 : random() < 0.1 ? null : 500
  return {
    scope,
    limit,
    charged: random() < 0.5 ? upTo(12) : 0,
    give: random() < 0.2 ? upTo(100) : 0,
    takes: random() < 0.7,
    need,
    want: need + upTo(150),
    ask: limit === null ? null : (steps[upTo(steps.length - 1)] ?? null),
    answer: random() < 0.3 ? upTo(5) : 0,
    quiet: random() < 0.5,
    held: upTo(40),
  }
}
