import type { Clock, Ms } from '../../domain/clock'
import type { Turn } from '../../net/write-batcher'
import { CalledOff, type Attempt } from './attempt'
import {
  ClosedEarly,
  openConnection,
  type Connection,
  type ConnectionEvents,
  type WireRequest,
} from './connection'
import { openIdleLifetime, type IdleLifetime } from './idle-lifetime'
import type { Origin } from './origin'
import type { Reply } from './reply'

/** Connections to servers, kept for the next request. */
export interface Pool {
  /**
   * Sends one request. It is sent a second time only where the first cannot have done anything: a
   * kept connection was seen closed before a byte of the request was handed to it, or the request is
   * idempotent (RFC 9110 9.2.2).
   * @throws CalledOff | ConnectTimeout | Error unreachable, not who it says, broken, no HTTP
   */
  exchange(origin: Origin, request: WireRequest, attempt: Attempt): Promise<Reply>
  /** Connections that nobody uses. */
  idle(): number
  /** Drops these; what runs goes on. */
  close(): void
}

/** The server took no connection in time. */
export class ConnectTimeout extends Error {
  constructor() {
    super('connect timeout')
    this.name = 'ConnectTimeout'
  }
}

export interface PoolOptions {
  /** Idle connections are closed by us after this long. */
  readonly maxIdleMs?: number
  /** For name, connection and TLS handshake together. */
  readonly connectTimeoutMs?: number
}

const sweepMs = 5_000

interface Kept {
  readonly connection: Connection
  readonly since: Ms
}

/** The idle connections to one server, the longest idle first. */
interface Server {
  readonly idle: Kept[]
  readonly lifetime: IdleLifetime
  /** A request is out on a connection that was idle for longer than is trusted. */
  probing: boolean
}

/** @param turn whose requests go out together */
export function openPool(
  clock: Clock,
  turn: Turn,
  { maxIdleMs = 30_000, connectTimeoutMs = 10_000 }: PoolOptions = {},
): Pool {
  const servers = new Map<string, Server>()

  const serverOf = (name: string): Server => {
    let server = servers.get(name)
    if (server === undefined)
      servers.set(
        name,
        (server = { idle: [], lifetime: openIdleLifetime(maxIdleMs), probing: false }),
      )
    return server
  }

  const eventsOf = ({ idle, lifetime }: Server): ConnectionEvents => ({
    free(connection) {
      // Where none is used again, one is kept to see how long the server keeps it.
      if (idle.length > 0 && lifetime.usableMs() === 0) connection.drop()
      else idle.push({ connection, since: clock.now() })
    },
    gone(connection) {
      const at = idle.findIndex((each) => each.connection === connection)
      const [kept] = at < 0 ? [] : idle.splice(at, 1)
      if (kept !== undefined) lifetime.closed(clock.now() - kept.since)
    },
    keepAlive: lifetime.told,
  })

  /** What we drop ourselves is taken out first: only what the server closes tells how long it waits. */
  const dropOlder = (than: Ms) => {
    for (const { idle } of servers.values()) {
      const young = idle.findIndex(({ since }) => since > than)
      for (const { connection } of idle.splice(0, young < 0 ? idle.length : young))
        connection.drop()
    }
  }

  const sweep = () => {
    const now = clock.now()
    for (const { idle, lifetime } of servers.values())
      if (idle[0] !== undefined) lifetime.survived(now - idle[0].since)
    dropOlder((now - maxIdleMs) as Ms)
  }
  const sweeping = setInterval(sweep, sweepMs)
  sweeping.unref()

  /** A connection that nobody waits for any more is kept for the next request. */
  const connect = (origin: Origin, server: Server, attempt: Attempt): Promise<Connection> =>
    new Promise((resolve, reject) => {
      const events = eventsOf(server)
      let waiting = true
      const giveUp = (cause: Error) => {
        waiting = false
        clearTimeout(timer)
        reject(cause)
      }
      const timer = setTimeout(() => giveUp(new ConnectTimeout()), connectTimeoutMs)
      attempt.carriedBy(() => giveUp(new CalledOff()))
      const opened = (connection: Connection): void => {
        clearTimeout(timer)
        if (waiting) resolve(connection)
        else events.free(connection)
      }
      openConnection(origin, turn, events).then(opened, giveUp)
    })

  const exchangeAnew = async (origin: Origin, request: WireRequest, attempt: Attempt) => {
    const connection = await connect(origin, serverOf(origin.name), attempt)
    return await connection.exchange(request, attempt)
  }

  /** One at a time: connections are idle together and closed together, and all who use them would fail. */
  const probe = async (server: Server, asking: Promise<Reply>, idleMs: number) => {
    server.probing = true
    try {
      await asking
      server.lifetime.answered(idleMs)
    } catch {
      // Whoever asked is told.
    } finally {
      server.probing = false
    }
  }

  return {
    exchange(origin, request, attempt) {
      const server = serverOf(origin.name)
      const { idle, lifetime } = server
      const youngest = idle.at(-1)
      const idleMs = youngest === undefined ? 0 : clock.now() - youngest.since
      const trusted = idleMs <= lifetime.trustedMs()
      if (youngest === undefined || idleMs >= lifetime.usableMs() || (server.probing && !trusted))
        return exchangeAnew(origin, request, attempt)
      idle.pop()
      const asking = youngest.connection.exchange(request, attempt)
      if (!trusted) void probe(server, asking, idleMs)
      return asking.catch((thrown: unknown) => {
        if (!(thrown instanceof ClosedEarly) || attempt.calledOff) throw thrown
        lifetime.closed(idleMs)
        if (attempt.handed && !request.idempotent) throw thrown
        attempt.handed = false
        return exchangeAnew(origin, request, attempt)
      })
    },
    idle: () => servers.values().reduce((sum, { idle }) => sum + idle.length, 0),
    close() {
      clearInterval(sweeping)
      dropOlder(clock.now())
    },
  }
}
