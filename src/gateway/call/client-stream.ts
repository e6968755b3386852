/**
 * Part of an answer. Text is written as text: the runtime encodes it while it writes, which costs
 * half as much as encoding it here.
 */
export type Piece = string | Uint8Array<ArrayBuffer>

/** Owner of a client's stream, which fills it. */
export interface ClientStreamOwner {
  /** The response is being sent: what comes may flow. */
  opened(): void
  /** The client's socket takes no more for now; a few pieces may still be written. */
  filled(): void
  /** The socket has taken all that was written. */
  drained(): void
  /** The client has disconnected. */
  left(): void
}

/**
 * The client's end of a relayed answer, as a response body. It is a direct stream: writes go to the
 * socket without a queue and its promises between, which is a tenth of what a chunk costs. Such a
 * stream has no bound of its own: memory stays bounded because `filled` pauses the vendor.
 *
 * Source: bun-types, `ReadableStreamDirectController` and docs/runtime/streams.mdx ("Handling
 * backpressure"), 1.4.5.
 */
export class ClientStream {
  readonly body: ReadableStream<Piece>
  #owner: ClientStreamOwner
  #controller: ReadableStreamDirectController | null = null
  /** Written before the response was being sent. */
  #early: Piece[] | null = null
  #full = false
  #backlogBytes = 0
  #left = false
  /** Due as soon as everything written is handed to the system. */
  #ending: (() => void) | null = null

  constructor(owner: ClientStreamOwner) {
    this.#owner = owner
    this.body = new ReadableStream<Piece>({
      type: 'direct',
      pull: (controller) => this.#open(controller),
      cancel: () => this.#leave(),
    })
  }

  /** Written since the socket took no more. */
  get backlogBytes(): number {
    return this.#backlogBytes
  }

  /** Whether the socket takes no more for now. */
  get full(): boolean {
    return this.#full
  }

  /** Another owner fills it from now on, as if it had opened it. */
  handTo(owner: ClientStreamOwner): void {
    this.#owner = owner
    if (this.#controller === null || this.#left) return
    owner.opened()
    if (this.#full) owner.filled()
  }

  write(piece: Piece): void {
    if (this.#left) return
    if (this.#controller === null) return void (this.#early ??= []).push(piece)
    const written = this.#controller.write(piece)
    if (typeof written === 'number') return
    this.#backlogBytes += typeof piece === 'string' ? piece.length : piece.byteLength
    if (!this.#full) void this.#fill(written)
  }

  /** Ends the response once everything written is handed to the system. */
  close(): void {
    this.#endWith(() => this.#controller?.close())
  }

  /** Resets the connection once everything written is handed over and had time to arrive. */
  breakOff(sentBytes: number): void {
    this.#endWith(() => {
      const flushed = this.#controller?.flush(true)
      void Promise.resolve(flushed).then(() => setTimeout(() => this.reset(), arrivalMs(sentBytes)))
    })
  }

  /** Resets the connection at once; what the system has not taken is dropped. */
  reset(cause: unknown = new Error('stream aborted')): void {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    if (this.#controller === null) this.#ending = () => this.reset(error)
    else if (!this.#left) this.#controller.close(error)
  }

  /** A reader in this process, unlike a socket, pulls once for every read. */
  #open(controller: ReadableStreamDirectController): void {
    if (this.#controller !== null) return
    this.#controller = controller
    for (const piece of this.#early ?? []) this.write(piece)
    this.#early = null
    this.#owner.opened()
    if (!this.#full) this.#endIfDue()
  }

  /** @param drained also kept once the client has left */
  async #fill(drained: Promise<number>): Promise<void> {
    this.#full = true
    this.#owner.filled()
    await drained
    this.#full = false
    this.#backlogBytes = 0
    if (this.#left) return
    this.#owner.drained()
    this.#endIfDue()
  }

  #endWith(ending: () => void): void {
    this.#ending = ending
    if (this.#controller !== null && !this.#full) this.#endIfDue()
  }

  #endIfDue(): void {
    const ending = this.#ending
    this.#ending = null
    if (ending !== null && !this.#left) ending()
  }

  #leave(): void {
    this.#left = true
    this.#full = false
    this.#owner.left()
  }
}

/**
 * Time for bytes handed to the system to arrive: at a megabyte a second, and through buffers of
 * some megabytes.
 */
const arrivalMs = (sentBytes: number): number => Math.min(5000, 50 + sentBytes / 1000)
