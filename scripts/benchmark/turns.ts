/**
 * The longest turn of the event loop while one large call runs: how long a health check of another
 * process waits at most. The same through a bare passthrough.
 *
 *     bun scripts/benchmark/turns.ts vendor|piped|prober …
 */
import { join } from 'node:path'
import { command, serving, setUp } from './contestants'
import { freePort, start } from './process'
import { median, tableOf } from './report'
import { turnCases, type TurnCase } from './turn-cases'

interface TurnFigures {
  readonly name: string
  readonly status: number
  readonly pipedMs: number
  readonly chaparMs: number
  /** Above the passthrough, round by round; the median. */
  readonly aboveMs: number
  readonly maxMs: number
}

export interface TurnServer {
  readonly port: number
  readonly key: string
}

/** Measures every case whose name holds `only`, in turns. */
export async function compareTurns(
  { folder, executable, only }: { folder: string; executable: string; only: string },
  rounds: number,
  say: (text: string) => void,
): Promise<readonly TurnFigures[]> {
  const vendorPort = freePort()
  child('vendor', folder, 'load', vendorPort)
  const data = join(folder, 'turns')
  const key = setUp(executable, data, vendorPort)
  addModels(executable, data)
  const [piped, chapar] = [
    { port: freePort(), key: 'none' },
    { port: freePort(), key },
  ]
  child('piped', folder, 'server', piped.port, vendorPort)
  serving(executable, data)(chapar.port)
  for (const { port } of [piped, chapar]) await answering(port)
  const figures: TurnFigures[] = []
  for (const each of turnCases) {
    if (!each.name.includes(only)) continue
    await fetch(`http://127.0.0.1:${vendorPort}/play/${turnCases.indexOf(each)}`)
    const body = new TextEncoder().encode(each.body())
    const found: { piped: number; chapar: number; status: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const bare = await longestTurn(piped, each, body)
      const own = await longestTurn(chapar, each, body)
      found.push({ piped: bare.ms, chapar: own.ms, status: own.status })
    }
    const row = {
      name: each.name,
      status: found[0]?.status ?? 0,
      pipedMs: median(found.map((one) => one.piped)) ?? 0,
      chaparMs: median(found.map((one) => one.chapar)) ?? 0,
      aboveMs: median(found.map((one) => one.chapar - one.piped)) ?? 0,
      maxMs: each.maxMs,
    }
    say(line(row).join('  '))
    figures.push(row)
  }
  return figures
}

export const turnReport = (figures: readonly TurnFigures[]): string =>
  tableOf([
    ['longest turn, ms', 'status', 'bun piped', 'chapar', 'above', 'at most', ''],
    ...figures.map(line),
  ])

const line = ({ name, status, pipedMs, chaparMs, aboveMs, maxMs }: TurnFigures): string[] => [
  name,
  String(status),
  pipedMs.toFixed(1),
  chaparMs.toFixed(1),
  aboveMs.toFixed(1),
  String(maxMs),
  aboveMs > maxMs ? 'too long' : '',
]

function addModels(executable: string, data: string): void {
  const add = (id: string, type: string, ...prices: string[]) =>
    command(executable, data, [
      'model',
      'add',
      '--id',
      id,
      '--type',
      type,
      '--route',
      `standin:${id}`,
      ...prices.flatMap((each) => ['--price', each]),
    ])
  add('bench-vectors', 'embedding', 'input_per_million=1')
  add('bench-judge', 'moderation', 'input_per_million=1')
  add('bench-pictures', 'image', 'input_per_million=1', 'output_image_per_million=1')
}

function child(mode: string, folder: string, core: 'server' | 'load', ...ports: number[]): void {
  const command = [process.execPath, import.meta.path, mode, ...ports.map(String)]
  start(command, { core, log: join(folder, `turns-${mode}.log`) })
}

async function answering(port: number): Promise<void> {
  for (let times = 0; times < 200; times++) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
    if (answer?.ok === true) return
    await Bun.sleep(50)
  }
  throw new Error(`nobody answers at ${port}`)
}

/** One call, and the longest wait of a health check beside it. */
export async function longestTurn(
  { port, key }: TurnServer,
  { path }: TurnCase,
  body: Uint8Array<ArrayBuffer>,
): Promise<{ readonly ms: number; readonly status: number }> {
  const prober = Bun.spawn([process.execPath, import.meta.path, 'prober', String(port)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const reader = prober.stdout.getReader()
  await reader.read()
  const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
  if (answer.body !== null) for await (const _ of answer.body);
  await prober.stdin.end()
  const { value } = await reader.read()
  await prober.exited
  return { ms: Number(new TextDecoder().decode(value)), status: answer.status }
}

/** Asks for the health of a server all the while, and tells its longest wait at the end of its input. */
async function probe(port: number): Promise<void> {
  const request = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
  let sentAt = 0
  let longest = 0
  let count = 0
  let over: (() => void) | null = null
  const ended = new Response(Bun.stdin.stream()).text()
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(own) {
        if (count > 20) longest = Math.max(longest, performance.now() - sentAt)
        over?.()
        if (++count === 20) process.stdout.write('ready\n')
        setTimeout(() => {
          sentAt = performance.now()
          own.write(request)
        }, 1)
      },
    },
  })
  sentAt = performance.now()
  socket.write(request)
  await ended
  // What waits now is waited for too.
  await new Promise<void>((resolve) => void (over = resolve))
  process.stdout.write(`${longest}\n`)
  process.exit()
}

function serveVendor(port: number): void {
  let answer = new Uint8Array()
  Bun.serve({
    hostname: '127.0.0.1',
    port,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      const at = /\/play\/(\d+)/.exec(request.url)?.[1]
      if (at !== undefined) {
        answer = new TextEncoder().encode(turnCases[Number(at)]?.answer?.() ?? '{}')
        return new Response()
      }
      if (request.body !== null) for await (const _ of request.body);
      const type = answer[0] === 0x64 ? 'text/event-stream' : 'application/json'
      return new Response(answer, { headers: { 'content-type': type } })
    },
  })
}

function servePiped(port: number, vendorPort: number): void {
  Bun.serve({
    hostname: '127.0.0.1',
    port,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch({ url, method, body, headers, signal }) {
      const { pathname } = new URL(url)
      if (pathname === '/healthz') return new Response('ok')
      const length = headers.get('content-length') ?? '0'
      const sent = { 'content-type': 'application/json', 'content-length': length }
      const reply = await fetch(`http://127.0.0.1:${vendorPort}${pathname}`, {
        method,
        headers: sent,
        body,
        signal,
      })
      return new Response(reply.body, { status: reply.status })
    },
  })
}

if (import.meta.main) {
  const [mode, port, vendorPort] = process.argv.slice(2)
  if (mode === 'vendor') serveVendor(Number(port))
  else if (mode === 'piped') servePiped(Number(port), Number(vendorPort))
  else if (mode === 'prober') await probe(Number(port))
}
