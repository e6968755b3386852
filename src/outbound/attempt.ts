/** One request that may be called off at any moment until its reply is over. */
export interface Attempt {
  readonly calledOff: boolean
  /** Drops what carries it now. Later calls do nothing. */
  callOff(): void
  /** Whoever carries it from now on says how it is dropped. */
  carriedBy(drop: () => void): void
}

/** Its carrier was told to drop it. */
export class CalledOff extends Error {
  constructor() {
    super('the request was called off')
    this.name = 'CalledOff'
  }
}

export function openAttempt(): Attempt {
  let calledOff = false
  let stop: (() => void) | null = null
  return {
    get calledOff() {
      return calledOff
    },
    callOff() {
      if (calledOff) return
      calledOff = true
      stop?.()
    },
    carriedBy(drop) {
      stop = drop
      if (calledOff) drop()
    },
  }
}
