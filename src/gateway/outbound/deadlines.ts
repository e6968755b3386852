import type { Monotonic, Ticks } from '../../domain/clock'

/**
 * Deadline: something that happens at a time, unless it is called off before. Whoever waits is its own
 * place in the list: a place that keeps its waiter would be one more object for each call.
 */
export abstract class Deadline {
  at = 0 as Ticks
  /** It is in the list. */
  waits = false
  before: Deadline | null = null
  after: Deadline | null = null
  /** It is time. */
  abstract expire(): void
  /** Told at each look at which it is not time yet. */
  lasts(): void {}
}

/** No deadline: only told at each look that it lasts. */
export const never = Number.POSITIVE_INFINITY as Ticks

/** Deadlines of all calls, with one timer between them: a timer of its own would cost each call more. */
export interface Deadlines {
  /** One that is in the list already gets another time. */
  add(deadline: Deadline, at: Ticks): void
  /** Nothing happens to one that is not in the list. */
  remove(deadline: Deadline): void
  /** Those in the list. */
  all(): readonly Deadline[]
}

/** How late a deadline may be noticed, and how late one is told that it lasts. */
const lookEveryMs = 50

/**
 * A list whose members take themselves out and forget their neighbours. In a set, places that were
 * given up keep later ones, and with them whole calls, alive until the next full collection.
 */
export function openDeadlines(monotonic: Monotonic): Deadlines {
  let first: Deadline | null = null
  let looking: ReturnType<typeof setInterval> | null = null

  const remove = (one: Deadline) => {
    one.waits = false
    if (one.before !== null) one.before.after = one.after
    else if (first === one) first = one.after
    if (one.after !== null) one.after.before = one.before
    one.before = null
    one.after = null
  }

  const all = (): readonly Deadline[] => {
    const found: Deadline[] = []
    for (let one = first; one !== null; one = one.after) found.push(one)
    return found
  }

  const look = () => {
    const now = monotonic.ticks()
    for (const one of all()) {
      // What expired before may have called it off.
      if (!one.waits) continue
      if (one.at > now) {
        one.lasts()
        continue
      }
      remove(one)
      one.expire()
    }
    if (first !== null || looking === null) return
    clearInterval(looking)
    looking = null
  }

  return {
    add(one, at) {
      one.at = at
      if (one.waits) return
      looking ??= setInterval(look, lookEveryMs).unref()
      one.waits = true
      one.after = first
      if (first !== null) first.before = one
      first = one
    },
    remove,
    all,
  }
}
