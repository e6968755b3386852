import { describe, expect, test } from 'bun:test'
import type { Ms, Ticks } from '../../src/domain/clock'
import { openClockJumps } from '../../src/domain/clock-jumps'
import { openSyncedClock } from '../../src/domain/synced-clock'
import { handClock } from '../storage/folder'

describe('a clock beside one that never jumps', () => {
  test('jumped by what it was set, and not by the time that passed', () => {
    const clock = handClock()
    const jumps = openClockJumps(clock, clock, 60_000)
    const pass = (ms: number) => clock.set(clock.now() + ms)
    pass(3_600_000)
    expect(jumps.look()).toBe(0)
    clock.jump(7_200_000)
    pass(50)
    expect([jumps.look(), jumps.look(), jumps.forwardMs()]).toEqual([7_200_000, 0, 7_200_000])
    pass(50_000)
    clock.jump(-7_200_000)
    expect([jumps.look(), jumps.forwardMs()]).toEqual([-7_200_000, 0])
  })

  test('is not said to have jumped while it is slewed', () => {
    const clock = handClock()
    const jumps = openClockJumps(clock, clock, 60_000)
    for (let seconds = 0; seconds < 3600; seconds++) {
      clock.set(clock.now() + 1000)
      clock.jump(0.5)
      expect(jumps.look()).toBe(0)
    }
  })

  test('remembers how far it was set forward for a while, less what was taken back', () => {
    const clock = handClock()
    const jumps = openClockJumps(clock, clock, 60_000)
    for (const ms of [10_000, 5000, -7000]) {
      clock.jump(ms)
      jumps.look()
      clock.set(clock.now() + 100)
    }
    expect(jumps.forwardMs()).toBe(8000)
    clock.set(clock.now() + 60_000)
    jumps.look()
    expect(jumps.forwardMs()).toBe(0)
  })
})

describe("a clock that follows another machine's", () => {
  test('is its own until it has read the other, and then does not care how that is set', () => {
    const clock = handClock()
    const synced = openSyncedClock(clock, clock)
    expect(synced.now()).toBe(clock.now())
    const there = (clock.now() + 3_600_000) as Ms
    synced.sync({ at: there, sent: clock.ticks(), received: clock.ticks() })
    clock.jump(-86_400_000)
    expect(synced.now()).toBe(there)
    clock.set(clock.now() + 1000)
    expect(synced.now()).toBe((there + 1000) as Ms)
  })

  test('goes by a reading as far as its way allows, and never back for a slow one', () => {
    const clock = handClock()
    const synced = openSyncedClock(clock, clock)
    const there = clock.now()
    synced.sync({ at: there, sent: clock.ticks(), received: clock.ticks() })
    clock.set(clock.now() + 400)
    // It was read at once, and the answer took 300 ms.
    const sent = (clock.ticks() - 300) as Ticks
    synced.sync({ at: (there + 100) as Ms, sent, received: clock.ticks() })
    expect(synced.now()).toBe((there + 400) as Ms)
    // Another database, as after a failover.
    synced.sync({ at: (there - 5000) as Ms, sent: clock.ticks(), received: clock.ticks() })
    expect(synced.now()).toBe((there - 5000) as Ms)
  })
})
