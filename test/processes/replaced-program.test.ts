/** Several processes that serve, while one of them, or all, are replaced or die. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Database } from 'bun:sqlite'
import { begin, programAt, run, setUp, temporaryFolder, type Begun } from '../support/executable'
import { openStandIn, replies, type StandIn } from '../support/stand-in'

let vendor: StandIn
beforeAll(() => {
  vendor = openStandIn()
})
afterAll(() => vendor.close())

interface Service {
  readonly data: string
  readonly key: string
  url: string
  program: Begun
}

async function open(): Promise<Service> {
  const data = join(temporaryFolder(), 'data')
  const key = await setUp(data, vendor.url, '1000')
  return { data, key, ...(await serve(data, '0')) }
}

async function serve(
  data: string,
  port: string,
  command?: readonly string[],
  processes = 2,
): Promise<Pick<Service, 'url' | 'program'>> {
  const file = join(data, 'ready.env')
  rmSync(file, { force: true })
  const words = ['serve', '--data', data, '--processes', String(processes), '--port', port]
  const env = { CHAPAR_LOG: 'info', CHAPAR_ADDRESS_RPM: '1000000' }
  const program = begin([...words, '--ready-file', file], env, command)
  await until(() => existsSync(file))
  const [, url = ''] = /^OPENAI_BASE_URL=(.*)$/m.exec(readFileSync(file, 'utf8')) ?? []
  return { url, program }
}

const chat = ({ url, key }: Service, model: string, stream = false): Promise<Response> =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: words }] }),
  })

/** The slow model of the sandbox says them one by one, for some seconds. */
const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')

/** Calls without end, on connections of their own. */
function openLoad(service: Service) {
  const told = new Map<string, number>()
  const state = { isOver: false, failed: 0 }
  const worker = async () => {
    while (!state.isOver)
      try {
        const answer = await chat(service, 'priced')
        await answer.text()
        if (answer.ok)
          told.set(
            answer.headers.get('x-request-id') ?? '',
            Number(answer.headers.get('x-cost-usd')),
          )
        else state.failed++
      } catch {
        state.failed++
        await Bun.sleep(5)
      }
  }
  const workers = Array.from({ length: 6 }, worker)
  return {
    told,
    failed: () => state.failed,
    async end() {
      state.isOver = true
      await Promise.all(workers)
    },
  }
}

const pidsOf = ({ data }: Service): number[] => {
  const fronts = [...new Bun.Glob('*/pid').scanSync(join(data, 'fronts'))]
  return fronts.flatMap((file) => {
    try {
      return Number(readFileSync(join(data, 'fronts', file), 'utf8').split(' ')[0])
    } catch {
      // Its front was buried between the two looks.
      return []
    }
  })
}

/** Every answer that a client has is paid, once, and the books are exact. */
async function checkBooks({ data }: Service, told: ReadonlyMap<string, number>): Promise<void> {
  const audit = await run(['audit', '--json'], { data })
  expect(audit.json<object>()).toMatchObject({ ok: true, pending: 0 })
  const database = new Database(join(data, 'chapar.db'), { readonly: true })
  const rows = database
    .query<{ id: string; cost: number }, []>('SELECT id, cost FROM requests')
    .all()
  database.close()
  const costs = new Map(rows.map(({ id, cost }) => [id, cost]))
  const unpaid = [...told].filter(([id, usd]) => costs.get(id) !== Math.round(usd * 1e9))
  expect(unpaid).toEqual([])
}

const until = async (isSo: () => boolean): Promise<void> => {
  const limit = performance.now() + 20_000
  while (!isSo()) {
    if (performance.now() > limit) throw new Error('it did not come to that')
    await Bun.sleep(10)
  }
}

