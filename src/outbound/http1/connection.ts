import type { Socket } from 'bun'
import type { BodyReader, StreamedBody } from '../../net/streamed-body'
import type { Turn } from '../../net/write-batcher'
import { CalledOff, type Attempt } from './attempt'
import { openSource, type OpenSource } from './open-source'
import type { Origin } from './origin'
import { SourceReply, type Reply } from './reply'
import { openReplyParser } from './reply-parser'
import type { WireHead } from './request-head'
import { isStreamed } from './stream-body'

/** Bytes of a request, ready to be sent. */
export interface WireRequest {
  readonly head: WireHead
  /** As long as the fields say. */
  readonly body: string | Uint8Array | StreamedBody | null
  /** Doing it twice does no more than doing it once (RFC 9110 9.2.2). */
  readonly idempotent: boolean
}

/** The connection was closed before a byte of the reply; whether the request was read is not known. */
export class ClosedEarly extends Error {
  constructor(cause?: unknown) {
    super('the connection was closed before a reply', { cause })
    this.name = 'ClosedEarly'
  }
}

/** One connection to a server: one exchange at a time. */
export interface Connection {
  /** @throws ClosedEarly | CalledOff | Error when it breaks or speaks no HTTP */
  exchange(request: WireRequest, attempt: Attempt): Promise<Reply>
  /** Drops it at once, and with it what runs on it. */
  drop(): void
}

/** What becomes of a connection. */
export interface ConnectionEvents {
  /** The exchange is over and another one may follow. */
  free(connection: Connection): void
  /** It is of no more use. */
  gone(connection: Connection): void
  /** What the server says of how long it keeps it, as its field `Keep-Alive` stands. */
  keepAlive(field: string): void
}

interface Running {
  resolve(reply: Reply): void
  reject(cause: Error): void
  readonly attempt: Attempt
  body: OpenSource | null
}

/**
 * Certificates are checked against the system's roots and the server's name before anything is sent.
 * @throws Error when it cannot be reached or is not who it says
 */
