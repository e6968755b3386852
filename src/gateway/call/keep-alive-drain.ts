/** How long a vendor may take to close after the end of its answer. */
const lingerMs = 1000
/** How long its usage is awaited once all of the answer has finished. */
const usageMs = 2000

/**
 * A vendor's connection behind an answer: read to the vendor's own end, it can serve again.
 */
export class Linger {
  #hasEnded = false
  #timer: ReturnType<typeof setTimeout> | null = null

  /** The vendor's response is read to its end, or its connection broke. */
  ended(): void {
    this.#hasEnded = true
    this.over()
  }

  /** Nothing is awaited any more. */
  over(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Behind an answer that has finished but for its usage. @param late called where the vendor says no more */
  awaitUsage(late: () => void): void {
    if (this.#hasEnded) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      late()
    }, usageMs)
  }

  /** Behind a whole answer. @param abort drops the connection, where the vendor does not end in time */
  begin(abort: () => void): void {
    this.over()
    if (!this.#hasEnded) this.#timer = setTimeout(abort, lingerMs)
  }
}
