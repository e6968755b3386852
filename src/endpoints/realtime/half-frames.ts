import type { AccountId } from '../../domain/ids'
import type { ClientSocketEvents } from '../../net/socket'

/** A socket whose half frames are counted. */
interface HalfFramesOf {
  readonly account: AccountId
  /** Bytes of frames that are not whole, of all its sockets in this process. */
  readonly maxBytes: number
  /** Ends the conversation. */
  refuse(): void
}

/** How often they are looked at. */
const lookMs = 1000
/** Looks in a row: two large frames may well be on their way at once, for a moment. */
const maxLooks = 2

const watched = new Set<HalfFrames>()
const crowded = new Map<AccountId, number>()
let looking: ReturnType<typeof setInterval> | null = null

/**
 * Bounds what an account has sent of frames that are not whole. The runtime keeps them unseen by us, up to its
 * limit for each socket: a customer with a hundred sockets could fill two gigabytes for as long as he likes.
 * @returns the same events, counted
 */
export function boundHalfFrames(
  events: ClientSocketEvents,
  bound: HalfFramesOf,
): ClientSocketEvents {
  const counted = new HalfFrames(bound)
  return {
    arrived: (received) => counted.begin(received),
    open: (socket) => events.open(socket),
    message(socket, frame) {
      counted.take(frame.length)
      events.message(socket, frame)
    },
    drain: (socket) => events.drain(socket),
    pong: (socket) => events.pong(socket),
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
  readonly bound: HalfFramesOf

  constructor(bound: HalfFramesOf) {
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
