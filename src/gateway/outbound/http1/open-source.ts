import type { ByteSink, ByteSource, KeptSource } from './reply'

/** A source and the end at which it is filled. */
export interface OpenSource {
  readonly source: KeptSource
  readonly sink: ByteSink
}

/** Backpressure on the place that the bytes come from. */
export interface Flow {
  pause(): void
  resume(): void
}

/** Bytes that may wait for a reader before their sender has to. */
const maxWaitingBytes = 262_144

type Waiting = { resolve(piece: Uint8Array | null): void; reject(cause: Error): void }

/**
 * Opens a source with its sink: bytes go to whoever reads, and are buffered until then, with backpressure.
 */
export function openSource(flow: Flow): OpenSource {
  const both = new HandOver(flow)
  return { source: both, sink: both }
}

const noPieces: Uint8Array[] = []

/** A class, since every call makes one: a dozen closures would be two dozen objects. */
class HandOver implements KeptSource, ByteSink {
  readonly #flow: Flow
  /** The list of nobody until something has to wait. */
  #pieces = noPieces
  #waitingBytes = 0
  #paused = false
  #over = false
  #failure: Error | null = null
  #reader: Waiting | null = null
  #taker: ByteSink | null = null

  constructor(flow: Flow) {
    this.#flow = flow
  }

  rest(): Uint8Array | null {
    if (!this.#over || this.#failure !== null || this.#pieces.length !== 1) return null
    return this.#pieces.pop() ?? null
  }

  read(): Promise<Uint8Array | null> {
    const piece = this.#pieces.shift()
    if (piece !== undefined) {
      this.#waitingBytes -= piece.byteLength
      if (this.#waitingBytes < maxWaitingBytes) this.resume()
      return Promise.resolve(piece)
    }
    if (this.#failure !== null) return Promise.reject(this.#failure)
    if (this.#over) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
    })
  }

  flow(sink: ByteSink): void {
    const waiting = this.#pieces
    this.#pieces = noPieces
    this.#waitingBytes = 0
    // What waited is taken; the sink may say at once that it has enough of it.
    const held = this.#paused
    this.#paused = false
    for (const piece of waiting) sink.data(piece)
    this.#taker = sink
    if (this.#over) this.#finish()
    else if (held && !this.#paused) this.#flow.resume()
  }

  pause(): void {
    if (this.#paused || this.#over) return
    this.#paused = true
    this.#flow.pause()
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#flow.resume()
  }

  data(bytes: Uint8Array): void {
    if (this.#taker !== null) return this.#taker.data(bytes)
    const piece = new Uint8Array(bytes)
    if (this.#reader !== null) {
      const waiting = this.#reader
      this.#reader = null
      return waiting.resolve(piece)
    }
    if (this.#pieces === noPieces) this.#pieces = []
    this.#pieces.push(piece)
    this.#waitingBytes += piece.byteLength
    if (this.#waitingBytes >= maxWaitingBytes) this.pause()
  }

  end(): void {
    if (this.#over) return
    this.#over = true
    // Where it came from may serve others now.
    this.resume()
    this.#finish()
  }

  fail(cause: Error): void {
    if (this.#over) return
    this.#over = true
    this.#failure = cause
    this.#finish()
  }

  #finish(): void {
    const { resolve, reject } = this.#reader ?? {}
    this.#reader = null
    if (this.#taker !== null) {
      if (this.#failure === null) this.#taker.end()
      else this.#taker.fail(this.#failure)
    } else if (this.#failure === null) resolve?.(null)
    else reject?.(this.#failure)
  }
}

/** A body of nothing. */
export function emptySource(): ByteSource {
  const { source, sink } = openSource({ pause() {}, resume() {} })
  sink.end()
  return source
}

/**
 * Source that reads another in pieces of a maximum size: whoever looks at each sees no more at once. What
 * flows later comes as it comes, behind what is left of the last piece.
 */
export function sourceInPieces(source: ByteSource, maxBytes: number): ByteSource {
  let left: Uint8Array | null = null
  let paused = false
  const cut = (piece: Uint8Array | null): Uint8Array | null => {
    if (piece === null || piece.byteLength <= maxBytes) return piece
    left = piece.subarray(maxBytes)
    return piece.subarray(0, maxBytes)
  }
  const take = (): Uint8Array | null => {
    const next = left
    left = null
    return next
  }
  return {
    read() {
      const next = take()
      return next === null ? source.read().then(cut) : Promise.resolve(cut(next))
    },
    pause() {
      paused = true
      source.pause()
    },
    resume() {
      paused = false
      source.resume()
    },
    flow(sink) {
      const next = take()
      if (next !== null) sink.data(next)
      const hasEnough = paused
      source.flow(sink)
      // To flow is to resume: a sink that had enough of the piece still has.
      if (hasEnough) source.pause()
    },
  }
}
