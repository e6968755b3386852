import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Caller } from '../../../src/domain/caller'
import type { Ms } from '../../../src/domain/clock'
import { isOpen, type VideoJob } from '../../../src/domain/video-job'
import { cancelled, failed, next } from '../../../src/gateway/endpoints/videos/next'
import type { ReportedVideo } from '../../../src/gateway/vendors/video-status'
import { videoJob } from './job'

const caller = { account: { id: 1 }, project: { id: 1 }, key: { id: 1 } } as Caller
const hour = 3_600_000
const created = (1000 * hour) as Ms
const queued = videoJob(caller, created, { status: 'queued' })

const seen: fc.Arbitrary<ReportedVideo> = fc.oneof(
  fc.record({
    status: fc.constantFrom('queued' as const, 'in_progress' as const),
    progress: fc.oneof(
      fc.constant(null),
      fc.double({ min: -50, max: 500 }),
      fc.constant(Number.NaN),
    ),
  }),
  fc.record({
    status: fc.constant('completed' as const),
    url: fc.constant(null),
    expires: fc.oneof(
      fc.constant(null),
      fc.integer({ min: 0 }).map((each) => each as Ms),
    ),
  }),
  fc.record({
    status: fc.constant('failed' as const),
    fault: fc.constant('video_failed' as const),
  }),
)

const rank = { creating: 0, queued: 1, in_progress: 2, completed: 3, failed: 3, cancelled: 3 }

test('any order of looks takes a job forward only, and never away from its end', () => {
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 30 }), (all) => {
      let job: VideoJob = queued
      for (const [index, each] of all.entries()) {
        const after = next(job, each, (created + index) as Ms, null)
        expect(rank[after.status]).toBeGreaterThanOrEqual(rank[job.status])
        expect(after.progress).toBeGreaterThanOrEqual(job.progress)
        expect(after.progress === 100).toBe(after.status === 'completed')
        expect(Number.isInteger(after.progress)).toBe(true)
        if (!isOpen(job)) expect(after).toBe(job)
        job = after
      }
    }),
  )
})

test.each([0, -1e308, created])(
  'what is made is there for a while, though its vendor says %d',
  (expires) => {
    const made = next(
      queued,
      { status: 'completed', url: null, expires: expires as Ms },
      created,
      null,
    )
    expect(made.expires).toBe((created + 48 * hour) as Ms)
  },
)

test('nothing new is the same object: it needs no writing', () => {
  expect(next(queued, { status: 'queued', progress: 0 }, created, null)).toBe(queued)
})

test('a file is told to be there for 48 hours, or for as long as its vendor keeps it', () => {
  const now = (created + hour) as Ms
  const made = (expires: Ms | null, keepsMs: number | null) =>
    next(queued, { status: 'completed', url: null, expires }, now, keepsMs).expires
  expect(made(null, null)).toBe((created + 48 * hour) as Ms)
  expect(made(null, 24 * hour)).toBe((now + 24 * hour) as Ms)
  expect(made((now + hour) as Ms, 24 * hour)).toBe((now + hour) as Ms)
  expect(made((now + 100 * hour) as Ms, null)).toBe((created + 48 * hour) as Ms)
})

test('what is over is neither failed nor cancelled afterwards', () => {
  const over = failed(queued, 'video_lost', created)
  expect(over).toMatchObject({ status: 'failed', error: 'video_lost' })
  expect(cancelled(over, created)).toBe(over)
  expect(failed(cancelled(queued, created), 'video_lost', created).status).toBe('cancelled')
})
