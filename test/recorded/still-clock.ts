import { setSystemTime, spyOn } from 'bun:test'

/** A clock of the whole process that stands still between the steps of a test. */
export interface StillClock {
  /** Moves it on. */
  pass(ms: number): void
  /** Sets it. @param moment ISO date and time */
  set(moment: string): void
  /** Lets time pass by itself again. */
  release(): void
}

/** Stops the clock, the wall's and the monotonic one; ids sort by it too. @param start ISO date and time */
export function stopClock(start: string): StillClock {
  let now = Date.parse(start)
  setSystemTime(now)
  const began = now
  const ticks = spyOn(performance, 'now').mockImplementation(() => 1000 + now - began)
  let made = 0
  /** Version 7 (RFC 9562): 48 bits of time, then a count in the place of chance. */
  const nextId = (encoding?: string): unknown => {
    const time = now.toString(16).padStart(12, '0')
    const hex = `${time}70008000${(++made).toString(16).padStart(12, '0')}`
    if (encoding === 'buffer') return Buffer.from(hex, 'hex')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
  const ids = spyOn(Bun, 'randomUUIDv7').mockImplementation(nextId as never)
  return {
    pass(ms) {
      now += ms
      setSystemTime(now)
    },
    set(moment) {
      now = Date.parse(moment)
      setSystemTime(now)
    },
    release() {
      ticks.mockRestore()
      ids.mockRestore()
      setSystemTime()
    },
  }
}
