/** What a service remembers, whichever of its processes is asked. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { openStandIn, replies, type StandIn } from '../support/stand-in'

const fronts = 2
const data = join(temporaryFolder(), 'data')
const token = 'a-token-for-metrics'
let vendor: StandIn
let serving: Serving
let key: string
let operator: string

beforeAll(async () => {
  vendor = openStandIn()
  key = await setUp(data, vendor.url)
  const words = ['operator', 'key', 'create', '--name', 'test', '--role', 'owner']
  const made = await run([...words, '--expires', '2d', '--json'], { data })
  operator = made.json<{ key: string }>().key
  // As people type it, though fronts run in a folder of their own; the program runs in one beside.
  const typed = join('..', relative(tmpdir(), data))
  serving = await serve(['--data', typed, '--processes', String(fronts)], {
    CHAPAR_METRICS_TOKEN: token,
  })
}, 60_000)
afterAll(async () => {
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  await vendor.close()
  expect((await run(['audit'], { data })).code).toBe(0)
  rmSync(data, { recursive: true, force: true })
})

/** On a connection of its own, so that any front may get it. */
const ask = (path: string, init: RequestInit & { readonly as?: string } = {}): Promise<Response> =>
  fetch(new URL(path, serving.url), {
    ...init,
    keepalive: false,
    headers: {
      authorization: `Bearer ${init.as ?? key}`,
      connection: 'close',
      'content-type': 'application/json',
      ...(init.headers as Record<string, string>),
    },
  })
const operate = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await ask(`/admin/v1${path}`, { method, as: operator, ...init })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
const chat = (model: string, as = key, stream = false): Promise<Response> =>
  ask('/v1/chat/completions', {
    method: 'POST',
    as,
    body: JSON.stringify({
      model,
      stream,
      messages: [{ role: 'user', content: 'one two three four five six seven eight nine ten' }],
    }),
  })
/** Often enough that each front is asked, but for one time in millions. */
const times = 24
const everywhere = <T>(work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, work))

/** A key of an account of its own, with limits. */
async function customer(...limits: readonly string[]): Promise<{ id: number; key: string }> {
  const json = async (...args: string[]) =>
    (await run([...args, '--json'], { data })).json<{ id: number; key: string }>()
  const { id } = await json('account', 'create', '--name', 'limited', '--verified', ...limits)
  await json('topup', String(id), '10')
  const project = await json('project', 'create', '--account', String(id), '--name', 'p')
  return json('key', 'create', '--project', String(project.id), '--name', 'k', '--rpm', 'none')
}

test('each front answers, and all of them charge one balance to the nano-dollar', async () => {
  const balance = async () =>
    Number(((await (await ask('/v1/me')).json()) as { balance: { usd: string } }).balance.usd)
  const before = await balance()
  const answers = await everywhere(() => chat('priced'))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const costs = answers.map((each) => Number(each.headers.get('x-cost-usd')))
  expect(before - (await balance())).toBeCloseTo(
    costs.reduce((sum, cost) => sum + cost, 0),
    9,
  )
  const { data: metrics } = await metricsNow()
  const served = [...metrics.matchAll(/^process_resident_memory_bytes\{process="(front-\d+)"\}/gm)]
  expect(new Set(served.map(([, name]) => name)).size).toBe(fronts)
})

test('a call is on record for whoever asks a moment after its answer', async () => {
  for (let tries = 0; tries < times; tries++) {
    const id = (await chat('priced')).headers.get('x-request-id') ?? ''
    expect((await ask(`/v1/requests/${id}`)).status).toBe(200)
  }
})

test('requests a minute are counted over all fronts', async () => {
  const { key: limited } = await customer('--rpm', '20', '--concurrency', '1000')
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 80 }, () => chat('sandbox/echo', limited)))
  const passed = answers.filter(({ status }) => status === 200).length
  const refilled = Math.floor(((performance.now() - began) / 60_000) * 20)
  expect(passed).toBeGreaterThanOrEqual(20)
  expect(passed).toBeLessThanOrEqual(20 + refilled)
  const codes = answers.filter(({ status }) => status !== 200).map(({ status }) => status)
  expect(new Set(codes)).toEqual(new Set([429]))
}, 20_000)

