import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nanoUsd, parseUsd } from '../../src/domain/money'
import { customer, testFolder, type TestFolder } from '../storage/folder'

/** Kills of the suite; many more where they are asked for. */
const kills = Number(process.env['CHAPAR_FRONT_KILLS'] ?? 8)
const maxMs = 30_000 + kills * 6000

/** An owner with fronts under load, that says who serves. */
function begin(folder: TestFolder, acks: string, hashes: readonly string[], fronts: number) {
  const script = join(import.meta.dir, 'owner-child.ts')
  const run = Bun.spawn(
    [process.execPath, script, folder.path, acks, String(fronts), hashes.join(',')],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const heard = { pids: [] as readonly number[], fronts: 0, last: '', ended: false }
  let next = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const line of linesOf(run.stdout)) {
      heard.last = line
      const [word, ...rest] = line.split(' ')
      if (word !== 'pids') continue
      heard.pids = rest.slice(0, -2).map(Number)
      heard.fronts = Number(rest.at(-1))
      next.resolve()
      next = Promise.withResolvers<void>()
    }
    heard.ended = true
    next.resolve()
  })()
  /** Fronts that serve, once so many do, and none of them is that one. */
  const serving = async (gone = 0): Promise<readonly number[]> => {
    for (;;) {
      await next.promise
      if (heard.ended) throw new Error('the owner ended')
      const { pids } = heard
      if (pids.length === fronts && heard.fronts === fronts && !pids.includes(gone)) return pids
    }
  }
  const last = async (): Promise<string> => {
    await reading
    return heard.last
  }
  return { run, serving, last }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Every charge that a client was told of is kept, once, and nothing else is off. */
async function checkBooks(
  folder: TestFolder,
  acks: string,
  start: number,
): Promise<{ readonly acked: number }> {
  const storage = folder.open(true)
  expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
  const raw = folder.raw()
  const costs = new Map(
    raw
      .query<{ id: string; cost: number }, []>('SELECT id, cost FROM requests')
      .all()
      .map(({ id, cost }) => [id, cost]),
  )
  const told = readFileSync(acks, 'utf8').split('\n').slice(0, -1)
  const acked = told.filter((line) => line !== 'refused').map((line) => line.split(' '))
  // What cost nothing may be forgotten.
  const wrong = acked.filter(([id = '', cost]) => (costs.get(id) ?? 0) !== Number(cost))
  expect(wrong).toEqual([])
  const balances = raw
    .query<{ id: number; balance: number }, []>('SELECT id, balance FROM accounts WHERE id > 0')
    .all()
  for (const { balance } of balances) expect(balance).toBeGreaterThanOrEqual(0)
  const sum = balances.reduce((all, { balance }) => all + balance, 0)
  const charged = [...costs.values()].reduce((all, cost) => all + cost, 0)
  expect(sum).toBe(start - charged)
  await storage.close()
  return { acked: acked.length }
}

async function openCustomers(folder: TestFolder) {
  const storage = folder.open()
  const rich = await customer(storage, { usd: '1000' })
  const poor = await customer(storage, { usd: '0.0005', key: { spendLimit: nanoUsd(400_000) } })
  await storage.close()
  const hashes = [rich, poor].map(({ account }) => `hash-${account.id}`)
  return { hashes, start: Number(parseUsd('1000.0005')) }
}

test(
  'fronts that are killed leave exact books, and their money to the others at once',
  async () => {
    using folder = testFolder()
    const acks = join(folder.path, 'acks')
    const { hashes, start } = await openCustomers(folder)
    const { run, serving, last } = begin(folder, acks, hashes, 3)
    let gone = 0
    for (let kill = 0; kill < kills; kill++) {
      const pids = await serving(gone)
      await Bun.sleep(Math.random() * 100)
      gone = pids[Math.floor(Math.random() * pids.length)] ?? 0
      process.kill(gone, kill % 8 === 3 ? 'SIGSTOP' : 'SIGKILL')
    }
    await serving(gone)
    await Bun.sleep(100)
    run.kill('SIGTERM')
    expect(await last()).toBe('leased 0')
    expect(await run.exited).toBe(0)
    expect((await checkBooks(folder, acks, start)).acked).toBeGreaterThan(kills * 10)
  },
  maxMs,
)

test(
  'an owner that is killed leaves spools of all its fronts, which the next one charges',
  async () => {
    using folder = testFolder()
    const acks = join(folder.path, 'acks')
    const { hashes, start } = await openCustomers(folder)
    for (let round = 0; round < 4; round++) {
      const { run, serving } = begin(folder, acks, hashes, 2)
      await serving()
      await Bun.sleep(50 + Math.random() * 100)
      run.kill('SIGKILL')
      await run.exited
    }
    const { run, serving, last } = begin(folder, acks, hashes, 2)
    await serving()
    run.kill('SIGTERM')
    expect(await last()).toBe('leased 0')
    await run.exited
    expect((await checkBooks(folder, acks, start)).acked).toBeGreaterThan(50)
  },
  maxMs,
)
