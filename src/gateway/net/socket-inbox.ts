import { brokenClose, type Frame, type ServerSocket, type SocketSink } from './socket'
import { TurnShare } from './turn-share'

/** Keeps what comes until somebody listens, then passes it on, a few frames in each turn of the event loop. */
interface SocketInbox extends Pick<ServerSocket, 'listen' | 'pause' | 'resume'> {
  /** Nothing more is passed on but that it is closed. The socket reads on, to hear that. */
  close(): void
  /** Where the socket puts what comes. */
  readonly sink: SocketSink & {
    /** The server asked for a sign of life, which the runtime gives. */
    ping(): void
  }
}

/** The socket that fills an inbox. */
interface FillingSocket {
  pause(): void
  resume(): void
  /** Breaks the connection, without a word. */
  terminate(): void
}

/** Some microseconds each. */
const framesPerTurn = 256
/** Frames that wait: those read before a pause are no more, of events as short as there are. */
const maxWaiting = 16_000
/** One in twenty seconds is usual. */
const controlsPerTurn = 256

export const openSocketInbox = (socket: FillingSocket): SocketInbox => new PacedInbox(socket)

class PacedInbox implements SocketInbox {
  #listener: SocketSink | null = null
  #waiting: Frame[] = []
  #next = 0
  #closed: { readonly code: number; readonly reason: string } | null = null
  #isOver = false
  /** Its reader wants nothing more for now. */
  #isPaused = false
  #isClosing = false
  /** The socket reads nothing. */
  #isHeld = false
  #isScheduled = false
  readonly #share = new TurnShare(framesPerTurn)
  readonly #controls = new TurnShare(controlsPerTurn)
  readonly #socket: FillingSocket

  constructor(socket: FillingSocket) {
    this.#socket = socket
  }

  readonly sink: SocketInbox['sink'] = {
    frame: (frame) => this.#frame(frame),
    ping: () => void this.#mayGoOn(),
    pong: () => {
      if (this.#mayGoOn()) this.#listener?.pong()
    },
    closed: (code, reason) => {
      if (this.#closed !== null) return
      this.#closed = { code, reason }
      this.#pass()
    },
  }

  listen(sink: SocketSink): void {
    this.#listener = sink
    this.#pass()
  }

  pause(): void {
    this.#isPaused = true
    this.#hold()
  }

  resume(): void {
    this.#isPaused = false
    this.#schedule()
  }

  close(): void {
    this.#isClosing = true
    this.#isPaused = false
    this.#waiting = []
    this.#next = 0
    this.#pass()
  }

  #frame(frame: Frame): void {
    if (this.#closed !== null || this.#isClosing) return
    const isFirst = this.#waiting.length === 0 && this.#listener !== null
    if (isFirst && !this.#isPaused && this.#share.take()) return this.#listener?.frame(frame)
    if (this.#waiting.push(frame) - this.#next > maxWaiting) return this.#breakOff()
    this.#hold()
    this.#schedule()
  }

  /** Counts a control frame. */
  #mayGoOn(): boolean {
    if (this.#closed !== null) return false
    if (this.#controls.take()) return true
    this.#breakOff()
    return false
  }

  /** Nobody has so much to say: frames of next to nothing are sent to keep us busy. */
  #breakOff(): void {
    this.#waiting = []
    this.#next = 0
    this.#closed = { code: brokenClose, reason: '' }
    this.#socket.terminate()
    this.#schedule()
  }

  #hold(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.#socket.pause()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#listener === null) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#pass()
    })
  }

  /** Passes on what waits, as far as this turn goes. */
  #pass(): void {
    const listener = this.#listener
    if (listener === null) return
    while (this.#next < this.#waiting.length) {
      if (this.#isPaused) return
      if (!this.#share.take()) return this.#schedule()
      listener.frame(this.#waiting[this.#next++] ?? '')
    }
    this.#waiting = []
    this.#next = 0
    if (this.#closed !== null) {
      if (!this.#isOver) listener.closed(this.#closed.code, this.#closed.reason)
      this.#isOver = true
    } else if (this.#isHeld && !this.#isPaused) {
      this.#isHeld = false
      this.#socket.resume()
    }
  }
}
