import type { Clock, Ms } from '../domain/clock'

/**
 * Something that happens at a time, unless it is called off before. Whoever waits is its own place in
 * the list: a place that keeps its waiter would be one more object for each call.
 */
export abstract class Deadline {
  at = 0 as Ms
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
    if (one.before !== null) one.before.after = one.after
    else if (first === one) first = one.after
    if (one.after !== null) one.after.before = one.before
    one.before = null
    one.after = null
  }

  const look = () => {
    const now = clock.now()
    let one = first
    while (one !== null) {
      const next: Deadline | null = one.after
      if (one.at <= now) {
        remove(one)
        one.expire()
      }
      one = next
    }
  }
  setInterval(look, lookEveryMs).unref()

  return {
    add(one, at) {
      one.at = at
      one.after = first
      if (first !== null) first.before = one
      first = one
    },
    remove,
  }
}
