import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Ticks } from '../../src/domain/clock'
import { openBuckets, isFull, openBucket, take } from '../../src/gateway/limits/token-bucket'

const minuteMs = 60_000

/** The plainest bucket there can be, in whole numbers: sixty-thousandths of a token. */
function openModel(limit: number, start: number) {
  let parts = limit * minuteMs
  let at = start
  let most = limit
  return {
    take(now: number, to: number): boolean {
      if (to > most) parts += (to - most) * minuteMs
      most = to
      parts = Math.min(parts, to * minuteMs)
      // A clock that goes back refills nothing, and the time is not counted twice.
      parts = Math.min(to * minuteMs, parts + Math.max(0, now - at) * to)
      at = now
      if (parts < minuteMs) return false
      parts -= minuteMs
      return true
    },
    missingMs: (limitNow: number) => (minuteMs - parts) / limitNow,
    parts: () => parts,
  }
}

const limits = fc.constantFrom(1, 2, 7, 60, 600)
const steps = fc.array(
  fc.record({
    passMs: fc.oneof(
      fc.constantFrom(0, 1, 1000, 59_999, 60_000),
      fc.integer({ min: -5000, max: 90_000 }),
    ),
    // Mostly the same limit; now and then a command changes it.
    limit: fc.option(limits, { freq: 6 }),
  }),
  { maxLength: 200, size: 'max' },
)

describe('a token bucket', () => {
  test('any takes, waits, clocks that go back and limits that change agree with the plain model', () => {
    fc.assert(
      fc.property(limits, steps, (first, all) => {
        let limit = first
        let now = 1_000_000
        const bucket = openBucket(limit, now as Ticks)
        const model = openModel(limit, now)
        for (const step of all) {
          now += step.passMs
          limit = step.limit ?? limit
          const seconds = take(bucket, limit, now as Ticks)
          const taken = model.take(now, limit)
          // Fractions of a token are not exact in the bucket: at the edge it may go either way.
          const edge = Math.abs(model.parts() - (taken ? 0 : minuteMs)) < 1e-3
          if (edge && (seconds === 0) !== taken) return
          expect(seconds === 0).toBe(taken)
          expect(bucket.tokens * minuteMs).toBeCloseTo(model.parts(), 3)
          expect(bucket.tokens).toBeLessThanOrEqual(limit)
          if (!taken) {
            const least = model.missingMs(limit) / 1000
            expect(seconds).toBeGreaterThanOrEqual(Math.floor(least))
            expect(seconds).toBeLessThanOrEqual(Math.ceil(least) + 1)
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('whoever waits as long as told has a token, and a second less is not enough', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(30_000), (limit, passedMs) => {
        const bucket = openBucket(limit, 0 as Ticks)
        for (let count = 0; count < limit; count++) take(bucket, limit, 0 as Ticks)
        const begin = Math.min(passedMs, minuteMs / limit - 1)
        const seconds = take(bucket, limit, begin as Ticks)
        expect(seconds).toBeGreaterThan(0)
        if (seconds > 1)
          expect(take({ ...bucket }, limit, (begin + (seconds - 1) * 1000 - 1) as Ticks)).not.toBe(
            0,
          )
        expect(take(bucket, limit, (begin + seconds * 1000) as Ticks)).toBe(0)
      }),
    )
  })

  test('lets through no more in a minute than twice its limit, however they come', () => {
    fc.assert(
      fc.property(
        limits,
        fc.array(fc.nat(400), { minLength: 300, maxLength: 900 }),
        (limit, waits) => {
          const bucket = openBucket(limit, 0 as Ticks)
          const taken: number[] = []
          let now = 0
          for (const waitMs of waits) {
            now += waitMs
            if (take(bucket, limit, now as Ticks) === 0) taken.push(now)
          }
          for (const from of taken) {
            const inMinute = taken.filter((at) => at >= from && at < from + minuteMs).length
            expect(inMinute).toBeLessThanOrEqual(limit * 2)
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  test('is full when nothing would be lost by forgetting it', () => {
    const bucket = openBucket(60, 0 as Ticks)
    take(bucket, 60, 0 as Ticks)
    expect(isFull(bucket, 999 as Ticks)).toBe(false)
    expect(isFull(bucket, 1000 as Ticks)).toBe(true)
  })
})

describe('many buckets', () => {
  test('are kept as long as they are not full, and forgotten when there are too many', () => {
    const buckets = openBuckets<number>()
    const used = buckets.of(-1, 1, 0 as Ticks)
    take(used, 1, 0 as Ticks)
    for (let name = 0; name < 50_000; name++) buckets.of(name, 1, 0 as Ticks)
    expect(buckets.of(-1, 1, 1000 as Ticks)).toBe(used)
    const idle = buckets.of(7, 1, 1000 as Ticks)
    for (let name = 50_000; name < 150_000; name++) buckets.of(name, 1, 1000 as Ticks)
    expect(buckets.of(-1, 1, 1000 as Ticks)).toBe(used)
    expect(buckets.of(7, 1, 1000 as Ticks)).not.toBe(idle)
  })
})