test('a new program takes over while streams run, and none is cut', async () => {
  vendor.play(replies())
  const service = await open()
  const before = pidsOf(service)
  const streams = await Promise.all(
    Array.from({ length: 8 }, () => chat(service, 'sandbox/slow', true)),
  )
  const load = openLoad(service)
  await until(() => load.told.size > 20)
  service.program.kill('SIGUSR2')
  await until(() => service.program.logs().includes('"replaced"'))
  const texts = await Promise.all(streams.map((each) => each.text()))
  for (const text of texts) {
    expect(text).toContain('word59')
    expect(text).toContain('[DONE]')
  }
  await until(() => pidsOf(service).every((pid) => !before.includes(pid)))
  const ready = await fetch(new URL('/readyz', service.url))
  expect(ready.status).toBe(200)
  await load.end()
  service.program.kill('SIGTERM')
  expect(await service.program.exited).toBe(0)
  await checkBooks(service, load.told)
  rmSync(service.data, { recursive: true, force: true })
}, 60_000)

test('a program that does not run takes nobody’s place', async () => {
  vendor.play(replies())
  const data = join(temporaryFolder(), 'data')
  const key = await setUp(data, vendor.url, '1000')
  const path = `${data}.program.ts`
  const service: Service = { data, key, ...(await serve(data, '0', programAt(path))) }
  const good = readFileSync(path)
  const before = pidsOf(service)
  // Another file, as `mv` and `install` put there: nobody writes over a program that runs.
  const put = (content: Uint8Array | string) => {
    writeFileSync(`${path}.new`, content, { mode: 0o755 })
    renameSync(`${path}.new`, path)
  }
  put('exit 3')
  service.program.kill('SIGUSR2')
  await until(() => service.program.logs().includes('new program does not run'))
  expect((await chat(service, 'priced')).status).toBe(200)
  expect(pidsOf(service)).toEqual(before)
  put(good)
  service.program.kill('SIGUSR2')
  await until(() => service.program.logs().includes('"replaced"'))
  // A connection that no process had accepted is reset where the system moves none (`tcp_migrate_req`).
  const again = () => chat(service, 'priced')
  expect((await again().catch(again)).status).toBe(200)
  service.program.kill('SIGTERM')
  expect(await service.program.exited).toBe(0)
  rmSync(data, { recursive: true, force: true })
  rmSync(path)
}, 60_000)

test('one process serves on when it is to be replaced', async () => {
  vendor.play(replies())
  const data = join(temporaryFolder(), 'data')
  const key = await setUp(data, vendor.url, '1000')
  const service: Service = { data, key, ...(await serve(data, '0', undefined, 1)) }
  service.program.kill('SIGUSR2')
  await until(() => service.program.logs().includes('restart it instead'))
  expect((await chat(service, 'priced')).status).toBe(200)
  service.program.kill('SIGTERM')
  expect(await service.program.exited).toBe(0)
  rmSync(data, { recursive: true, force: true })
}, 60_000)

test('fronts serve on when their owner dies, and belong to the next one', async () => {
  vendor.play(replies())
  const service = await open()
  const { port } = new URL(service.url)
  const before = pidsOf(service)
  const streams = await Promise.all(
    Array.from({ length: 4 }, () => chat(service, 'sandbox/slow', true)),
  )
  const load = openLoad(service)
  await until(() => load.told.size > 20)
  service.program.kill('SIGKILL')
  const then = load.told.size
  await until(() => load.told.size > then + 20)
  Object.assign(service, await serve(service.data, port))
  for (const each of streams) expect(await each.text()).toContain('[DONE]')
  await until(() => pidsOf(service).every((pid) => !before.includes(pid)))
  await load.end()
  service.program.kill('SIGTERM')
  expect(await service.program.exited).toBe(0)
  await checkBooks(service, load.told)
  rmSync(service.data, { recursive: true, force: true })
}, 60_000)

test('a front that is killed under load leaves exact books, and another one begins', async () => {
  vendor.play(replies())
  const service = await open()
  const load = openLoad(service)
  await until(() => load.told.size > 20)
  for (let kill = 0; kill < 3; kill++) {
    const [one = 0] = pidsOf(service)
    process.kill(one, 'SIGKILL')
    await until(() => pidsOf(service).length === 2 && !pidsOf(service).includes(one))
    const then = load.told.size
    await until(() => load.told.size > then + 20)
  }
  await load.end()
  service.program.kill('SIGTERM')
  expect(await service.program.exited).toBe(0)
  await checkBooks(service, load.told)
  rmSync(service.data, { recursive: true, force: true })
}, 60_000)
