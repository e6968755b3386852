/** Turns of the event loop, counted as long as somebody asks. */
let turn = 0
let isCounted = false

function currentTurn(): number {
  if (!isCounted) {
    isCounted = true
    setImmediate(() => {
      isCounted = false
      turn++
    })
  }
  return turn
}

/**
 * How much of one turn of the event loop one socket may take. One read of the runtime's holds half a megabyte,
 * which is 87,000 frames of nothing: hours of speech would not be as many.
 */
export class TurnShare {
  #turn = -1
  #taken = 0
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** @returns false where the rest has to wait for another turn */
  take(): boolean {
    const now = currentTurn()
    if (now !== this.#turn) {
      this.#turn = now
      this.#taken = 0
    }
    return ++this.#taken <= this.#max
  }
}
