/**
 * The parts of a measurement of sockets, each a process of its own:
 *
 *     bun scripts/benchmark/socket.ts vendor PORT
 *     bun scripts/benchmark/socket.ts relay PORT VENDOR_PORT     the least that a gateway here can do
 *     bun scripts/benchmark/socket.ts load '{"port":1,"key":"k","sockets":1000,"seconds":3}'
 *
 * The vendor answers each piece of sound with one; the load sends the next when that has come.
 */

export interface SocketOrder {
  readonly port: number
  readonly key: string
  readonly sockets: number
  readonly warmSeconds: number
  readonly seconds: number
}

export interface SocketResult {
  /** Pieces of sound that came back in the time that is measured, and as many were sent. */
  readonly answers: number
  readonly errors: number
  readonly seconds: number
}

export const socketModel = 'bench-voice'

/** Forty milliseconds of sound, as clients cut it. */
const sound = Buffer.alloc(1920, 1).toString('base64')
const asked = JSON.stringify({ type: 'input_audio_buffer.append', audio: sound })
const ids = { response_id: 'resp_1', item_id: 'item_1', output_index: 0, content_index: 0 }
const answered = JSON.stringify({
  type: 'response.output_audio.delta',
  event_id: 'event_1',
  ...ids,
  delta: sound,
})
const begun = JSON.stringify({ type: 'response.created', event_id: 'event_0', response: {} })

const host = { hostname: '127.0.0.1', idleTimeout: 255, development: false } as const

function vendor(port: number): void {
  Bun.serve({
    ...host,
    port,
    fetch: (request, server) =>
      server.upgrade(request) ? undefined : new Response(null, { status: 400 }),
    websocket: {
      open: (socket) => void socket.send(begun),
      message: (socket) => void socket.send(answered),
    },
  })
}

interface Joined {
  vendor: WebSocket | null
}

function relay(port: number, vendorPort: number): void {
  Bun.serve<Joined>({
    ...host,
    port,
    fetch: (request, server) =>
      server.upgrade(request, { data: { vendor: null } })
        ? undefined
        : new Response(null, { status: 400 }),
    websocket: {
      open(socket) {
        const options = { perMessageDeflate: false }
        const other = new WebSocket(`ws://127.0.0.1:${vendorPort}/v1/realtime`, options)
        socket.data.vendor = other
        other.addEventListener('message', ({ data }: MessageEvent<string>) => {
          if (socket.send(data) === -1) other.pause()
        })
        other.addEventListener('close', () => socket.close())
      },
      message: (socket, frame) => socket.data.vendor?.send(frame),
      drain: (socket) => void socket.data.vendor?.resume(),
      close: (socket) => socket.data.vendor?.close(),
    },
  })
}

async function load(order: SocketOrder): Promise<SocketResult> {
  const { port, key, sockets, warmSeconds, seconds } = order
  let answers = 0
  let errors = 0
  let running = true
  const opened = Array.from({ length: sockets }, () => {
    const { promise, resolve } = Promise.withResolvers<WebSocket>()
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?model=${socketModel}`, {
      headers: { authorization: `Bearer ${key}` },
      perMessageDeflate: false,
    })
    socket.addEventListener('message', () => {
      answers++
      if (running) socket.send(asked)
    })
    socket.addEventListener('open', () => resolve(socket))
    socket.addEventListener('close', () => {
      if (running) errors++
      resolve(socket)
    })
    return promise
  })
  // The vendor's first event sets each of them going.
  const all = await Promise.all(opened)
  await Bun.sleep(warmSeconds * 1000)
  process.stdout.write('begin\n')
  const [before, began] = [answers, performance.now()]
  await Bun.sleep(seconds * 1000)
  const result = { answers: answers - before, errors, seconds: (performance.now() - began) / 1000 }
  process.stdout.write(`${JSON.stringify(result)}\n`)
  running = false
  for (const socket of all) socket.close()
  return result
}

if (import.meta.main) {
  const [role, first = '', second] = process.argv.slice(2)
  if (role === 'vendor') vendor(Number(first))
  else if (role === 'relay') relay(Number(first), Number(second))
  else {
    await load(JSON.parse(first) as SocketOrder)
    await Bun.sleep(200)
    process.exit()
  }
}
