/** Failure of a request that was called off. */
export class CalledOff extends Error {
  constructor() {
    super('the request was called off')
    this.name = 'CalledOff'
  }
}

/**
 * One request that may be called off at any moment until its reply is over.
 * A class, as all that every call makes: each closure of its own would be two more objects a call.
 */
export class Attempt {
  calledOff = false
  /** A byte of it was handed to a socket: the server may act on it, whatever becomes of the reply. */
  handed = false
  #drop: (() => void) | null = null

  /** Drops what carries it now. Later calls do nothing. */
  readonly callOff = (): void => {
    if (this.calledOff) return
    this.calledOff = true
    this.#drop?.()
  }

  /** Whoever carries it from now on says how it is dropped. */
  carriedBy(drop: () => void): void {
    this.#drop = drop
    if (this.calledOff) drop()
  }
}
