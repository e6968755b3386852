/** Shorter content is joined: an event costs as much as some hundred bytes. */
export const shortChunkBytes = 64

/** Shared by all connections: empty between two pushes. */
const joined = new Uint8Array(16_384)

/** Content of short chunks that arrived together, passed on as one piece. One for each connection. */
export class ShortChunks {
  #bytes = 0
  readonly #emit: (bytes: Uint8Array) => void

  /** @param emit its bytes are lent until it returns */
  constructor(emit: (bytes: Uint8Array) => void) {
    this.#emit = emit
  }

  /** @param to less than `shortChunkBytes` behind `from` */
  add(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > joined.length - this.#bytes) this.flush()
    for (let at = from; at < to; at++) joined[this.#bytes++] = bytes[at] ?? 0
  }

  /** Passes on what was added. */
  flush(): void {
    if (this.#bytes === 0) return
    const content = joined.subarray(0, this.#bytes)
    this.#bytes = 0
    this.#emit(content)
  }
}
