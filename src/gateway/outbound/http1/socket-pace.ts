import type { Flow } from './open-source'

/** Of one read, from where on it is large: what a server sends as fast as it can. */
const largeBytes = 65_536

type PausingSocket = { pause(): void; resume(): void }

/**
 * Flow of a socket that is read from once in a turn of the event loop, where there is much: the runtime reads up to
 * five megabytes in one turn, which may be a million events of nothing.
 */
export class SocketPace implements Flow {
  #isPaused = false
  #isResting = false
  readonly #socket: () => PausingSocket | null

  constructor(socket: () => PausingSocket | null) {
    this.#socket = socket
  }

  pause(): void {
    this.#isPaused = true
    this.#socket()?.pause()
  }

  resume(): void {
    this.#isPaused = false
    if (!this.#isResting) this.#socket()?.resume()
  }

  /** So many bytes came in one read. */
  took(bytes: number): void {
    if (bytes < largeBytes || this.#isResting) return
    this.#isResting = true
    if (!this.#isPaused) this.#socket()?.pause()
    setImmediate(this.#goOn)
  }

  readonly #goOn = (): void => {
    this.#isResting = false
    if (!this.#isPaused) this.#socket()?.resume()
  }
}
