import { ticksAfter, type Monotonic, type Ticks } from '../../../domain/clock'
import type { WriteBatcher } from '../../net/write-batcher'
import { CalledOff, type Attempt } from './attempt'
import {
  ClosedEarly,
  openConnection,
  type HttpConnection,
  type ConnectionEvents,
  type WireRequest,
} from './connection'
import { openIdleLifetime, type IdleLifetime } from './idle-lifetime'
import type { Origin } from './origin'
import type { Reply } from './reply'

/** Timeouts of a pool. */
export interface PoolOptions {
  /** Idle connections are closed by us after this long. */
  readonly maxIdleMs?: number
  /** For name, connection and TLS handshake together. */
  readonly connectTimeoutMs?: number
}

const sweepMs = 5_000

interface Kept {
  readonly connection: HttpConnection
  readonly since: Ticks
}

/** Settings shared by all servers of a pool. */
interface Terms {
  readonly monotonic: Monotonic
  readonly turn: WriteBatcher
  readonly maxIdleMs: number
  readonly connectTimeoutMs: number
}

/** Opens a pool of kept connections. @param turn whose requests go out together */
export const openPool = (
  monotonic: Monotonic,
  turn: WriteBatcher,
  { maxIdleMs = 30_000, connectTimeoutMs = 10_000 }: PoolOptions = {},
): Pool => new Pool({ monotonic, turn, maxIdleMs, connectTimeoutMs })

/** Connections to servers, kept for the next request. */
class Pool {
  readonly #servers = new Map<string, Server>()
  readonly #terms: Terms
  readonly #sweeping: ReturnType<typeof setInterval>

  constructor(terms: Terms) {
    this.#terms = terms
    this.#sweeping = setInterval(() => {
      const now = terms.monotonic.ticks()
      for (const server of this.#servers.values()) server.sweep(now)
    }, sweepMs)
    this.#sweeping.unref()
  }

  /**
   * Sends one request. It is sent a second time only where the first cannot have done anything: a
   * kept connection was seen closed before a byte of the request was handed to it, or the request is
   * idempotent (RFC 9110 9.2.2).
   * @throws CalledOff | ConnectTimeout | Error when unreachable, of another certificate, broken, or
   *   malformed HTTP
   */
  exchange(origin: Origin, request: WireRequest, attempt: Attempt): Promise<Reply> {
    return this.#serverOf(origin.name).exchange(origin, request, attempt)
  }

  /** Connections that nobody uses. */
  idle(): number {
    return this.#servers.values().reduce((sum, server) => sum + server.idle(), 0)
  }

  /** Closes idle connections; active exchanges continue. */
  close(): void {
    clearInterval(this.#sweeping)
    const now = this.#terms.monotonic.ticks()
    for (const server of this.#servers.values()) server.dropOlder(now)
  }

  #serverOf(name: string): Server {
    let server = this.#servers.get(name)
    if (server === undefined) this.#servers.set(name, (server = new Server(this.#terms)))
    return server
  }
}

/** The connections to one server. */
class Server implements ConnectionEvents {
  /** The longest idle first. */
  readonly #idle: Kept[] = []
  readonly #lifetime: IdleLifetime
  /** A request is out on a connection that was idle for longer than is trusted. */
  #probing = false
  readonly #terms: Terms

  constructor(terms: Terms) {
    this.#terms = terms
    this.#lifetime = openIdleLifetime(terms.maxIdleMs)
  }

  exchange(origin: Origin, request: WireRequest, attempt: Attempt): Promise<Reply> {
    const lifetime = this.#lifetime
    const youngest = this.#idle.at(-1)
    const idleMs = youngest === undefined ? 0 : this.#terms.monotonic.ticks() - youngest.since
    const trusted = idleMs <= lifetime.trustedMs()
    if (youngest === undefined || idleMs >= lifetime.usableMs() || (this.#probing && !trusted))
      return this.#exchangeAnew(origin, request, attempt)
    this.#idle.pop()
    const asking = youngest.connection.exchange(request, attempt)
    if (!trusted) void this.#probe(asking, idleMs)
    return asking.catch((thrown: unknown) => {
      if (!(thrown instanceof ClosedEarly) || attempt.calledOff) throw thrown
      lifetime.closed(idleMs)
      if (attempt.handed && !request.idempotent) throw thrown
      attempt.handed = false
      return this.#exchangeAnew(origin, request, attempt)
    })
  }

  idle(): number {
    return this.#idle.length
  }

  sweep(now: Ticks): void {
    const [longest] = this.#idle
    if (longest !== undefined) this.#lifetime.survived(now - longest.since)
    this.dropOlder(ticksAfter(now, -this.#terms.maxIdleMs))
  }

  /** Drops connections idle for too long, before the server does: only what the server closes tells how long it waits. */
  dropOlder(than: Ticks): void {
    const idle = this.#idle
    const young = idle.findIndex(({ since }) => since > than)
    for (const { connection } of idle.splice(0, young < 0 ? idle.length : young)) connection.drop()
  }

  free(connection: HttpConnection): void {
    // Where none is used again, one is kept to see how long the server keeps it.
    if (this.#idle.length > 0 && this.#lifetime.usableMs() === 0) connection.drop()
    else this.#idle.push({ connection, since: this.#terms.monotonic.ticks() })
  }

  gone(connection: HttpConnection): void {
    const at = this.#idle.findIndex((each) => each.connection === connection)
    const [kept] = at < 0 ? [] : this.#idle.splice(at, 1)
    if (kept !== undefined) this.#lifetime.closed(this.#terms.monotonic.ticks() - kept.since)
  }

  keepAlive(field: string): void {
    this.#lifetime.told(field)
  }

  async #exchangeAnew(origin: Origin, request: WireRequest, attempt: Attempt): Promise<Reply> {
    const connection = await this.#connect(origin, attempt)
    return await connection.exchange(request, attempt)
  }

  /** A connection that nobody waits for any more is kept for the next request. */
  #connect(origin: Origin, attempt: Attempt): Promise<HttpConnection> {
    const { turn, connectTimeoutMs } = this.#terms
    return new Promise((resolve, reject) => {
      let waiting = true
      const giveUp = (cause: Error) => {
        waiting = false
        reject(cause)
      }
      attempt.carriedBy(() => giveUp(new CalledOff()))
      const opened = (connection: HttpConnection): void => {
        if (waiting) resolve(connection)
        else this.free(connection)
      }
      openConnection(origin, { turn, connectTimeoutMs }, this).then(opened, giveUp)
    })
  }

  /** One at a time: connections are idle together and closed together, and all who use them would fail. */
  async #probe(asking: Promise<Reply>, idleMs: number): Promise<void> {
    this.#probing = true
    try {
      await asking
      this.#lifetime.answered(idleMs)
    } catch {
      // Whoever asked is told.
    } finally {
      this.#probing = false
    }
  }
}
