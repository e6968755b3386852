/**
 * Turns of the event loop. What one turn has to send goes out together at its end: a send wakes
 * whoever waits for it, which costs more than to make what is sent, and one that is awake already
 * need not be woken again.
 */
export interface WriteBatcher {
  /** Does this when the turn is over, after what was handed in before. It must not throw. */
  atEnd(work: () => void): void
  /** Resolves when the turn is over. */
  over(): Promise<void>
}

/** So many wait for no more: of a turn with a thousand things to do the first would wait for the last. */
export const maxTogether = 16

/** Opens the batcher of a process. */
export function openTurn(): WriteBatcher {
  let works: (() => void)[] = []
  let waiting = 0
  let ending = Promise.withResolvers<void>()
  let scheduled = false

  const end = () => {
    const due = works
    works = []
    for (const work of due) work()
    if (waiting === 0) return
    waiting = 0
    const { resolve } = ending
    ending = Promise.withResolvers()
    resolve()
  }

  const endLater = () => {
    if (works.length + waiting >= maxTogether) return end()
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      end()
    })
  }

  return {
    atEnd(work) {
      works.push(work)
      endLater()
    },
    over() {
      waiting++
      const { promise } = ending
      endLater()
      return promise
    },
  }
}
