/** How long a vendor may take to close after the end of its answer. */
const lingerMs = 1000

/**
 * A vendor's connection behind a whole answer: read to the vendor's own end, it can serve again.
 */
export class Linger {
  #hasEnded = false
  #timer: ReturnType<typeof setTimeout> | null = null

  /** The vendor's response is read to its end, or its connection broke. */
  ended(): void {
    this.#hasEnded = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  /** @param abort drops the connection, where the vendor does not end in time */
  begin(abort: () => void): void {
    if (!this.#hasEnded) this.#timer = setTimeout(abort, lingerMs)
  }
}