test('calls at once are counted over all fronts', async () => {
  const { key: limited } = await customer('--rpm', '10000', '--concurrency', '4')
  const release = Promise.withResolvers<void>()
  vendor.play(async (seen, request) => {
    await release.promise
    return await replies()(seen, request)
  })
  const before = vendor.seen.length
  const asked = Array.from({ length: 16 }, () => chat('priced', limited))
  const refused = await settledStatuses(asked, 12)
  expect(refused).toEqual(Array.from({ length: 12 }, () => 429))
  while (vendor.seen.length - before < 4) await Bun.sleep(1)
  release.resolve()
  expect((await Promise.all(asked)).filter(({ status }) => status === 200)).toHaveLength(4)
  expect(vendor.seen.length - before).toBe(4)
  vendor.play(replies())
}, 20_000)

test('a stream is seen, and ended, from every front', async () => {
  const streams = await Promise.all(
    Array.from({ length: 4 }, () => chat('sandbox/slow', key, true)),
  )
  const ids = streams.map((each) => each.headers.get('x-request-id') ?? '')
  const lists = await everywhere(() =>
    operate<{ data: { id: string; stoppable: boolean }[] }>('GET', '/live?status=running&max=100'),
  )
  for (const { data: running } of lists)
    expect(running.filter(({ stoppable }) => stoppable).map(({ id }) => id)).toEqual(
      expect.arrayContaining(ids) as unknown as string[],
    )
  for (const id of ids) await operate('POST', `/live/${id}/stop`, {})
  for (const each of streams) expect(await each.text()).toContain('stream_interrupted')
})

test('a key that is switched off by one front is refused by all, and by a command within a second', async () => {
  const many = ['--concurrency', '1000']
  const [one, two] = [await customer(...many), await customer(...many)]
  const answers = async (as: string) =>
    new Set((await everywhere(() => chat('sandbox/echo', as))).map(({ status }) => status))
  expect(await answers(one.key)).toEqual(new Set([200]))
  expect(await answers(two.key)).toEqual(new Set([200]))
  await operate('DELETE', `/keys/${one.id}`)
  expect(await answers(one.key)).toEqual(new Set([401]))
  expect((await run(['key', 'revoke', String(two.id)], { data })).code).toBe(0)
  await Bun.sleep(1000)
  expect(await answers(two.key)).toEqual(new Set([401]))
}, 20_000)

test('a video that one front takes is found, looked after and cancelled by all', async () => {
  const order = async () => {
    const form = new FormData()
    form.set('model', 'sandbox/video')
    form.set('prompt', 'the sea')
    const answer = await fetch(`${serving.url}/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
      body: form,
    })
    return (await answer.json()) as { id: string }
  }
  const jobs = await Promise.all(Array.from({ length: 6 }, order))
  const [first, ...rest] = jobs
  const gone = await ask(`/v1/videos/${first?.id}`, { method: 'DELETE' })
  expect(await gone.json()).toMatchObject({ deleted: true, refunded: true })
  const status = async (id: string) =>
    ((await (await ask(`/v1/videos/${id}`)).json()) as { status: string }).status
  for (const { id } of rest) {
    for (let tries = 0; (await status(id)) !== 'completed' && tries < 200; tries++)
      await Bun.sleep(50)
    expect(await status(id)).toBe('completed')
  }
}, 30_000)

test('metrics of every front are one', async () => {
  const { data: text } = await metricsNow()
  const [, total = '0'] = /^chapar_calls_total\{[^}]*endpoint="chat"[^}]*\} (\d+)/m.exec(text) ?? []
  expect(Number(total)).toBeGreaterThan(0)
  expect(text).toContain('process="owner"')
  expect(text.match(/^# TYPE chapar_build_info /gm)).toHaveLength(1)
})

async function metricsNow(): Promise<{ readonly data: string }> {
  return { data: await (await ask('/metrics', { as: token })).text() }
}

/** Statuses of the first so many that are answered. */
function settledStatuses(asked: readonly Promise<Response>[], count: number): Promise<number[]> {
  const statuses: number[] = []
  const { promise, resolve } = Promise.withResolvers<number[]>()
  const watch = async (each: Promise<Response>) => {
    statuses.push((await each).status)
    if (statuses.length === count) resolve([...statuses])
  }
  for (const each of asked) void watch(each)
  return promise
}
