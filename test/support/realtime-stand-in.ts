import type { ServerWebSocket } from 'bun'

/** A vendor's realtime channel on loopback: it keeps what it gets, and says what it is told to. */

interface Place {
  readonly path: string
  readonly query: string
  readonly headers: Headers
}

interface StandInSocket {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** What came, as it came. */
  readonly frames: string[]
  pings: number
  closed: { readonly code: number; readonly reason: string } | null
  send(event: object | string): void
  close(code: number, reason?: string): void
  /** Breaks the connection. */
  drop(): void
  pause(): void
  resume(): void
  /** @returns bytes; -1 when they wait */
  push(frame: string): number
}

/** What the vendor does with an event of its client. */
type Hearing = (socket: StandInSocket, event: Record<string, unknown>) => void

export interface RealtimeStandIn {
  /** Base address, with the version. */
  readonly url: string
  readonly sockets: readonly StandInSocket[]
  play(hearing: Hearing): void
  /** Answers a handshake with this instead of a socket. */
  refuse(status: number | null): void
  /** The newest socket. */
  last(): StandInSocket
  close(): Promise<void>
}

export const session = {
  type: 'session.created',
  event_id: 'event_1',
  session: { type: 'realtime', id: 'sess_1', model: 'voice' },
}

export const turnUsage = {
  total_tokens: 253,
  input_tokens: 132,
  output_tokens: 121,
  input_token_details: {
    text_tokens: 119,
    audio_tokens: 13,
    image_tokens: 0,
    cached_tokens: 64,
    cached_tokens_details: { text_tokens: 60, audio_tokens: 4, image_tokens: 0 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 91 },
}

/** The events of one answer. */
export const answer = (usage: object | null = turnUsage, id = 'resp_1'): object[] => [
  { type: 'response.created', response: { id, status: 'in_progress' } },
  { type: 'response.output_audio_transcript.delta', response_id: id, delta: 'سلام' },
  { type: 'response.output_audio.delta', response_id: id, delta: 'AAAA'.repeat(400) },
  { type: 'response.done', response: { id, status: 'completed', ...(usage && { usage }) } },
]

/** Answers every `response.create`. */
export const answers: Hearing = (socket, { type }) => {
  if (type === 'response.create') for (const event of answer()) socket.send(event)
}

export function openRealtimeStandIn(): RealtimeStandIn {
  let hearing = answers
  let refusal: number | null = null
  const sockets: StandInSocket[] = []
  const known = new WeakMap<ServerWebSocket<Place>, StandInSocket>()
  const server = Bun.serve<Place>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, own) {
      if (refusal !== null)
        return Response.json({ error: { message: 'no', code: null } }, { status: refusal })
      const { pathname, search } = new URL(request.url)
      const data = { path: pathname, query: search, headers: request.headers }
      return own.upgrade(request, { data }) ? undefined : new Response(null, { status: 400 })
    },
    websocket: {
      maxPayloadLength: 128 << 20,
      backpressureLimit: 0,
      open(ws) {
        const one: StandInSocket = {
          path: ws.data.path,
          query: new URLSearchParams(ws.data.query),
          headers: ws.data.headers,
          frames: [],
          pings: 0,
          closed: null,
          send: (event) => void ws.send(typeof event === 'string' ? event : JSON.stringify(event)),
          close: (code, reason) => ws.close(code, reason),
          drop: () => ws.terminate(),
          pause: () => ws.pause(),
          resume: () => ws.resume(),
          push: (frame) => ws.send(frame),
        }
        known.set(ws, one)
        sockets.push(one)
        one.send(session)
      },
      message(ws, frame) {
        const one = known.get(ws)
        if (one === undefined || typeof frame !== 'string') return
        one.frames.push(frame)
        hearing(one, JSON.parse(frame) as Record<string, unknown>)
      },
      ping(ws) {
        const one = known.get(ws)
        if (one !== undefined) one.pings++
      },
      close(ws, code, reason) {
        const one = known.get(ws)
        if (one !== undefined) one.closed = { code, reason }
      },
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    sockets,
    play: (next) => void (hearing = next),
    refuse: (status) => void (refusal = status),
    last() {
      const one = sockets.at(-1)
      if (one === undefined) throw new Error('nobody came')
      return one
    },
    close: () => server.stop(true),
  }
}
