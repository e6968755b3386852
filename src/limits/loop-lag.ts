/** Load shedding: whether the event loop has been late for so long that it cannot take more work. */
interface LoopLag {
  readonly overloaded: boolean
  /** One turn of the timer. @param now milliseconds of a clock that never jumps */
  tick(now: number): void
}

/** How often the timer is to come. */
const tickMs = 100
/** Shorter than this it is a burst, and refusing would only make clients come again. */
const sustainedMs = 1000
/** One turn may be late by seconds for a collection or a machine that slept; several in a row are not. */
const minLateTicks = 3

/**
 * Watches the loop of this process. @param onChange told when an overload begins and ends
 * @returns whether it is overloaded now, and what ends the watch
 */
export function watchLoopLag(limitMs: () => number, onChange: (overloaded: boolean) => void) {
  const lag = openLoopLag(limitMs)
  const timer = setInterval(() => {
    const before = lag.overloaded
    lag.tick(performance.now())
    if (lag.overloaded !== before) onChange(lag.overloaded)
  }, tickMs)
  timer.unref()
  return { overloaded: () => lag.overloaded, close: () => clearInterval(timer) }
}

/**
 * Overloaded while every tick of a second or longer came late; over with the first one that is in time.
 * @param limitMs lateness that is still well, read at each look; 0: any
 */
export function openLoopLag(limitMs: () => number): LoopLag {
  let due: number | null = null
  /** When the first of the ticks that came late in a row was due, and how many there were. */
  let lateSince = 0
  let lateTicks = 0
  let overloaded = false
  return {
    get overloaded() {
      return overloaded
    },
    tick(now) {
      const expected = due ?? now
      const limit = limitMs()
      due = now + tickMs
      if (limit === 0 || now - expected <= limit) {
        lateTicks = 0
        overloaded = false
        return
      }
      if (lateTicks++ === 0) lateSince = expected
      overloaded = lateTicks >= minLateTicks && now - lateSince >= sustainedMs
    },
  }
}
