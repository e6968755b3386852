import {
  bufferMemory,
  freeBytes,
  type MemoryBudget,
  type MemoryLease,
} from '../../../domain/memory-budget'

/**
 * Takes the bytes of a reply as they come. Bytes are only lent: what is kept is copied, and not by
 * `slice`, which of a Buffer is no copy.
 */
export interface ByteSink {
  data(bytes: Uint8Array): void
  end(): void
  /** The connection broke, or the response is malformed HTTP. */
  fail(cause: Error): void
}

/** The bytes of a reply's body. Read piece by piece, until they are told to flow. */
export interface ByteSource {
  /** The next piece, null at the end. One at a time, and not after `flow`. @throws Error when the connection breaks */
  read(): Promise<Uint8Array | null>
  /** From now on every piece goes to the sink as it comes, those that wait at once. */
  flow(sink: ByteSink): void
  /** The sink has enough for now; a piece or two may still come. */
  pause(): void
  resume(): void
}

/** Bytes that are kept until somebody wants them. */
export interface KeptSource extends ByteSource {
  /** Remaining bytes when the whole body has arrived; nothing is left to read then. Null otherwise. */
  rest(): Uint8Array | null
}

/** Response of a server: its head is there, its body is on the way. */
export interface Reply {
  readonly status: number
  /** From 200 to 299. */
  readonly ok: boolean
  readonly headers: ReplyHeaders
  readonly source: ByteSource
  /** All of the body, where it has arrived; whoever takes it has read the body. Null otherwise. */
  rest(): Uint8Array | null
  /**
   * Whole body in the pieces in which it arrived: joining many is slow. Counted as buffered until `release`.
   * @throws Error when the connection breaks, or above `maxBytes` | MemoryBudgetExceeded
   */
  pieces(maxBytes: number): Promise<readonly Uint8Array[]>
  /** Nobody needs the whole body any more. */
  release(): void
}

/** Header fields of a response. */
export interface ReplyHeaders {
  /** @param name in small letters @returns several of one name joined by commas; null for none */
  get(name: string): string | null
}

/** Shorter ones are not worth it. */
const largePieceBytes = 65_536
/** So many pieces of less than so many bytes each are joined. */
const manyPieces = 1024
const shortPieceBytes = 512

/** A reply over a source of its own. A class, as all that every call makes. */
export class SourceReply implements Reply {
  readonly status: number
  readonly ok: boolean
  readonly headers: ReplyHeaders
  readonly source: KeptSource
  #whole: WholeBody | null = null

  constructor({ status, headers }: Pick<Reply, 'status' | 'headers'>, source: KeptSource) {
    this.status = status
    this.ok = status >= 200 && status < 300
    this.headers = headers
    this.source = source
  }

  rest(): Uint8Array | null {
    return this.source.rest()
  }

  pieces(maxBytes: number): Promise<readonly Uint8Array[]> {
    const rest = this.source.rest()
    if (rest === null) return this.#comingPieces(maxBytes)
    return rest.byteLength > maxBytes ? Promise.reject(tooLarge()) : Promise.resolve([rest])
  }

  #comingPieces(maxBytes: number): Promise<readonly Uint8Array[]> {
    return new Promise((resolve, reject) => {
      this.#whole = new WholeBody(resolve, reject, { maxBytes, memory: bufferMemory })
      this.source.flow(this.#whole)
    })
  }

  release(): void {
    this.#whole?.release()
  }
}

interface BodyLimits {
  readonly maxBytes: number
  readonly memory: MemoryBudget
}

const tooLarge = () => new Error('body larger than the limit')

/** Takes a body until it is whole, and answers for its memory until it is released. */
export class WholeBody implements ByteSink {
  #pieces: Uint8Array[] = []
  #sum = 0
  /** Pieces that are not joined any more. */
  #joined = 0
  #over = false
  #lease: MemoryLease | null = null
  readonly #limits: BodyLimits
  readonly #whole: (pieces: readonly Uint8Array[]) => void
  readonly #broken: (cause: Error) => void

  constructor(
    whole: (pieces: readonly Uint8Array[]) => void,
    broken: (cause: Error) => void,
    limits: BodyLimits,
  ) {
    this.#whole = whole
    this.#broken = broken
    this.#limits = limits
  }

  data(bytes: Uint8Array): void {
    if (this.#over) return
    this.#sum += bytes.byteLength
    if (this.#isDue() && !this.#mayGrow()) return
    this.#pieces.push(new Uint8Array(bytes))
    if (this.#pieces.length - this.#joined === manyPieces) this.#joinShort()
  }

  end(): void {
    if (this.#over) return
    this.#over = true
    const pieces = this.#pieces
    this.#pieces = []
    this.#whole(pieces)
  }

  fail(cause: Error): void {
    if (this.#over) return
    this.release()
    this.#broken(cause)
  }

  /** One that is not whole by now will never be. */
  release(): void {
    this.#over = true
    // Nobody else has them, and until the next collection they are memory that is not counted.
    for (const { buffer, byteLength } of this.#pieces)
      if (byteLength >= largePieceBytes && buffer instanceof ArrayBuffer) buffer.transfer(0)
    this.#pieces = []
    this.#lease?.release()
  }

  #isDue(): boolean {
    return this.#sum > freeBytes || this.#sum > this.#limits.maxBytes
  }

  /** Makes one piece of many short ones: an array of one byte takes a hundred. */
  #joinShort(): void {
    const short = this.#pieces.splice(this.#joined)
    const bytes = short.reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (bytes < manyPieces * shortPieceBytes)
      this.#pieces.push(new Uint8Array(Buffer.concat(short)))
    else this.#pieces.push(...short)
    this.#joined = this.#pieces.length
  }

  #mayGrow(): boolean {
    const { maxBytes, memory } = this.#limits
    try {
      if (this.#sum > maxBytes) throw tooLarge()
      this.#lease ??= memory.lease()
      this.#lease.grow(this.#sum)
      return true
    } catch (thrown) {
      this.fail(thrown instanceof Error ? thrown : new Error('response body cannot be buffered'))
      return false
    }
  }
}
