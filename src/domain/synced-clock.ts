import type { Clock, Monotonic, Ms, Ticks } from './clock'

/** What one reading of another machine's clock says. */
export interface ClockReading {
  readonly at: Ms
  /** It was read between these two. */
  readonly sent: Ticks
  readonly received: Ticks
}

/** A clock that follows another machine's, whatever its own machine says. */
export interface SyncedClock extends Clock {
  sync(reading: ClockReading): void
}

/**
 * Opens a clock that is its own machine's until the first reading, and from then on the other one's, carried on by the
 * monotonic clock.
 */
export function openSyncedClock(own: Clock, monotonic: Monotonic): SyncedClock {
  let origin: number | null = null
  return {
    now: () => (origin === null ? own.now() : (Math.floor(origin + monotonic.ticks()) as Ms)),
    sync({ at, sent, received }) {
      // A reading tells as much as its way took: within that, one is no better than another.
      const [least, most] = [at - received, at + 1 - sent]
      if (origin === null || origin < least || origin > most) origin = (least + most) / 2
    },
  }
}
