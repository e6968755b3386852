import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { parseUsd } from '../../src/domain/money'
import { hashSecret, makeSecret, secretPrefix } from '../../src/gateway/identity/secret'
import { readDatabaseAddress } from '../../src/storage/database-address'
import { openDatabase } from '../../src/storage/postgres/connect'
import { exchangedLedger } from '../../src/ledger/postgres/exchanged-sums'
import {
  openPostgresStorage,
  type PostgresStorage,
} from '../../src/business/data/postgres/open-storage'
import { serve, type Serving } from '../support/executable'
import { describeOn, startPostgres, type PostgresServer } from '../support/postgres'
import { paced, pacedSeconds } from '../support/pace'

const ttlSeconds = pacedSeconds(4)
/** Dollars of one call. */
const cost = 0.0000225

describeOn('npm', 'two gateways on one PostgreSQL', () => {
  let server: PostgresServer
  let url: string
  let home: string
  let storage: PostgresStorage
  let sql: SQL
  let gateways: Serving[] = []

  const folderOf = (name: string): string => {
    const folder = join(home, name)
    mkdirSync(folder, { recursive: true })
    copyFileSync(join(home, 'desk', 'secret.key'), join(folder, 'secret.key'))
    return folder
  }
  const begin = (name: string): Promise<Serving> =>
    serve(['--data', folderOf(name)], {
      CHAPAR_DATABASE: url,
      CHAPAR_NODE_TTL: String(ttlSeconds),
      CHAPAR_DRAIN_DELAY: '1',
    })

  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    url = await server.newDatabase()
    home = mkdtempSync(join(tmpdir(), 'chapar-two-'))
    mkdirSync(join(home, 'desk'))
    storage = await openPostgresStorage({
      address: readDatabaseAddress(url),
      folder: join(home, 'desk'),
      clock: systemClock,
      ledger: exchangedLedger,
    })
    sql = openDatabase({ address: readDatabaseAddress(url), max: 1, name: 'test' })
    gateways = await Promise.all(['one', 'two'].map(begin))
  })
  afterAll(async () => {
    for (const gateway of gateways) gateway.kill('SIGTERM')
    await Promise.all(gateways.map(({ exited }) => exited))
    await storage.close()
    await sql.close()
    await server.remove()
    rmSync(home, { recursive: true, force: true })
  })

  /** A further account with money and one key. */
  const customer = async (usd: string) => {
    const { directory } = storage
    const account = await directory.createAccount({ name: 'customer', verified: true })
    await directory.setAccount(account.id, { concurrency: 1000, requestsPerMinute: 100_000 })
    const project = await directory.createProject({ account: account.id, name: 'main' })
    const secret = makeSecret('sk-chapar-v1-')
    const named = { project: project.id, name: 'key', prefix: secretPrefix(secret) }
    const made = { ...named, requestsPerMinute: 100_000 }
    const key = await directory.createKey(made, hashSecret(secret, storage.pepper))
    await directory.deposit({
      account: account.id,
      amount: parseUsd(usd),
      kind: 'topup',
      reference: `first-${account.id}`,
    })
    return { account: account.id, key: key.id, secret }
  }

  const call = async (at: number, secret: string, words = 3): Promise<number> => {
    const response = await fetch(`${gateways[at]?.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sandbox/echo-priced',
        messages: [{ role: 'user', content: 'word '.repeat(words) }],
        max_tokens: 20,
      }),
    })
    await response.text()
    return response.status
  }

  const me = async (at: number, secret: string): Promise<{ balance: { usd: string } }> => {
    const response = await fetch(`${gateways[at]?.url}/me`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    return (await response.json()) as { balance: { usd: string } }
  }

  /** Once what was charged a moment ago has come there too. */
  const balanceAt = async (at: number, secret: string, settled: number): Promise<number> => {
    for (let look = 0; ; look++) {
      const { balance } = await me(at, secret)
      const left = Number(balance.usd)
      if (left === settled || look === 100) return left
      await Bun.sleep(10)
    }
  }
  const paidBy = async (account: number): Promise<number> => {
    const [row] = (await sql.unsafe(
      `SELECT coalesce(sum(amount), 0)::bigint AS spent FROM transfers WHERE kind = 'charge' AND debit = $1`,
      [account],
    )) as { spent: bigint }[]
    return Number(row?.spent) / 1e9
  }

  /** Once nothing comes to it any more. */
  const settledBy = async (account: number): Promise<number> => {
    for (let last = -1; ;) {
      const paid = await paidBy(account)
      if (paid === last) return paid
      last = paid
      await Bun.sleep(50)
    }
  }

  test('what is charged by one is the balance of the other', async () => {
    const { secret, account } = await customer('1')
    expect(await call(0, secret)).toBe(200)
    expect(await call(1, secret)).toBe(200)
    const left = 1 - 2 * cost
    for (const at of [0, 1]) expect(await balanceAt(at, secret, left)).toBe(left)
    expect(await paidBy(account)).toBe(2 * cost)
  })

  test('the last cents of an account are sold once, whichever gateway is asked', async () => {
    const { secret, account } = await customer('0.0005')
    const codes: number[] = []
    const buy = async (at: number) => {
      for (let turn = 0; turn < 12; turn++) codes.push(await call(at, secret))
    }
    await Promise.all([0, 1, 0, 1].map(buy))
    expect(new Set(codes)).toEqual(new Set([200, 402]))
    while ((await call(0, secret)) === 200);
    const paid = await settledBy(account)
    expect(paid).toBeLessThanOrEqual(0.0005)
    // Less is left than one more call could cost.
    expect(0.0005 - paid).toBeLessThan(0.0002)
  })

  test('a key that has spent its limit is told of, once', async () => {
    const { secret, key } = await customer('1')
    await storage.directory.setKey(key, { spendLimit: parseUsd('0.003') })
    const told = async () =>
      (await sql.unsafe(
        `SELECT threshold FROM notices WHERE kind = 'key_spend_limit' AND subject = $1 ORDER BY 1`,
        [key],
      )) as { threshold: bigint }[]
    for (let turn = 0; (await told()).length < 1; turn++) await call(turn % 2, secret)
    expect((await told()).map(({ threshold }) => Number(threshold))).toEqual([80])
  })

  test('requests a minute are counted over both', async () => {
    const { secret, key } = await customer('1')
    await storage.directory.setKey(key, { requestsPerMinute: 30 })
    const codes = await Promise.all(Array.from({ length: 60 }, (_, at) => call(at % 2, secret)))
    const taken = codes.filter((code) => code === 200).length
    expect(new Set(codes)).toEqual(new Set([200, 429]))
    // One more may have flowed back meanwhile.
    expect(taken).toBeGreaterThanOrEqual(30)
    expect(taken).toBeLessThanOrEqual(32)
  })

  const ask = async (at: number, secret: string, path: string, body?: object) => {
    const response = await fetch(`${gateways[at]?.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { id: string; status: string }
  }

  test('videos are looked after by one, whoever took them, and what is not made goes back once', async () => {
    const { secret, account } = await customer('20')
    const order = (at: number, model: string) =>
      ask(at, secret, '/videos', { model: `sandbox/${model}-priced`, prompt: 'the sea' })
    const [made, failing, stalled] = await Promise.all([
      order(0, 'video'),
      order(1, 'video-failed'),
      order(1, 'video-stalled'),
    ])
    const statusOf = async (at: number, { id }: { id: string }) =>
      (await ask(at, secret, `/videos/${id}`)).status
    const became = async (at: number, job: { id: string }, status: string) => {
      while ((await statusOf(at, job)) !== status) await Bun.sleep(50)
    }
    await became(1, made, 'completed')
    await became(0, failing, 'failed')
    // By the gateway that knows nothing of it.
    const gone = await fetch(`${gateways[0]?.url}/videos/${stalled.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(await gone.json()).toMatchObject({ deleted: true, refunded: true })
    const moved = (await sql.unsafe(
      `SELECT kind, count(*)::int AS count FROM transfers WHERE $1 IN (debit, credit) AND kind <> 'topup' GROUP BY 1 ORDER BY 1`,
      [account],
    )) as { kind: string; count: number }[]
    expect(moved.map(({ kind, count }) => [kind, count])).toEqual([
      ['charge', 3],
      ['refund', 2],
    ])
    const left = 20 - (await settledBy(account)) / 3
    for (const at of [0, 1]) expect(await balanceAt(at, secret, left)).toBeCloseTo(left, 9)
  })

  test('a revoked key is refused by both within a second', async () => {
    const { secret, key } = await customer('1')
    for (const at of [0, 1]) expect(await call(at, secret)).toBe(200)
    await storage.directory.setKey(key, { state: 'revoked' })
    const began = performance.now()
    for (const at of [0, 1])
      while ((await call(at, secret)) !== 401)
        expect(performance.now() - began).toBeLessThan(paced(1000))
  })

  test('the database is away for a while: who has called goes on, and nothing is lost', async () => {
    const { secret, account } = await customer('5')
    for (const at of [0, 1]) expect(await call(at, secret)).toBe(200)
    await server.stop('immediate')
    const codes = await Promise.all([0, 1, 0, 1, 0, 1].map((at) => call(at, secret)))
    expect(codes).toEqual([200, 200, 200, 200, 200, 200])
    await server.start()
    for (let look = 0; look < 300 && (await paidBy(account).catch(() => 0)) < 8 * cost; look++)
      await Bun.sleep(10)
    expect(await paidBy(account)).toBeCloseTo(8 * cost, 9)
  })

  test('one restarts while the other serves: nobody is refused, and nothing is left behind', async () => {
    const { secret } = await customer('5')
    for (const at of [0, 1]) expect(await call(at, secret)).toBe(200)
    const [old] = gateways
    old?.kill('SIGTERM')
    // Until balancers have heard that it stops, it serves.
    const root = old?.url.replace(/\/v1$/, '') ?? ''
    while ((await fetch(`${root}/readyz`)).status !== 503) await Bun.sleep(5)
    const codes: number[] = [await call(0, secret)]
    for (let turn = 0; turn < 30; turn++) codes.push(await call(1, secret))
    expect(await old?.exited).toBe(0)
    gateways[0] = await begin('one')
    expect(await call(0, secret)).toBe(200)
    expect(new Set(codes)).toEqual(new Set([200]))
    const [gone] = (await sql.unsafe(
      'SELECT count(*)::int AS nodes FROM nodes WHERE dead AND taken_by IS NOT NULL',
    )) as { nodes: number }[]
    expect(gone?.nodes).toBe(0)
  })

  test('one is killed: the other takes its money back and serves on', async () => {
    const { secret } = await customer('5')
    for (const at of [0, 1]) expect(await call(at, secret)).toBe(200)
    const [old] = gateways
    old?.kill('SIGKILL')
    await old?.exited
    const gone = async () =>
      (
        (await sql.unsafe(
          'SELECT count(*)::int AS nodes FROM nodes WHERE dead AND taken_by IS NOT NULL',
        )) as { nodes: number }[]
      )[0]?.nodes
    while ((await gone()) === 0) {
      expect(await call(1, secret)).toBe(200)
      await Bun.sleep(50)
    }
    gateways[0] = await begin('one')
    expect(await call(0, secret)).toBe(200)
  })
})
