import type { Slice } from './slice'

/** What others were told of running calls: those who look at a scope see what all nodes hold. */
export class ReportedHolds {
  readonly #told = new Map<Slice, number>()

  /** The next exchange says what is held of it. */
  say(slice: Slice): number {
    const { held } = slice
    if (held > 0) this.#told.set(slice, held)
    else this.#told.delete(slice)
    return held
  }

  /** Those of which something else is held by now. */
  *stale(): Generator<Slice> {
    for (const [slice, held] of this.#told) if (slice.held !== held) yield slice
  }
}
