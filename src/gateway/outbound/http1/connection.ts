import type { Socket } from 'bun'
import type { BodyReader, StreamedBody } from '../../net/streamed-body'
import type { WriteBatcher } from '../../net/write-batcher'
import { CalledOff, type Attempt } from './attempt'
import { openSource, type OpenSource } from './open-source'
import type { Origin } from './origin'
import { SourceReply, type Reply } from './reply'
import type { ReplyHead } from './reply-head'
import { ReplyParser } from './reply-parser'
import type { WireHead } from './request-head'
import { SocketPace } from './socket-pace'
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

/** The server took no connection in time. */
class ConnectTimeout extends Error {
  constructor() {
    super('connect timeout')
    this.name = 'ConnectTimeout'
  }
}

/** Events of a connection. */
export interface ConnectionEvents {
  /** The exchange is over and another one may follow. */
  free(connection: HttpConnection): void
  /** It is of no more use. */
  gone(connection: HttpConnection): void
  /** Value of the server's `Keep-Alive` field (RFC 2068, 19.7.1): how long it keeps the connection. */
  keepAlive(field: string): void
}

interface Running {
  resolve(reply: Reply): void
  reject(cause: Error): void
  readonly attempt: Attempt
  body: OpenSource | null
}

interface ConnectionParts {
  readonly turn: WriteBatcher
  /** For name, connection and TLS handshake together: a server that never ends it would keep a descriptor each. */
  readonly connectTimeoutMs: number
}

/**
 * Certificates are checked against the system's roots and the server's name before anything is sent.
 * @throws ConnectTimeout | Error when the server cannot be reached, or its certificate is not of its name
 */
export const openConnection = (
  origin: Origin,
  { turn, connectTimeoutMs }: ConnectionParts,
  events: ConnectionEvents,
): Promise<HttpConnection> => new HttpConnection(turn, events).open(origin, connectTimeoutMs)

/** One connection to a server: one exchange at a time. */
export class HttpConnection {
  #socket: Socket | null = null
  #running: Running | null = null
  /** Runs, and is not yet sent. */
  #next: WireRequest | null = null
  #unsent: Uint8Array | null = null
  /** A body is being read while it is sent. */
  #pumping = false
  #onSent: (() => void) | null = null
  #over = false
  readonly #opening = Promise.withResolvers<HttpConnection>()
  readonly #parser: ReplyParser
  readonly #pace = new SocketPace(() => this.#socket)
  readonly #turn: WriteBatcher
  readonly #events: ConnectionEvents

