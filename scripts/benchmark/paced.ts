/**
 * The parts of a measurement of paced streams, each a process of its own:
 *
 *     bun scripts/benchmark/paced.ts vendor PORT
 *     bun scripts/benchmark/paced.ts load '{"port":1,"key":"k","streams":64,"pace":50,...}'
 *
 * The vendor writes each chunk at its time, streams out of step as those of real models are. A
 * chunk carries the time of its writing, so that the load can tell how long it was on its way.
 */
import type { Socket } from 'bun'
import { chatPath, streamHead, wholeReply } from './wire'

export interface PacedOrder {
  readonly port: number
  readonly key: string
  /** Concurrent streams, each on a connection of its own, one after the other. */
  readonly streams: number
  /** Chunks a second of each stream. */
  readonly pace: number
  readonly settleSeconds: number
  readonly seconds: number
}

export interface PacedResult {
  /** Chunks that arrived while it was measured. */
  readonly chunks: number
  /** Reads of the client that brought any. */
  readonly reads: number
  readonly errors: number
  readonly seconds: number
  /** From the vendor's write to the client's read. */
  readonly p50Ms: number
  readonly p99Ms: number
}

const chunksOfStream = 200
const tickMs = 1
const paceMark = /"pace (\d+)"/
/** Before the time of a chunk, in microseconds. */
const timeMark = '"content":" at '
const timeDigits = 16

/** A clock that all processes of the machine share. */
const clockMicros = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)

const envelope = { id: 'chatcmpl-bench', created: 1_763_600_000, model: 'bench-model-2026' }
const event = (delta: object, finish: string | null, usage: object | null = null): string =>
  `data: ${JSON.stringify({
    ...envelope,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage,
  })}\n\n`
const framed = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

const timed = (): Uint8Array => {
  const time = String(clockMicros()).padStart(timeDigits, '0')
  return Buffer.from(framed(event({ content: ` at ${time}` }, null)))
}
const opening = Buffer.from(
  streamHead + framed(event({ role: 'assistant', content: '', refusal: null }, null)),
)
const usage = {
  prompt_tokens: 230,
  completion_tokens: chunksOfStream,
  total_tokens: 230 + chunksOfStream,
}
const ending = Buffer.from(
  `${framed(event({}, 'stop'))}${framed(`${event({}, null, usage)}data: [DONE]\n\n`)}0\r\n\r\n`,
)
const whole = Buffer.from(wholeReply())

interface PacedStream {
  readonly socket: Socket<{ pending: string }>
  readonly everyMs: number
  dueMs: number
  left: number
}

function vendor(port: number): void {
  const running = new Set<PacedStream>()
  let begun = 0
  setInterval(() => {
    const now = performance.now()
    let chunk: Uint8Array | null = null
    for (const stream of running) {
      if (stream.dueMs > now) continue
      // What a late timer missed is not made up for: a burst is not a pace.
      stream.dueMs = Math.max(stream.dueMs + stream.everyMs, now)
      stream.socket.write((chunk ??= timed()))
      if (--stream.left > 0) continue
      running.delete(stream)
      stream.socket.write(ending)
    }
  }, tickMs)
  const answer = (socket: PacedStream['socket'], body: string) => {
    const pace = Number(paceMark.exec(body)?.[1] ?? 0)
    if (pace === 0) return void socket.write(whole)
    socket.write(opening)
    const everyMs = 1000 / pace
    // Spread over the interval by the golden ratio, whatever their number.
    const dueMs = performance.now() + everyMs * ((begun++ * 0.618) % 1)
    running.add({ socket, everyMs, dueMs, left: chunksOfStream })
  }
  Bun.listen<{ pending: string }>({
    hostname: '127.0.0.1',
    port,
    socket: {
      open(socket) {
        socket.data = { pending: '' }
        socket.setNoDelay(true)
      },
      data(socket, bytes) {
        const all = socket.data.pending + bytes.toString('latin1')
        // A body ends where its JSON does, whether it has a length or comes in chunks.
        const complete = /\}\s*(?:\r\n0\r\n\r\n)?$/.test(all)
        socket.data.pending = complete ? '' : all
        if (complete) answer(socket, all)
      },
      close(socket) {
        for (const stream of running) if (stream.socket === socket) running.delete(stream)
      },
    },
  })
}

function requestOf({ port, key, pace }: PacedOrder): Uint8Array {
  const messages = [
    { role: 'system', content: `pace ${pace}` },
    { role: 'user', content: 'The quick brown fox jumps over the lazy dog.' },
  ]
  const body = JSON.stringify({ model: 'bench-model', max_tokens: 512, stream: true, messages })
  return Buffer.from(
    `POST ${chatPath} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

/** Chunks, reads and errors since it was last emptied. */
class Tally {
  chunks = 0
  reads = 0
  errors = 0
  waits: number[] = []

  /** Takes in one read. */
  take(bytes: Buffer): void {
    const now = clockMicros()
    const before = this.chunks
    let at = bytes.indexOf(timeMark)
    while (at >= 0) {
      const from = at + timeMark.length
      this.chunks++
      const wrote = Number(bytes.toString('latin1', from, from + timeDigits))
      if (wrote > 0) this.waits.push(now - wrote)
      at = bytes.indexOf(timeMark, from + timeDigits)
    }
    if (this.chunks > before) this.reads++
  }

  result(seconds: number): PacedResult {
    const sorted = Float64Array.from(this.waits).sort()
    const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0) / 1000
    const { chunks, reads, errors } = this
    return { chunks, reads, errors, seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
  }
}

async function load(order: PacedOrder): Promise<void> {
  const request = requestOf(order)
  let tally = new Tally()
  let running = true
  const broke = () => {
    if (running) tally.errors++
  }
  for (let at = 0; at < order.streams; at++) {
    await Bun.connect({
      hostname: '127.0.0.1',
      port: order.port,
      socket: {
        open: (socket) => void socket.write(request),
        data(socket, bytes) {
          if (bytes[0] === letterH && !bytes.subarray(0, 20).includes(' 200 ')) tally.errors++
          tally.take(bytes)
          if (running && bytes.subarray(-5).equals(streamEnd)) socket.write(request)
        },
        close: broke,
        error: broke,
      },
    })
    // Streams begin over one stream's length, or 2 s: beginnings are part of the load, not bursts.
    const spreadMs = Math.min(2000, (chunksOfStream * 1000) / order.pace)
    if (at % 8 === 7) await Bun.sleep((spreadMs * 8) / order.streams)
  }
  await Bun.sleep(order.settleSeconds * 1000)
  process.stdout.write('begin\n')
  tally = new Tally()
  const began = performance.now()
  await Bun.sleep(order.seconds * 1000)
  const result = tally.result((performance.now() - began) / 1000)
  process.stdout.write(`${JSON.stringify(result)}\n`)
  running = false
}

/** A head begins with it, a chunk with a digit of its size. */
const letterH = 72
const streamEnd = Buffer.from('0\r\n\r\n')

if (import.meta.main) {
  const [role, first = ''] = process.argv.slice(2)
  if (role === 'vendor') vendor(Number(first))
  else {
    await load(JSON.parse(first) as PacedOrder)
    await Bun.sleep(50)
    process.exit()
  }
}
