import type { Clock, Ms } from '../domain/clock'

/**
 * Something that happens at a time, unless it is called off before. Whoever waits is its own place in
 * the list: a place that keeps its waiter would be one more object for each call.
 */
export abstract class Deadline {
  at = 0 as Ms
  /** It is in the list. */
  waits = false
  before: Deadline | null = null
  after: Deadline | null = null
  /** It is time. */
  abstract expire(): void
}

/** Deadlines of all calls, with one timer between them: a timer of its own would cost each call more. */
export interface Deadlines {
  /** One that is in the list already must be taken out first. */
  add(deadline: Deadline, at: Ms): void
  /** Nothing happens to one that is not in the list. */
  remove(deadline: Deadline): void
}

/** How late a deadline may be noticed. */
const lookEveryMs = 250

/**
 * A list whose members take themselves out and forget their neighbours. In a set, places that were
 * given up keep later ones, and with them whole calls, alive until the next full collection.
 */
export function openDeadlines(clock: Clock): Deadlines {
  let first: Deadline | null = null

  const remove = (one: Deadline) => {
    one.waits = false
    if (one.before !== null) one.before.after = one.after
    else if (first === one) first = one.after
    if (one.after !== null) one.after.before = one.before
    one.before = null
    one.after = null
  }

  const look = () => {
    const now = clock.now()
    const due: Deadline[] = []
    for (let one = first; one !== null; one = one.after) if (one.at <= now) due.push(one)
    for (const one of due) {
      // What expired before may have called it off.
      if (!one.waits) continue
      remove(one)
      one.expire()
    }
  }
  setInterval(look, lookEveryMs).unref()

  return {
    add(one, at) {
      one.at = at
      one.waits = true
      one.after = first
      if (first !== null) first.before = one
      first = one
    },
    remove,
  }
}
