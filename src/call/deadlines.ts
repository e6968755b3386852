import type { Clock, Ms } from '../domain/clock'

/** Something that must happen by a time, unless it is called off before. */
export interface Deadline {
  readonly at: Ms
  expire(): void
}

/** Deadlines of all calls, with one timer between them: a timer of its own would cost each call more. */
export interface Deadlines {
  add(deadline: Deadline): void
  remove(deadline: Deadline): void
}

/** How late a deadline may be noticed. */
const lookEveryMs = 250

export function openDeadlines(clock: Clock): Deadlines {
  const waiting = new Set<Deadline>()
  const timer = setInterval(() => {
    if (waiting.size === 0) return
    const now = clock.now()
    for (const deadline of waiting)
      if (deadline.at <= now) {
        waiting.delete(deadline)
        deadline.expire()
      }
  }, lookEveryMs)
  timer.unref()
  return {
    add: (deadline) => void waiting.add(deadline),
    remove: (deadline) => void waiting.delete(deadline),
  }
}