  constructor(turn: WriteBatcher, events: ConnectionEvents) {
    this.#turn = turn
    this.#events = events
    this.#parser = new ReplyParser({
      head: (head) => this.#begin(head),
      data: (bytes) => this.#running?.body?.sink.data(bytes),
      end: (reusable) => this.#end(reusable),
    })
  }

  open({ hostname, port, tls }: Origin, maxMs: number): Promise<HttpConnection> {
    const timer = setTimeout(() => {
      this.#opening.reject(new ConnectTimeout())
      this.#close()
    }, maxMs)
    const opened = () => {
      clearTimeout(timer)
      this.#opening.resolve(this)
    }
    this.#opening.promise.catch(() => clearTimeout(timer))
    Bun.connect({
      hostname,
      port,
      tls: tls ? { serverName: hostname } : false,
      socket: {
        open: (socket) => {
          this.#socket = socket
          if (this.#over) return socket.terminate()
          socket.setNoDelay(true)
          if (!tls) opened()
        },
        handshake: (_, authorized, cause) => {
          if (this.#over) return
          if (authorized) return opened()
          this.#opening.reject(cause ?? new Error('untrusted certificate'))
          this.#close()
        },
        data: (_, bytes) => this.#take(bytes),
        drain: () => this.#sendOn(),
        close: (_, cause) => this.#closed(cause),
        error: (_, cause) => this.#closed(cause),
        connectError: (_, cause) => this.#closed(cause),
      },
    }).catch((cause: unknown) => this.#closed(cause))
    return this.#opening.promise
  }

  /** @throws ClosedEarly | CalledOff | Error when it breaks or speaks no HTTP */
  exchange(request: WireRequest, attempt: Attempt): Promise<Reply> {
    if (this.#over || this.#socket === null) return Promise.reject(new ClosedEarly())
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const mine: Running = { resolve, reject, attempt, body: null }
    this.#running = mine
    attempt.carriedBy(() => {
      if (this.#running === mine) this.#fail(new CalledOff())
    })
    this.#socket.ref()
    this.#next = request
    this.#turn.atEnd(this.#sendNext)
    return promise
  }

  /** Drops the connection at once, and with it its exchange. */
  drop(): void {
    this.#fail(new CalledOff())
  }

  #take(bytes: Uint8Array): void {
    if (this.#over) return
    if (this.#running === null) return this.#close()
    this.#pace.took(bytes.byteLength)
    // Nothing was asked yet: whatever this answers, it is not that.
    if (this.#next !== null) return this.#fail(new ClosedEarly())
    try {
      this.#parser.push(bytes)
    } catch (thrown) {
      this.#fail(thrown instanceof Error ? thrown : new Error('malformed HTTP response'))
    }
  }

  #begin(head: ReplyHead): void {
    const running = this.#running
    if (running === null) throw new Error('unsolicited response')
    const keepAlive = head.headers.get('keep-alive')
    if (keepAlive !== null) this.#events.keepAlive(keepAlive)
    running.body = openSource(this.#pace)
    running.resolve(new SourceReply(head, running.body.source))
  }

  #end(reusable: boolean): void {
    const ended = this.#running
    this.#running = null
    if (reusable && this.#unsent === null && !this.#pumping) {
      this.#socket?.unref()
      this.#events.free(this)
    } else this.#close()
    ended?.body?.sink.end()
  }

  #close(): void {
    if (this.#over) return
    this.#over = true
    this.#events.gone(this)
    this.#socket?.terminate()
    this.#wake()
  }

  /** Whatever runs here ends with this. */
  #fail(cause: Error): void {
    const failed = this.#running
    this.#running = null
    this.#close()
    if (failed === null) return
    if (failed.body === null) failed.reject(cause)
    else failed.body.sink.fail(cause)
  }

  #closed(cause?: unknown): void {
    this.#opening.reject(cause ?? new ClosedEarly())
    if (this.#over) return
    const begun = this.#running !== null && this.#running.body !== null
    if (begun && this.#parser.closed()) return
    this.#fail(
      begun ? new Error('connection broke within a response', { cause }) : new ClosedEarly(cause),
    )
  }

  /** Nothing, where it was called off meanwhile. */
  readonly #sendNext = (): void => {
    const mine = this.#running
    const request = this.#next
    if (mine === null || request === null || this.#socket === null) return
    this.#next = null
    try {
      this.#sendRequest(request, mine, this.#socket)
    } catch (thrown) {
      this.#fail(thrown instanceof Error ? thrown : new Error('request could not be sent'))
    }
  }

  #sendRequest({ head, body }: WireRequest, mine: Running, socket: Socket): void {
    const [begin, rest] = head
    const headBytes = begin.length + rest.length
    if (typeof body === 'string' && headBytes + 3 * body.length <= scratch.length) {
      scratch.write(begin, 0, 'latin1')
      scratch.write(rest, begin.length, 'latin1')
      const bytes = headBytes + scratch.write(body, headBytes, 'utf8')
      const written = Math.max(0, socket.write(scratch, 0, bytes))
      if (written > 0) mine.attempt.handed = true
      this.#unsent = written < bytes ? Buffer.from(scratch.subarray(written, bytes)) : null
    } else if (isStreamed(body)) {
      this.#send(Buffer.from(begin + rest))
      void this.#pump(body, mine)
    } else {
      const content = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array())
      this.#send(Buffer.concat([Buffer.from(begin + rest), content]))
    }
  }

  #send(bytes: Uint8Array): void {
    const written = Math.max(0, this.#socket?.write(bytes) ?? 0)
    if (written > 0 && this.#running !== null) this.#running.attempt.handed = true
    this.#unsent = written < bytes.byteLength ? bytes.subarray(written) : null
  }

  #sendOn(): void {
    if (this.#unsent !== null) this.#send(this.#unsent)
    if (this.#unsent === null) this.#wake()
  }

  #wake(): void {
    this.#onSent?.()
    this.#onSent = null
  }

  /** Piece by piece, as fast as the server takes them; a reply may come before all is sent. */
  async #pump(body: StreamedBody, mine: Running): Promise<void> {
    this.#pumping = true
    let reader: BodyReader | null = null
    try {
      reader = body.open()
      for (let rest = body.bytes; rest > 0;) {
        if (this.#unsent !== null) await new Promise<void>((resolve) => (this.#onSent = resolve))
        if (this.#running !== mine) return
        const piece = await reader.read()
        if (this.#running !== mine) return
        if (piece === null || piece.byteLength > rest)
          throw new Error('request body of another length than announced')
        rest -= piece.byteLength
        this.#send(piece)
      }
    } catch (thrown) {
      if (this.#running === mine)
        this.#fail(thrown instanceof Error ? thrown : new Error('request body failed'))
    } finally {
      reader?.close()
      this.#pumping = false
    }
  }
}

/** Where requests become bytes, one after the other: the same memory is at hand each time. */
const scratch = Buffer.alloc(262_144)
