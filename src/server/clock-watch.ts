import { newestSlackMs, type Clock, type Monotonic, type Ms } from '../domain/clock'
import { openClockJumps } from '../domain/clock-jumps'
import type { Log } from '../gateway/observability/log'

interface ClockWatchParts {
  readonly clock: Clock
  readonly monotonic: Monotonic
  readonly log: Log
  /** When the newest row was written, by the clock of whoever wrote it; null for none. */
  readonly newest: Ms | null
}

const lookEveryMs = 1000
/**
 * Logs a clock that is behind the newest row, and each jump of it from now on.
 * @returns ends the watch
 */
export function watchClock({ clock, monotonic, log, newest }: ClockWatchParts): () => void {
  const behindMs = newest === null ? 0 : newest - clock.now()
  if (newest !== null && behindMs > newestSlackMs)
    log.error('clock is behind the newest row', {
      behindMs,
      newest: new Date(newest).toISOString(),
    })
  const jumps = openClockJumps(clock, monotonic, 0)
  const timer = setInterval(() => {
    const jumpedMs = jumps.look()
    if (jumpedMs !== 0) log.warn('wall clock jumped', { jumpedMs })
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
