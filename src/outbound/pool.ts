import type { Clock, Ms } from '../domain/clock'
import type { Turn } from '../domain/turn'
import { CalledOff, type Attempt } from './attempt'
import {
  ClosedEarly,
  openConnection,
  type Connection,
  type ConnectionEvents,
  type WireRequest,
} from './connection'
import type { Origin } from './origin'
import type { Reply } from './reply'

/** Connections to servers, kept for the next request. */
export interface Pool {
  /**
   * Sends one request. A kept connection that the server had closed meanwhile is replaced once.
   * @throws CalledOff | Error unreachable, not who it says, broken, no HTTP
   */
  exchange(origin: Origin, request: WireRequest, attempt: Attempt): Promise<Reply>
  /** Connections that nobody uses. */
  idle(): number
  /** Drops these; what runs goes on. */
  close(): void
}

/** Servers close an idle connection after five seconds to some minutes. */
const mostIdleMs = 30_000
const sweepMs = 5_000
/** A connection that was too old fails at once; a later failure is the server's own. */
const staleMs = 1_000

interface Kept {
  readonly connection: Connection
  readonly since: Ms
}

/** @param turn whose requests go out together */
export function openPool(clock: Clock, turn: Turn): Pool {
  const kept = new Map<string, Kept[]>()

  const eventsOf = (name: string): ConnectionEvents => ({
    free(connection) {
      const list = kept.get(name)
      const one = { connection, since: clock.now() }
      if (list === undefined) kept.set(name, [one])
      else list.push(one)
    },
    gone(connection) {
      const list = kept.get(name)
      const at = list?.findIndex((each) => each.connection === connection) ?? -1
      if (at >= 0) list?.splice(at, 1)
    },
  })

  const dropOlder = (than: Ms) => {
    for (const [name, list] of kept) {
      for (const { connection, since } of Array.from(list)) if (since <= than) connection.drop()
      if (list.length === 0) kept.delete(name)
    }
  }
  const sweeping = setInterval(() => dropOlder((clock.now() - mostIdleMs) as Ms), sweepMs)
  sweeping.unref()

  /** A connection that nobody waits for any more is kept for the next request. */
  const connect = (origin: Origin, attempt: Attempt): Promise<Connection> =>
    new Promise((resolve, reject) => {
      const events = eventsOf(origin.name)
      let waiting = true
      attempt.carriedBy(() => {
        waiting = false
        reject(new CalledOff())
      })
      openConnection(origin, turn, events).then(
        (connection) => (waiting ? resolve(connection) : events.free(connection)),
        reject,
      )
    })

  const exchangeAnew = async (origin: Origin, request: WireRequest, attempt: Attempt) => {
    const connection = await connect(origin, attempt)
    return await connection.exchange(request, attempt)
  }

  return {
    exchange(origin, request, attempt) {
      const old = kept.get(origin.name)?.pop()
      if (old === undefined) return exchangeAnew(origin, request, attempt)
      const began = clock.now()
      return old.connection.exchange(request, attempt).catch((thrown: unknown) => {
        const stale = thrown instanceof ClosedEarly && clock.now() - began < staleMs
        if (!stale || attempt.calledOff) throw thrown
        return exchangeAnew(origin, request, attempt)
      })
    },
    idle: () => kept.values().reduce((sum, list) => sum + list.length, 0),
    close() {
      clearInterval(sweeping)
      dropOlder(clock.now())
    },
  }
}
