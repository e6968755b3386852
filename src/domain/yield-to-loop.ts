/** Bytes of text up to here are read in one turn of the event loop. */
export const oneTurnBytes = 1_048_576

/** Waiters for a turn, the first first. */
const waiting: (() => void)[] = []

/**
 * Lets everybody else have a turn of the event loop before the work goes on. Long work is cut into
 * slices of a few milliseconds with one of these between them. Of all that wait one goes on in a
 * turn: twenty slices together would be as long as what was cut.
 */
export const yieldToLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next)
  })

function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}