export function openConnection(
  origin: Origin,
  turn: Turn,
  events: ConnectionEvents,
): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>()
  let socket: Socket | null = null
  let running: Running | null = null
  /** Runs, and is not yet sent. */
  let next: WireRequest | null = null
  let unsent: Uint8Array | null = null
  /** A body is being read while it is sent. */
  let pumping = false
  let onSent: (() => void) | null = null
  let over = false

  const flow = {
    pause() {
      socket?.pause()
    },
    resume() {
      socket?.resume()
    },
  }

  const parser = openReplyParser({
    head(head) {
      if (running === null) throw new Error('a reply to nothing')
      const keepAlive = head.headers.get('keep-alive')
      if (keepAlive !== null) events.keepAlive(keepAlive)
      running.body = openSource(flow)
      running.resolve(new SourceReply(head, running.body.source))
    },
    data: (bytes) => running?.body?.sink.data(bytes),
    end(reusable) {
      const ended = running
      running = null
      if (reusable && unsent === null && !pumping) {
        socket?.unref()
        events.free(connection)
      } else close()
      ended?.body?.sink.end()
    },
  })

  const close = () => {
    if (over) return
    over = true
    events.gone(connection)
    socket?.terminate()
    wake()
  }

  /** Whatever runs here ends with this. */
  const fail = (cause: Error) => {
    const failed = running
    running = null
    close()
    if (failed === null) return
    if (failed.body === null) failed.reject(cause)
    else failed.body.sink.fail(cause)
  }

  const closed = (cause?: unknown) => {
    reject(cause ?? new ClosedEarly())
    if (over) return
    const begun = running !== null && running.body !== null
    if (begun && parser.closed()) return
    fail(begun ? new Error('the connection broke', { cause }) : new ClosedEarly(cause))
  }

  const send = (bytes: Uint8Array) => {
    const written = Math.max(0, socket?.write(bytes) ?? 0)
    if (written > 0 && running !== null) running.attempt.handed = true
    unsent = written < bytes.byteLength ? bytes.subarray(written) : null
  }

  const wake = () => {
    onSent?.()
    onSent = null
  }

  /** Piece by piece, as fast as the server takes them; a reply may come before all is sent. */
  const pump = async (body: StreamedBody, mine: Running) => {
    pumping = true
    let reader: BodyReader | null = null
    try {
      reader = body.open()
      for (let rest = body.bytes; rest > 0;) {
        if (unsent !== null) await new Promise<void>((resolve) => (onSent = resolve))
        if (running !== mine) return
        const piece = await reader.read()
        if (running !== mine) return
        if (piece === null || piece.byteLength > rest) throw new Error('a body of another length')
        rest -= piece.byteLength
        send(piece)
      }
    } catch (thrown) {
      if (running === mine) fail(thrown instanceof Error ? thrown : new Error('no body'))
    } finally {
      reader?.close()
      pumping = false
    }
  }

  /** Nothing, where it was called off meanwhile. */
  const sendNext = () => {
    const mine = running
    if (mine === null || next === null || socket === null) return
    const { head, body } = next
    next = null
    try {
      const [begin, rest] = head
      const headBytes = begin.length + rest.length
      if (typeof body === 'string' && headBytes + 3 * body.length <= scratch.length) {
        scratch.write(begin, 0, 'latin1')
        scratch.write(rest, begin.length, 'latin1')
        const bytes = headBytes + scratch.write(body, headBytes, 'utf8')
        const written = Math.max(0, socket.write(scratch, 0, bytes))
        if (written > 0) mine.attempt.handed = true
        unsent = written < bytes ? Buffer.from(scratch.subarray(written, bytes)) : null
      } else if (isStreamed(body)) {
        send(Buffer.from(begin + rest))
        void pump(body, mine)
      } else {
        const content = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array())
        send(Buffer.concat([Buffer.from(begin + rest), content]))
      }
    } catch (thrown) {
      fail(thrown instanceof Error ? thrown : new Error('nothing could be sent'))
    }
  }

  const connection: Connection = {
    exchange(request, attempt) {
      if (over || socket === null) return Promise.reject(new ClosedEarly())
      const { promise: reply, resolve: came, reject: broke } = Promise.withResolvers<Reply>()
      const mine: Running = { resolve: came, reject: broke, attempt, body: null }
      running = mine
      attempt.carriedBy(() => {
        if (running === mine) fail(new CalledOff())
      })
      socket.ref()
      next = request
      turn.atEnd(sendNext)
      return reply
    },
    drop: () => fail(new CalledOff()),
  }
  const ready = () => resolve(connection)

  Bun.connect({
    hostname: origin.hostname,
    port: origin.port,
    tls: origin.tls ? { serverName: origin.hostname } : false,
    socket: {
      open(opened) {
        socket = opened
        opened.setNoDelay(true)
        if (!origin.tls) ready()
      },
      handshake(_, authorized, cause) {
        if (authorized) return ready()
        reject(cause ?? new Error('a certificate that cannot be trusted'))
        close()
      },
      data(_, bytes) {
        if (over) return
        if (running === null) return close()
        // Nothing was asked yet: whatever this answers, it is not that.
        if (next !== null) return fail(new ClosedEarly())
        try {
          parser.push(bytes)
        } catch (thrown) {
          fail(thrown instanceof Error ? thrown : new Error('no HTTP'))
        }
      },
      drain() {
        if (unsent !== null) send(unsent)
        if (unsent === null) wake()
      },
      close: (_, cause) => closed(cause),
      error: (_, cause) => closed(cause),
      connectError: (_, cause) => closed(cause),
    },
  }).catch(closed)
  return promise
}

/** Where requests become bytes, one after the other: the same memory is at hand each time. */
const scratch = Buffer.alloc(262_144)
