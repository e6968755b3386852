import { describe, expect, test } from 'bun:test'
import { openLoopLag, watchLoopLag } from '../../src/gateway/limits/loop-lag'

interface Played {
  readonly limit?: number
  /** Share of the time in which the loop's thread had a processor. */
  readonly share?: number
  readonly queued?: number
  readonly quota?: number
}

/** Ticks that come so many milliseconds late; whether it was overloaded after each. */
function played(
  late: readonly number[],
  { limit = 200, share = 0.9, queued = 10, quota = 1 }: Played = {},
): readonly boolean[] {
  let now = 5000
  let used = 700
  const lag = openLoopLag({
    limitMs: () => limit,
    queued: () => queued,
    usedMs: () => used,
    quota,
  })
  lag.tick(now)
  return late.map((ms) => {
    used += share * (100 + ms)
    lag.tick((now += 100 + ms))
    return lag.overloaded
  })
}

const lateForLong = [250, 250, 250, 250, 250, 250]

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

  test('is not overloaded where others have the machine', () => {
    // Ten busy programs beside it on two cores.
    expect(played(lateForLong, { share: 2 / 11 })).not.toContain(true)
    expect(played(lateForLong, { share: 0 })).not.toContain(true)
    // Another process of the same gateway, for each of two cores.
    expect(played(lateForLong, { share: 1 / 2 })).toContain(true)
  })

  test('is overloaded where it uses up what its container may have', () => {
    expect(played(lateForLong, { share: 0.2, quota: 0.2 })).toContain(true)
    expect(played(lateForLong, { share: 0.05, quota: 0.2 })).not.toContain(true)
  })

  test('is not overloaded without calls in progress: refusing some would help nothing', () => {
    expect(played(lateForLong, { queued: 0 })).not.toContain(true)
    expect(played(lateForLong, { queued: 1 })).toContain(true)
  })

  test('may be late as the setting says, or as it will', () => {
    expect(played([199, 200, 200, 200, 200, 200])).not.toContain(true)
    expect(played([300, 300, 300, 300, 300], { limit: 1000 })).not.toContain(true)
    expect(played([900, 900, 900, 900, 900], { limit: 0 })).not.toContain(true)
  })
})

describe('a watch over this process', () => {
  const lateMs = 250

  /** Makes the loop late for nearly two seconds. @returns what was told of it */
  async function watched(spend: () => void): Promise<readonly boolean[]> {
    const told: boolean[] = []
    const watch = watchLoopLag({ limitMs: () => 50, queued: () => 1 }, (is) => told.push(is))
    await Bun.sleep(150)
    for (const until = performance.now() + 1900; performance.now() < until; await Bun.sleep(0))
      spend()
    watch.close()
    return told
  }

  test('tells of lag that the work of its thread makes', async () => {
    const work = () => {
      const { user, system } = process.threadCpuUsage()
      for (;;) {
        const now = process.threadCpuUsage()
        if (now.user + now.system - user - system > lateMs * 1000) return
      }
    }
    const before = process.threadCpuUsage()
    const began = performance.now()
    const told = await watched(work)
    const { user, system } = process.threadCpuUsage(before)
    // A machine on which others take more than that calls it theirs, as it should.
    const isOwn = (user + system) / 1000 > 0.6 * (performance.now() - began)
    expect(told).toEqual(isOwn ? [true] : told.slice(0, 1))
  })

  test('tells of none while its thread waits for a processor', async () => {
    expect(await watched(() => Bun.sleepSync(lateMs))).toEqual([])
  })
})
