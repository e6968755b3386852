/**
 * The load generator: bare sockets, one request at a time on each, bytes made beforehand.
 * Reads one order as JSON from its arguments and prints one result as JSON.
 *
 *     bun scripts/benchmark/load.ts '{"asked":"whole","port":1,"keys":["k"],"connections":32,"seconds":2}'
 */
import type { Socket } from 'bun'
import { chatRequest, type Asked } from './wire'

export interface LoadOrder {
  readonly asked: Asked
  readonly port: number
  /** Taken in turn. */
  readonly keys: readonly string[]
  readonly connections: number
  /** How long; for streams that stay open, until the input ends. */
  readonly seconds?: number
  /** How many answers instead. */
  readonly answers?: number
}

export interface LoadResult {
  readonly answers: number
  /** Answers that were not 200, connections that broke. */
  readonly errors: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Reads for each answer. */
  readonly reads: number
}

export interface Connection {
  sentAt: number
  reads: number
  status: number
  /** Of a whole answer; -1 for one in chunks. */
  left: number
  inBody: boolean
  /** Some of the body has come. */
  begun: boolean
  head: string
  tail: string
}

export const fresh = (): Connection => ({
  sentAt: 0,
  reads: 0,
  status: 0,
  left: 0,
  inBody: false,
  begun: false,
  head: '',
  tail: '',
})

const ok = 200
/** No order takes longer; what is not answered by then never will be. */
const longestMs = 30_000
const ending = '0\r\n\r\n'

/** Takes in one read. @returns whether the answer is complete */
export function take(state: Connection, bytes: Buffer): boolean {
  state.reads++
  let from = 0
  if (!state.inBody) {
    const seen = state.head.length
    state.head += bytes.toString('latin1')
    const end = state.head.indexOf('\r\n\r\n')
    if (end < 0) return false
    from = end + 4 - seen
    state.status = Number(state.head.slice(9, 12))
    const length = /content-length: *(\d+)/i.exec(state.head.slice(0, end))?.[1]
    state.left = length === undefined ? -1 : Number(length)
    state.inBody = true
    state.head = ''
  }
  state.begun = from < bytes.length
  if (state.left >= 0) {
    state.left -= bytes.length - from
    return state.left <= 0
  }
  const last = bytes.toString('latin1', Math.max(from, bytes.length - ending.length))
  state.tail = (state.tail + last).slice(-ending.length)
  return state.tail === ending
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const requests = order.keys.map((key) => chatRequest(order.port, key, order.asked))
  const waits: number[] = []
  const { promise: over, resolve: finish } = Promise.withResolvers<void>()
  let sent = 0
  let errors = 0
  let reads = 0
  let stopped = false
  const most = order.answers ?? Number.POSITIVE_INFINITY

  const send = (socket: Socket<Connection>) => {
    if (stopped || sent >= most) return
    const request = requests[sent++ % requests.length]
    if (request === undefined) return
    Object.assign(socket.data, fresh(), { sentAt: performance.now() })
    socket.write(request)
  }
  const answered = (socket: Socket<Connection>) => {
    if (stopped) return
    const { status, sentAt, reads: needed } = socket.data
    if (status === ok) waits.push(performance.now() - sentAt)
    else errors++
    reads += needed
    if (waits.length + errors >= most) return finish()
    send(socket)
  }
  const broke = () => {
    if (stopped) return
    // Bounded: a server that drops everybody ends the measurement.
    if (++errors >= Math.min(most, order.connections)) finish()
  }

  const sockets: Socket<Connection>[] = []
  for (let at = 0; at < order.connections; at++)
    sockets.push(
      await Bun.connect<Connection>({
        hostname: '127.0.0.1',
        port: order.port,
        data: fresh(),
        socket: {
          data(socket, bytes) {
            const { begun } = socket.data
            const complete = take(socket.data, bytes)
            // A stream that stays open has answered with its first event.
            const opened = order.asked === 'open' && !begun && socket.data.begun
            if (complete || opened) answered(socket)
          },
          close: broke,
          error: broke,
        },
      }),
    )
  const began = performance.now()
  for (const socket of sockets) send(socket)
  const timer = setTimeout(
    () => {
      if (order.seconds === undefined) errors += sent - waits.length - errors
      finish()
    },
    order.seconds === undefined ? longestMs : order.seconds * 1000,
  )
  await over
  stopped = true
  clearTimeout(timer)
  const seconds = (performance.now() - began) / 1000
  const result = summary({ waits, errors, seconds, reads })
  if (order.asked === 'open') {
    process.stdout.write(`${JSON.stringify(result)}\n`)
    await Bun.stdin.text()
  }
  for (const socket of sockets) socket.terminate()
  return result
}

function summary(found: {
  readonly waits: number[]
  readonly errors: number
  readonly seconds: number
  readonly reads: number
}): LoadResult {
  const { waits, errors, seconds, reads } = found
  const sorted = Float64Array.from(waits).sort()
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  const answers = waits.length
  return {
    answers,
    errors,
    seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    reads: answers === 0 ? 0 : reads / answers,
  }
}

if (import.meta.main) {
  const order = JSON.parse(process.argv[2] ?? '') as LoadOrder
  const result = await run(order)
  if (order.asked !== 'open') process.stdout.write(`${JSON.stringify(result)}\n`)
  process.exit(0)
}
