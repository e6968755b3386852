import type { AccountId } from '../../../domain/ids'
import type { ClientSocket, ClientSocketEvents } from '../../net/socket'
import { TurnShare } from '../../net/turn-share'

/** Owner of a socket, and bytes that it may hold. */
interface SocketBound {
  readonly account: AccountId
  /** Bytes of frames that are not whole, of all its sockets in this process. */
  readonly maxBytes: number
  /** Ends the conversation, and drops its socket. */
  refuse(): void
}

/** How often they are looked at. */
const lookMs = 1000
/** Looks in a row: two large frames may well be on their way at once, for a moment. */
const maxLooks = 2

/** Pings and pongs in one turn of the event loop: the runtime answers each, and one in twenty seconds is usual. */
const controlsPerTurn = 64

const watched = new Set<HalfFrames>()
const crowded = new Map<AccountId, number>()
let looking: ReturnType<typeof setInterval> | null = null

/**
 * Bounds what a client's socket costs beside whole frames. Of frames that are not whole an account has no more than
 * a request may have, on all its sockets: the runtime keeps them unseen by us, up to its limit for each, and a
 * customer with a hundred sockets could fill two gigabytes for as long as he likes. A flood of pings is broken off.
 * @returns the same events, counted
 */
export function boundSocket(events: ClientSocketEvents, bound: SocketBound): ClientSocketEvents {
  const counted = new HalfFrames(bound)
  const controls = new TurnShare(controlsPerTurn)
  const mayGoOn = (socket: ClientSocket): boolean => {
    if (controls.take()) return true
    socket.terminate()
    return false
  }
  return {
    arrived: (received) => counted.begin(received),
    open: (socket) => events.open(socket),
    message(socket, frame) {
      counted.take(frame.length)
      events.message(socket, frame)
    },
    drain: (socket) => events.drain(socket),
    ping: (socket) => void mayGoOn(socket),
    pong(socket) {
      if (mayGoOn(socket)) events.pong(socket)
    },
    close(socket, code, reason) {
      counted.end()
      events.close(socket, code, reason)
    },
  }
}

/** Looks at all sockets, and ends those that hold most of what is too much. */
export function lookAtHalfFrames(): void {
  const accounts = Map.groupBy(watched, ({ bound }) => bound.account)
  for (const account of crowded.keys()) if (!accounts.has(account)) crowded.delete(account)
  for (const [account, sockets] of accounts) {
    let sum = 0
    for (const socket of sockets) sum += socket.look()
    const looks = sum > (sockets[0]?.bound.maxBytes ?? 0) ? (crowded.get(account) ?? 0) + 1 : 0
    if (looks === 0) crowded.delete(account)
    else crowded.set(account, looks)
    if (looks < maxLooks) continue
    for (const socket of sockets.toSorted((a, b) => b.openBytes - a.openBytes)) {
      if (sum <= socket.bound.maxBytes) break
      sum -= socket.openBytes
      socket.end()
      socket.bound.refuse()
    }
  }
}

class HalfFrames {
  /** Of a frame that is not whole, at the last look. */
  openBytes = 0
  /** Of whole frames; letters, which are no more than bytes. */
  #taken = 0
  #takenAtLook = 0
  #receivedAtLook = 0
  /** Received and no part of a frame that is not whole: the handshake, heads, answers to pings. */
  #around = 0
  #received: (() => number | null) | null = null
  #isOver = false
  readonly bound: SocketBound

  constructor(bound: SocketBound) {
    this.bound = bound
  }

  begin(received: () => number | null): void {
    if (this.#isOver) return
    this.#received = received
    this.#receivedAtLook = this.#around = received() ?? 0
    watched.add(this)
    looking ??= setInterval(lookAtHalfFrames, lookMs).unref()
  }

  take(letters: number): void {
    this.#taken += letters
  }

  end(): void {
    this.#isOver = true
    watched.delete(this)
    if (watched.size > 0 || looking === null) return
    clearInterval(looking)
    looking = null
    crowded.clear()
  }

  /** @returns bytes of a frame that is not whole */
  look(): number {
    const received = this.#received?.() ?? null
    if (received === null) return (this.openBytes = 0)
    const beyond = received - this.#taken
    // A frame became whole since the last look: what is open came after that.
    if (this.#taken !== this.#takenAtLook)
      this.#around = Math.max(this.#around, beyond - (received - this.#receivedAtLook))
    this.#takenAtLook = this.#taken
    this.#receivedAtLook = received
    return (this.openBytes = Math.max(0, beyond - this.#around))
  }
}
