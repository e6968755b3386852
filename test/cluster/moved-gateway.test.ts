import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import type { Caller } from '../../src/domain/caller'
import { parseUsd } from '../../src/domain/money'
import { hashSecret, makeSecret, secretPrefix } from '../../src/gateway/identity/secret'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { begin, run, serve, type Begun, type Serving } from '../support/executable'
import { describeOn, startPostgres, type PostgresServer } from '../support/postgres'
import { charge, opening } from '../storage/folder'
import { paced } from '../support/pace'

const oldCalls = 5_000
/** A call as a client saw it. */
interface Answered {
  readonly id: string
  /** What the gateway on the folder said of it; null where it was not asked. */
  readonly receipt: unknown
}

describeOn('npm', 'a gateway that is moved while it serves', () => {
  let server: PostgresServer
  let home: string
  beforeAll(async () => {
    server = await startPostgres()
    home = mkdtempSync(join(tmpdir(), 'chapar-moved-'))
  })
  afterAll(async () => {
    await server.remove()
    rmSync(home, { recursive: true, force: true })
  })

  const receiptOf = async ({ url }: Serving, secret: string, id: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${secret}` }
    const response = await fetch(`${url}/requests/${id}`, { headers })
    return response.ok ? await response.json() : null
  }

  /** Calls, whole and streamed, until the gateway is gone. */
  const client = async (gateway: Serving, secret: string, answered: Answered[]): Promise<void> => {
    for (let turn = 0; ; turn++) {
      await Bun.sleep(15)
      const stream = turn % 2 === 1
      const response = await fetch(`${gateway.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: turn % 10 === 9 ? 'sandbox/error-priced' : 'sandbox/echo-priced',
          messages: [{ role: 'user', content: 'word '.repeat(1 + (turn % 7)) }],
          max_tokens: 20,
          stream,
        }),
      }).catch(() => null)
      const text = await response?.text().catch(() => null)
      if (response === null || text === null || text === undefined) return
      if (response.status === 503) return
      const id = response.headers.get('x-request-id') ?? ''
      if (!response.ok || (stream && !text.includes('[DONE]'))) continue
      const receipt =
        turn % 20 === 0 ? await receiptOf(gateway, secret, id).catch(() => null) : null
      answered.push({ id, receipt })
    }
  }

  const said = async (command: Begun, words: string): Promise<void> => {
    let isOver = false
    void command.exited.then(() => (isOver = true))
    while (!command.logs().includes(words)) {
      if (isOver) throw new Error(`it ended, and said: ${command.logs()}`)
      await Bun.sleep(10)
    }
  }

  /** A gateway on a folder of its own, that is called. */
  const beginServed = async (name: string) => {
    const folder = join(home, name)
    const secret = await newFolder(folder)
    const gateway = await serve(['--data', folder])
    const answered: Answered[] = []
    const clients = Array.from({ length: 3 }, () => client(gateway, secret, answered))
    return { folder, secret, gateway, answered, clients, url: await server.newDatabase() }
  }

  /** Nobody serves from the folder; from the database all is told as before. */
  const expectMoved = async ({
    folder,
    secret,
    answered,
    url,
  }: Awaited<ReturnType<typeof beginServed>>): Promise<void> => {
    const refused = await run(['serve', '--data', folder, '--port', '0'])
    expect(refused.stderr).toContain('moved to')
    expect(refused.code).toBe(1)
    const next = await serve(['--data', folder], { CHAPAR_DATABASE: url })
    try {
      const receipts = answered.filter(({ receipt }) => receipt !== null)
      expect(receipts.length).toBeGreaterThan(1)
      for (const { id, receipt } of receipts)
        expect(await receiptOf(next, secret, id)).toEqual(receipt)
      for (const { id } of answered.slice(-20))
        expect(await receiptOf(next, secret, id)).toMatchObject({ id, status: 'success' })
      const audit = await run(['audit', '--json', '--database', url, '--data', folder])
      expect(audit.json<object>()).toMatchObject({ ok: true, pending: 0, differences: [] })
      const { requests } = audit.json<{ requests: number }>()
      expect(requests).toBeGreaterThanOrEqual(oldCalls + answered.length)
    } finally {
      next.kill('SIGTERM')
      await next.exited
    }
  }

  test('loses no answered call, also where the command was killed and begun again', async () => {
    const served = await beginServed('stopped')
    const { folder, gateway, answered, clients, url } = served
    const killed = begin(['migrate', '--to', url, '--data', folder])
    await said(killed, 'stop the gateway')
    killed.kill('SIGKILL')
    await killed.exited
    const early = await run(['account', 'list', '--database', url, '--data', folder])
    expect(early.stderr).toContain('is being moved into this database')
    const before = answered.length
    expect(before).toBeGreaterThan(10)

    const moved = await run(['migrate', '--to', url, '--stop', '--json', '--data', folder])
    expect(moved.stderr).toContain('asked to end')
    expect(moved.code).toBe(0)
    expect(await gateway.exited).toBe(0)
    await Promise.all(clients)
    expect(answered.length).toBeGreaterThan(before)
    expect(moved.json<{ stopped_ms: number }>().stopped_ms).toBeLessThan(paced(10_000))
    await expectMoved(served)
  })

  test('charges what a gateway left that was killed', async () => {
    const served = await beginServed('killed')
    const { folder, gateway, clients, url } = served
    const moving = begin(['migrate', '--to', url, '--data', folder])
    await said(moving, 'stop the gateway')
    gateway.kill('SIGKILL')
    expect(await moving.exited).toBe(0)
    await Promise.all(clients)
    await expectMoved(served)
  })
})

/** A data folder with one account, its key and calls of before. @returns the key */
async function newFolder(folder: string): Promise<string> {
  const storage = openStorage({ folder, exclusive: true, clock: systemClock })
  const { directory, ledger } = storage
  await storage.settings.set('address-rpm', '1000000')
  const account = await directory.createAccount({ name: 'customer', verified: true })
  await directory.setAccount(account.id, { concurrency: 1000, requestsPerMinute: 1_000_000 })
  const project = await directory.createProject({ account: account.id, name: 'main' })
  const secret = makeSecret('sk-chapar-v1-')
  const key = await directory.createKey(
    {
      project: project.id,
      name: 'key',
      prefix: secretPrefix(secret),
      requestsPerMinute: 1_000_000,
    },
    hashSecret(secret, storage.pepper),
  )
  const money = { amount: parseUsd('900'), kind: 'topup', reference: 'first' } as const
  await directory.deposit({ account: account.id, ...money })
  const caller: Caller = { account, project, key }
  const batches = Array.from({ length: oldCalls }, (_, at) =>
    charge(opening(caller, systemClock.now(), `req_${String(at).padStart(12, '0')}`), 1000 + at),
  )
  await ledger.commit(
    {
      opened: [],
      ended: batches.flatMap(({ ended }) => ended),
      spent: batches.flatMap(({ spent }) => spent),
    },
    false,
  )
  await storage.close()
  return secret
}
