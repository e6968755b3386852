/**
 * Takes the bytes of a reply as they come. Bytes are only lent: what is kept is copied, and not by
 * `slice`, which of a Buffer is no copy.
 */
export interface ByteSink {
  data(bytes: Uint8Array): void
  end(): void
  /** The connection broke, or what came is no HTTP. */
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
  /** What is left, when all of it is here already; then there is no more to read. Null otherwise. */
  rest(): Uint8Array | null
}

/** What a server answers: its head is there, its body is on the way. */
export interface Reply {
  readonly status: number
  /** From 200 to 299. */
  readonly ok: boolean
  readonly headers: ReplyHeaders
  readonly source: ByteSource
  /** The whole body, at once where it is here. @throws Error when the connection breaks, or above `mostBodyBytes` */
  text(): string | Promise<string>
  /** Same, as it came: to join many pieces takes its time. */
  pieces(): readonly Uint8Array[] | Promise<readonly Uint8Array[]>
}

export interface ReplyHeaders {
  /** @param name in small letters @returns several of one name joined by commas; null for none */
  get(name: string): string | null
}

/** A body that is read whole must not fill the memory. */
export const mostBodyBytes = 256 * 1024 * 1024

const decoder = new TextDecoder()

/** @throws Error when the connection breaks, or above `mostBodyBytes` */
export function readText(source: KeptSource): string | Promise<string> {
  const rest = source.rest()
  if (rest !== null) return decoder.decode(rest)
  return readBytes(source).then((bytes) => decoder.decode(bytes))
}

/** @throws Error when the connection breaks, or above `mostBodyBytes` */
export const readBytes = (source: ByteSource): Promise<Uint8Array> =>
  flowing(source).then((pieces) => {
    const [only] = pieces
    return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces)
  })

/** @throws Error when the connection breaks, or above `mostBodyBytes` */
export function readPieces(
  source: KeptSource,
): readonly Uint8Array[] | Promise<readonly Uint8Array[]> {
  const rest = source.rest()
  return rest === null ? flowing(source) : [rest]
}

const flowing = (source: ByteSource): Promise<readonly Uint8Array[]> =>
  new Promise((resolve, reject) => {
    source.flow(new WholeBody(resolve, reject))
  })

/** Takes a body until it is whole. */
class WholeBody implements ByteSink {
  readonly #pieces: Uint8Array[] = []
  #sum = 0
  readonly #whole: (pieces: readonly Uint8Array[]) => void
  readonly #broken: (cause: Error) => void

  constructor(whole: (pieces: readonly Uint8Array[]) => void, broken: (cause: Error) => void) {
    this.#whole = whole
    this.#broken = broken
  }

  data(bytes: Uint8Array): void {
    this.#sum += bytes.byteLength
    if (this.#sum > mostBodyBytes) return this.#broken(new Error('the body never ends'))
    this.#pieces.push(new Uint8Array(bytes))
  }

  end(): void {
    this.#whole(this.#pieces)
  }

  fail(cause: Error): void {
    this.#broken(cause)
  }
}
