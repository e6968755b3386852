import type { Clock, Ms } from '../domain/clock'

/** Something that happens at a time, unless it is called off before. */
export interface Deadline {
  cancel(): void
}

/** Deadlines of all calls, with one timer between them: a timer of its own would cost each call more. */
export interface Deadlines {
  add(at: Ms, expire: () => void): Deadline
}

/** How late a deadline may be noticed. */
const lookEveryMs = 250

/**
 * A list whose members take themselves out and forget their neighbours. In a set, places that were
 * given up keep later ones, and with them whole calls, alive until the next full collection.
 */
interface Link {
  at: Ms
  expire: () => void
  before: Link | null
  after: Link | null
}

export function openDeadlines(clock: Clock): Deadlines {
  let first: Link | null = null

  const remove = (link: Link) => {
    if (link.before !== null) link.before.after = link.after
    else if (first === link) first = link.after
    if (link.after !== null) link.after.before = link.before
    link.before = null
    link.after = null
  }

  const look = () => {
    const now = clock.now()
    let link = first
    while (link !== null) {
      const next: Link | null = link.after
      if (link.at <= now) {
        remove(link)
        link.expire()
      }
      link = next
    }
  }
  setInterval(look, lookEveryMs).unref()

  return {
    add(at, expire) {
      const link: Link = { at, expire, before: null, after: first }
      if (first !== null) first.before = link
      first = link
      return { cancel: () => remove(link) }
    },
  }
}
