import { describe, expect, test } from 'bun:test'
import { openLoopLag } from '../../src/limits/loop-lag'

/** Ticks that come so many milliseconds late; whether it was overloaded after each. */
function played(late: readonly number[], limit = 200): readonly boolean[] {
  const lag = openLoopLag(() => limit)
  let now = 5000
  lag.tick(now)
  return late.map((ms) => {
    lag.tick((now += 100 + ms))
    return lag.overloaded
  })
}

describe('the event loop', () => {
  test('is overloaded once it was late for a second, until it is in time again', () => {
    expect(played([5, 250, 250, 250, 250, 5, 250])).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
      false,
    ])
  })

  test('is not overloaded by one collection, a machine that slept, or a burst', () => {
    expect(played([5000, 0, 0])).toEqual([false, false, false])
    expect(played([86_400_000, 5])).toEqual([false, false])
    expect(played([3000, 3000, 10])).toEqual([false, false, false])
  })

  test('may be late as the setting says, or as it will', () => {
    expect(played([199, 200, 200, 200, 200, 200])).not.toContain(true)
    expect(played([300, 300, 300, 300, 300], 1000)).not.toContain(true)
    expect(played([900, 900, 900, 900, 900], 0)).not.toContain(true)
  })
})
