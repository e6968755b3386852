import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Caller } from '../../../src/domain/caller'
import { openSumWriter } from '../../../src/ledger/postgres/aggregate'
import {
  describeOn,
  campaignKinds,
  startPostgres,
  type PostgresServer,
} from '../../support/postgres'
import { newCaller, openTestDatabase } from './database'
import { roundsOf } from '../../support/campaigns'
import { paced } from '../../support/pace'

const rounds = roundsOf('node kills')
const ttlMs = paced(1000)

for (const kind of campaignKinds)
  describeOn(kind, 'nodes on PostgreSQL', () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres({ fsync: 'off' }, kind)
    })
    afterAll(() => server.remove())

    test('killed, frozen and fenced under load, every answered call is charged once, and nothing is overspent', async () => {
      const url = await server.newDatabase()
      await using sql = await openTestDatabase(url)
      const callers = [
        await newCaller(sql, 1_000_000_000),
        await newCaller(sql, 1_000_000_000, { spendLimit: 400_000 }),
        await newCaller(sql, 200_000),
        await newCaller(sql, 1_000_000_000, { dailyCap: 300_000 }),
      ]
      const home = mkdtempSync(join(tmpdir(), 'chapar-nodes-'))
      const fleet = [0, 1, 2].map((at) => new Child(url, join(home, `n${at}`), callers))
      try {
        await Promise.all(fleet.map((child) => child.start()))
        for (let round = 0; round < rounds; round++) {
          await Bun.sleep(100 + Math.random() * 200)
          const child = fleet[round % fleet.length] as Child
          if (round % 5 === 4) await child.freeze(ttlMs * 2.5)
          else if (round % 6 === 5) {
            await server.stop('immediate')
            await server.start()
          } else await child.kill()
        }
        await Promise.all(fleet.map((child) => child.stop()))
        // What frozen ones left is replayed by the next process of their machine.
        await Promise.all(fleet.map((child) => child.start()))
        await Promise.all(fleet.map((child) => child.stop()))
        await checkBooks(sql, fleet, callers)
      } finally {
        for (const child of fleet) child.end()
        rmSync(home, { recursive: true, force: true })
      }
    })
  })

/** A node, and its lives one after the other in one folder. */
class Child {
  #run: Bun.Subprocess | null = null
  readonly #url: string
  readonly #folder: string
  readonly #callers: readonly Caller[]

  constructor(url: string, folder: string, callers: readonly Caller[]) {
    this.#url = url
    this.#folder = folder
    this.#callers = callers
    mkdirSync(folder)
  }

  async start(): Promise<void> {
    const ready = `${this.#folder}.ready`
    rmSync(ready, { force: true })
    const order = { url: this.#url, folder: this.#folder, ttlMs, callers: this.#callers }
    const run = Bun.spawn(
      [process.execPath, join(import.meta.dir, 'node-child.ts'), JSON.stringify(order)],
      { stdout: 'inherit', stderr: 'inherit' },
    )
    this.#run = run
    while (!existsSync(ready)) {
      if (run.exitCode !== null) throw new Error(`the node ended with ${run.exitCode}`)
      await Bun.sleep(5)
    }
  }

  async kill(): Promise<void> {
    this.#run?.kill('SIGKILL')
    await this.#run?.exited
    await this.start()
  }

  /** Beyond its ttl: it is taken over meanwhile, and ends when it wakes up. */
  async freeze(forMs: number): Promise<void> {
    this.#run?.kill('SIGSTOP')
    await Bun.sleep(forMs)
    this.#run?.kill('SIGCONT')
    expect(await this.#run?.exited).toBe(3)
    await this.start()
  }

  async stop(): Promise<void> {
    this.#run?.kill('SIGTERM')
    expect(await this.#run?.exited).toBe(0)
  }

  end(): void {
    this.#run?.kill('SIGKILL')
  }

  /** What its clients were told, by call. */
  told(): ReadonlyMap<string, number> {
    const lines = readFileSync(`${this.#folder}.acks`, 'utf8').split('\n')
    return new Map(
      lines.flatMap((line) => {
        const [id = '', cost] = line.split(' ')
        return id.startsWith('req_') ? [[id, Number(cost)] as const] : []
      }),
    )
  }
}

async function checkBooks(
  sql: SQL,
  fleet: readonly Child[],
  callers: readonly Caller[],
): Promise<void> {
  const sums = openSumWriter()
  for (let time = 0; time < 20; time++) await sums.write(sql)
  const one = async (text: string, values: unknown[] = []) =>
    ((await sql.unsafe(text, values)) as Record<string, bigint>[])[0] as Record<string, bigint>
  const told = new Map(fleet.flatMap((child) => [...child.told()]))
  expect(told.size).toBeGreaterThan(rounds)
  const rows = (await sql.unsafe('SELECT id, cost, status FROM requests')) as {
    id: string
    cost: bigint
    status: string
  }[]
  const kept = new Map(rows.map(({ id, cost }) => [id, Number(cost)]))
  // Nothing is lost with what costs nothing, so nobody keeps it before its exchange.
  const wrong = [...told].filter(([id, cost]) => cost > 0 && kept.get(id) !== cost)
  expect(wrong).toEqual([])
  expect(rows.filter(({ status }) => status === 'pending')).toEqual([])
  expect(await one('SELECT coalesce(sum(leased), 0)::bigint AS a FROM accounts')).toEqual({ a: 0n })
  expect(await one('SELECT coalesce(sum(leased), 0)::bigint AS a FROM scopes')).toEqual({ a: 0n })
  expect(await one('SELECT count(*) AS a FROM slices WHERE amount > 0')).toEqual({ a: 0n })
  const drift: { off: bigint }[] = await sql.unsafe(
    `SELECT a.id, a.balance - coalesce((SELECT sum(CASE WHEN credit = a.id THEN amount ELSE - amount END)::bigint FROM transfers
      WHERE debit = a.id OR credit = a.id), 0) AS off FROM accounts a`,
  )
  expect(drift.filter(({ off }) => off !== 0n)).toEqual([])
  for (const { account, key } of callers) {
    const spent = await one(
      `SELECT coalesce(sum(amount), 0)::bigint AS a FROM transfers WHERE kind = 'charge' AND debit = $1`,
      [account.id],
    )
    for (const [kind, id] of [
      ['key', key.id],
      ['account', account.id],
    ]) {
      expect(await one('SELECT sum AS a FROM scopes WHERE name = $1', [`${kind} ${id} `])).toEqual(
        spent,
      )
      expect(
        await one('SELECT amount AS a FROM spent WHERE kind = $1 AND id = $2', [kind, id]),
      ).toEqual(spent)
    }
    const cost = await one(
      'SELECT sum(cost)::bigint AS a, count(*) AS n FROM requests WHERE account = $1',
      [account.id],
    )
    expect(cost['a']).toBe(spent['a'] as bigint)
    expect(
      await one(
        'SELECT sum(cost)::bigint AS a, sum(requests)::bigint AS n FROM usage_days WHERE project = $1',
        [callers.find((each) => each.account.id === account.id)?.project.id],
      ),
    ).toEqual(cost)
    const balance = await one('SELECT balance AS a FROM accounts WHERE id = $1', [account.id])
    const paid = await one(`SELECT sum(amount)::bigint AS a FROM transfers WHERE credit = $1`, [
      account.id,
    ])
    expect(Number(balance['a'])).toBe(Number(paid['a']) - Number(spent['a']))
  }
}
