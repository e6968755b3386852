/**
 * Part of an answer. Text is written as text: the runtime encodes it while it writes, which costs
 * half as much as encoding it here.
 */
export type Piece = string | Uint8Array<ArrayBuffer>

/** Who fills a client's stream. */
export interface ClientStreamOwner {
  /** The client has read what had filled its buffer. */
  drained(): void
  /** The client has disconnected. */
  left(): void
}

/** Bytes buffered for a slow client; above it the owner pauses the vendor. */
const maxBufferedBytes = 65_536
/** Interval of checks for whether a slow client has caught up. */
const pollMs = 10

/** The client's end of a relayed answer: a response body with a bounded buffer. */
export class ClientStream {
  readonly body: ReadableStream<Piece>
  readonly #owner: ClientStreamOwner
  #controller: ReadableStreamDefaultController<Piece> | null = null
  #left = false
  #draining = false

  constructor(owner: ClientStreamOwner) {
    this.#owner = owner
    this.body = new ReadableStream<Piece>(
      {
        start: (controller) => void (this.#controller = controller),
        cancel: () => {
          this.#left = true
          owner.left()
        },
      },
      { highWaterMark: maxBufferedBytes, size: sizeOf },
    )
  }

  write(piece: Piece): void {
    this.#controller?.enqueue(piece)
  }

  /**
   * @returns whether the buffer is full; the owner hears when it has drained. It is polled: a
   *   stream that is told of every read costs each chunk more than the rest of its way
   */
  full(): boolean {
    if (this.#draining) return true
    if (!this.#isFull()) return false
    this.#draining = true
    const poll = () => {
      if (this.#isFull()) return void setTimeout(poll, pollMs)
      this.#draining = false
      this.#owner.drained()
    }
    setTimeout(poll, pollMs)
    return true
  }

  close(): void {
    this.#controller?.close()
  }

  /** Resets the connection at once. */
  fail(cause: unknown): void {
    this.#controller?.error(cause)
  }

  /** Resets the connection once all is handed over and had `arrivalMs` to arrive. */
  breakOff(arrivalMs: number): void {
    const controller = this.#controller
    if (this.#left || controller === null) return
    if (controller.desiredSize === maxBufferedBytes) setTimeout(() => controller.error(), arrivalMs)
    else setTimeout(() => this.breakOff(arrivalMs), pollMs)
  }

  #isFull(): boolean {
    return (this.#controller?.desiredSize ?? 1) <= 0
  }
}

/** Characters of text stand for its bytes. */
const sizeOf = (piece: Piece | undefined): number =>
  typeof piece === 'string' ? piece.length : (piece?.byteLength ?? 0)
