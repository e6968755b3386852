import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nanoUsd } from '../../src/domain/money'
import type { LeaseExchange } from '../../src/ledger/leased/exchange'
import { openStoreEngine } from '../../src/ledger/leased/store-engine'
import { openFrontDoor, type FrontDoorParts } from '../../src/processes/front-door'
import { openOwnerDoor } from '../../src/processes/owner-door'
import { charge, customer, memoryStorage, opening } from '../storage/folder'

/** Of a process that another owner began. */
const strangerPid = 4712

/** An owner that listens, and what it is told. */
async function openDesk() {
  const folder = mkdtempSync(join(tmpdir(), 'chapar-doors-'))
  const storage = memoryStorage()
  const caller = await customer(storage, { usd: '1' })
  const path = join(folder, 'owner.sock')
  const state = { now: 0, ended: [] as number[], faults: [] as unknown[], removed: [] as number[] }
  const engine = openStoreEngine({
    store: storage.ledger,
    ttlMs: Number.POSITIVE_INFINITY,
    now: () => state.now,
    onQuestion: ({ node, scope, no }) => door.ask(node, scope, no),
    defer: queueMicrotask,
  })
  const door = await openOwnerDoor({
    path,
    engine,
    store: storage.ledger,
    spools: {
      foldersOf: (node) => [`${node}a`, `${node}b`],
      records: () => [],
      remove: (node) => void state.removed.push(node),
    },
    database: 'this-database',
    silentMs: 1000,
    isOurs: (pid) => pid !== strangerPid,
    now: () => state.now,
    newest: 0,
    greeting: () => 'welcome',
    answering: async (_, topic, body) => [topic, body],
    end: async (pid) => void state.ended.push(pid),
    onFault: (fault) => void state.faults.push(fault),
  })
  door.begin()
  const front = (text = '', resumed: FrontDoorParts['resumed'] = null) =>
    openFrontDoor({ path, pid: 4711, resumed, answering: async (topic) => `${topic} ${text}` })
  const stranger = () =>
    openFrontDoor({ path, pid: strangerPid, resumed: null, answering: async () => null })
  const close = async () => {
    await door.close()
    rmSync(folder, { recursive: true })
  }
  return {
    storage,
    caller,
    engine,
    door,
    state,
    path,
    front,
    stranger,
    [Symbol.asyncDispose]: close,
  }
}

const exchange = (no: number, change: Partial<LeaseExchange> = {}): LeaseExchange => ({
  node: 99,
  no,
  calls: null,
  durable: false,
  lines: [],
  ...change,
})
const take = (scope: string) => ({
  scope,
  limit: 0,
  charged: 0,
  give: 0,
  takes: true,
  need: 100,
  want: 100,
  ask: null,
  answer: 0,
  quiet: true,
  held: 0,
})

test('a front is given a node, folders for its spools, and answers', async () => {
  await using desk = await openDesk()
  const front = await desk.front()
  expect(front).toMatchObject({ node: 1, database: 'this-database', spoolFolders: ['1a', '1b'] })
  const scope = `balance ${desk.caller.account.id} `
  const answer = await front.engine(exchange(1, { lines: [take(scope)] }))
  expect(answer).toMatchObject({ no: 1, fenced: false, rows: [{ amount: 100, short: false }] })
  expect(desk.engine.leased()).toBe(100)
})

test('a front that an earlier owner began in its last moment is not taken', async () => {
  await using desk = await openDesk()
  expect(await desk.stranger().catch(String)).toContain('the owner of the data folder is gone')
  expect(desk.door.fronts()).toBe(0)
})

test('an exchange that cannot be kept fails, and those of others are kept', async () => {
  await using desk = await openDesk()
  const [one, two] = [await desk.front(), await desk.front()]
  const good = opening(desk.caller, 1_764_000_000_000 as never)
  const bad = { ...charge(good, 5).ended[0], wasOpened: true }
  const fails = one.engine(exchange(1, { calls: { opened: [], ended: [bad as never] } }))
  const keeps = two.engine(exchange(1, { calls: charge(good, 7) }))
  expect(await fails.catch((fault: unknown) => String(fault))).toContain('no pending record')
  expect(await keeps).toMatchObject({ fresh: true })
  expect(await desk.storage.ledger.find(good.id)).toEqual({ status: 'success', cost: nanoUsd(7) })
})

test('what a front had goes back when its connection ends', async () => {
  await using desk = await openDesk()
  const front = await desk.front()
  await front.engine(exchange(1, { lines: [take(`balance ${desk.caller.account.id} `)] }))
  front.close()
  await front.closed
  while (desk.state.removed.length === 0) await Bun.sleep(1)
  expect(desk.engine.leased()).toBe(0)
  expect(desk.door.fronts()).toBe(0)
})

test('a front hears questions, changes and when its owner is gone', async () => {
  await using desk = await openDesk()
  const front = await desk.front()
  const heard: string[] = []
  const asked = new Promise<void>((resolve) => {
    front.onQuestion((scope, no) => heard.push(`${scope} ${no}`))
    front.onChanged(() => {
      heard.push('changed')
      resolve()
    })
  })
  desk.door.ask(front.node, 'key 1 ', 3)
  desk.door.tellChanged()
  await asked
  expect(heard).toEqual(['key 1  3', 'changed'])
  await desk.door.close()
  await front.closed
  expect(await front.engine(exchange(1)).catch((fault: unknown) => String(fault))).toContain('gone')
})

test('a front asks its owner, and an owner all its fronts', async () => {
  await using desk = await openDesk()
  const [front] = await Promise.all([desk.front('one'), desk.front('two')])
  expect(await front.ask('sum', [1, 2])).toEqual(['sum', [1, 2]])
  const answers = await desk.door.askAll('who', null, 1000)
  expect(new Set(answers)).toEqual(new Set(['who one', 'who two']))
  expect(await desk.door.askAll('who', null, 1000, front.node)).toEqual(['who two'])
})

test('a front that was given up is not taken back', async () => {
  await using desk = await openDesk()
  const standing = { no: 3, slices: [], question: 0, pending: [] }
  const back = desk.front('', { node: 7, standing })
  expect(await back.catch((fault: unknown) => String(fault))).toContain('gone')
})

test('a front that says nothing for too long is ended', async () => {
  await using desk = await openDesk()
  await desk.front()
  desk.state.now = 1001
  while (desk.state.ended.length === 0) await Bun.sleep(10)
  expect(desk.state.ended).toContain(4711)
})

test('whoever speaks no frames is cut off, and nobody else', async () => {
  await using desk = await openDesk()
  const front = await desk.front()
  const stranger = createConnection(desk.path)
  const cut = new Promise<void>((resolve) => void stranger.on('close', () => resolve()))
  stranger.on('connect', () => void stranger.write('GET / HTTP/1.1\r\n\r\n'))
  await cut
  expect(String(desk.state.faults[0])).toContain('too long')
  expect(await front.engine(exchange(1))).toMatchObject({ fenced: false })
})
