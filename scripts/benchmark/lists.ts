import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { command, serving, setUp } from './contestants'
import { makeLargeService, type LargeService } from '../../test/support/large-service'
import { firstAnswer } from './measure'
import type { OpenLoopOrder, OpenLoopResult } from './open-loop'
import { freePort, runLoad } from './process'
import { median, tableOf } from './report'

interface ListParts {
  readonly executable: string
  readonly folder: string
  readonly vendorPort: number
  readonly service: LargeService
  readonly rounds: number
  readonly seconds: number
}

/** How long calls wait at the same rate, alone and beside a console that reads one list after another. */
interface WaitFigures {
  readonly alone: readonly OpenLoopResult[]
  readonly beside: readonly OpenLoopResult[]
}

interface ListFigures {
  /** Milliseconds of a first page, by what was asked. */
  readonly pages: ReadonlyMap<string, readonly number[]>
  readonly waits: WaitFigures
}

/** Far less than the gateway can, so that a wait is somebody else's doing. */
const callsPerSecond = 1000
const connections = 64
const looks = 5
/** One is answered ten times a second. */
const operatorKeys = 24

const dayMs = 86_400_000
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
/** As long as a statement may be. */
const year = `from=${isoDay(Date.now() - 365 * dayMs)}&to=${isoDay(Date.now())}`

/** First pages and searches of operators: the busiest account is the first, one of few calls far behind. */
const lists = [
  '/overview',
  '/accounts',
  '/accounts?status=suspended',
  '/accounts?text=customer%2099999',
  '/accounts?text=nobody-has-it',
  '/accounts?text=09120000',
  '/search?text=customer%2099',
  '/search?text=nobody-has-it',
  '/search?text=sk-chapar-v1-00',
  '/accounts/1',
  '/accounts/1/projects',
  '/accounts/1/keys',
  '/accounts/1/notes',
  `/accounts/1/statement?${year}`,
  '/requests',
  '/requests?status=error',
  '/requests?status=cancelled',
  '/requests?status=pending',
  '/requests?model=nobody%2Fhas-it',
  '/requests?model=nobody%2Fhas-it&status=error',
  '/requests?key=7',
  '/requests?account=1&model=nobody%2Fhas-it',
  '/requests?account=1&status=cancelled',
  '/requests?account=90000&status=error',
  '/live',
  '/videos',
  '/payments',
  '/verifications',
  '/codes',
  '/notices',
  '/trail',
  '/trail?who=operator%3Asara',
  '/trail?subject=key%3A7',
  '/models',
  '/vendors',
  '/settings',
  '/operators',
] as const

/** Makes a large service, serves it, and reads every list; then calls wait, with a console and without. */
export async function measureLists(
  parts: ListParts,
  say: (text: string) => void,
): Promise<ListFigures> {
  const { executable, folder, vendorPort, service, rounds, seconds } = parts
  const data = join(folder, 'large')
  mkdirSync(data, { recursive: true })
  makeLargeService(data, service, say)
  const key = setUp(executable, data, vendorPort)
  const operators = Array.from({ length: operatorKeys }, (_, at) => addOperatorKey(parts, data, at))
  const port = freePort()
  const server = serving(executable, data)(port)
  try {
    await firstAnswer(port, key)
    const read = openReading(port, operators)
    const pages = new Map<string, number[]>(lists.map((path) => [path, []]))
    for (let look = 0; look < looks; look++)
      for (const path of lists) pages.get(path)?.push(await read(path))
    const order = { port, key, connections, seconds, rate: callsPerSecond }
    return { pages, waits: await compareWaits(order, read, rounds, say) }
  } finally {
    await server.end()
  }
}

function addOperatorKey({ executable }: ListParts, data: string, at: number): string {
  const options = ['--name', `bench-${at}`, '--role', 'viewer', '--expires', 'none']
  const made = command(executable, data, ['operator', 'key', 'create', ...options])
  return (made as { readonly key: string }).key
}

type Read = (path: string) => Promise<number>

let reads = 0

/** @returns a read of a list, and how many milliseconds it took */
const openReading =
  (port: number, keys: readonly string[]): Read =>
  async (path) => {
    const key = keys[++reads % keys.length] ?? ''
    const began = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/admin/v1${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`)
    return performance.now() - began
  }

async function compareWaits(
  order: OpenLoopOrder,
  read: Read,
  rounds: number,
  say: (text: string) => void,
): Promise<WaitFigures> {
  const load = () => runLoad<OpenLoopResult>(join(import.meta.dir, 'open-loop.ts'), order)
  const waits = { alone: [] as OpenLoopResult[], beside: [] as OpenLoopResult[] }
  await load()
  for (let round = 1; round <= rounds; round++) {
    say(`waits, round ${round} of ${rounds}`)
    waits.alone.push(await load())
    const closing = new AbortController()
    const console = readOnAndOn(read, closing.signal)
    waits.beside.push(await load())
    closing.abort()
    await console
  }
  return waits
}

async function readOnAndOn(read: Read, closing: AbortSignal): Promise<void> {
  for (;;)
    for (const path of lists) {
      if (closing.aborted) return
      await read(path)
    }
}

export function listReport({ pages, waits }: ListFigures): string {
  const rows = [...pages]
    .map(([path, times]) => ({ path, times, ms: median(times) ?? 0 }))
    .toSorted((one, other) => other.ms - one.ms)
    .map(({ path, times, ms }) => [path, ms.toFixed(1), Math.max(...times).toFixed(1)])
  const p99 = (of: readonly OpenLoopResult[]) => median(of.map(({ p99Ms }) => p99Ms)) ?? 0
  const [alone, beside] = [p99(waits.alone), p99(waits.beside)]
  return [
    tableOf([['list', 'median ms', 'longest ms'], ...rows]),
    '',
    `p99 of calls at ${callsPerSecond} a second: ${alone.toFixed(2)} ms alone, ` +
      `${beside.toFixed(2)} ms beside a console that reads, ratio ${(beside / alone).toFixed(2)}`,
  ].join('\n')
}
