import type { Clock, Ms, Random } from '../../domain/clock'
import type { VideoId } from '../../domain/ids'
import { isOpen, isRefunded, type VideoJob } from '../../domain/video-job'
import type { Ledger } from '../../ledger/ledger'
import { openLanes } from './lanes'
import { cancelled, failed, next } from './next'
import { firstLook, pauseMs } from './pace'
import { openSchedule } from './schedule'
import type { VideoStore } from './store'
import type { Looked } from './vendor-side'

/** Looks after every job until it is over, whether or not anybody asks for it. */
export interface Runner {
  /** Takes on what is open in the database. */
  start(): void
  /** Takes on a job that was just accepted. */
  add(job: VideoJob): void
  /** The same for one that nobody was told of: it is given up as soon as it is written down. */
  abandon(job: VideoJob): void
  /**
   * Gives up an open job for its owner, durably.
   * @returns null when it is over already
   * @throws what the database throws; nothing is changed then
   */
  cancel(job: VideoJob): VideoJob | null
  /** Has the vendor forget a job. */
  forget(job: VideoJob): void
  /** How many jobs are open. */
  open(): number
  /** Does what is due by now; the runner's own timer calls it. */
  step(): void
  /** Writes what waits and stops; what is open is gone on with by the next start. */
  close(): void
}

export interface RunnerParts {
  readonly clock: Clock
  readonly random: Random
  readonly store: VideoStore
  readonly ledger: Pick<Ledger, 'refunded' | 'flush'>
  /** Never throws. */
  look(job: VideoJob): Promise<Looked>
  /** Never throws. */
  giveUp(job: VideoJob): Promise<void>
  /** How often this vendor's jobs are worth a look. */
  paceMs(job: VideoJob): number
  /** Told when the database did not write; nothing is lost, it is tried again. */
  onFault(fault: unknown): void
  /** Told when looks at a job come to nothing again and again. */
  onTrouble(job: VideoJob, cause: unknown): void
}

/** DESIGN section 10: an open job older than this fails and is refunded. */
const longestMs = 30 * 60_000
/** After a start, time for one look at what ran out meanwhile: it may be made by now. */
const graceMs = 60_000
/** A vendor may not know a job yet that it has just accepted. */
const mostMissing = 3
const troubleAfter = 5
const stepMs = 50
/** However far away the next thing is, the clock is looked at so often. */
const longestSleepMs = 1000
const mostRunning = 16
const mostPerStep = 16

interface Tended {
  job: VideoJob
  /** Nobody was told of it: once it is written down it is given up. */
  readonly unwanted: boolean
  failures: number
  missing: number
}

type Errand = { readonly tended: Tended } | { readonly forget: VideoJob }

export function openRunner(parts: RunnerParts): Runner {
  const { clock, random, store, ledger } = parts
  const tended = new Map<VideoId, Tended>()
  const looks = openSchedule<Tended>()
  const deadlines = openSchedule<Tended>()
  /** Decided, and not yet written: the newest of each job. */
  const changes = new Map<VideoId, VideoJob>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let timerAt = Infinity
  let closed = false

  const wake = () => {
    if (closed) return
    const busy = lanes.waiting() || changes.size > 0
    const now = clock.now()
    const due = Math.min(looks.next() ?? Infinity, deadlines.next() ?? Infinity) - now
    if (!busy && due === Infinity) return
    const sleepMs = busy ? stepMs : Math.min(Math.max(due, stepMs), longestSleepMs)
    if (timer !== null && timerAt <= now + sleepMs) return
    if (timer !== null) clearTimeout(timer)
    timerAt = now + sleepMs
    timer = setTimeout(() => {
      timer = null
      step()
    }, sleepMs)
    timer.unref()
  }

  const write = () => {
    if (changes.size === 0) return
    const jobs = [...changes.values()]
    try {
      ledger.refunded(store.advance(jobs, jobs.some(isRefunded)))
      changes.clear()
    } catch (fault) {
      parts.onFault(fault)
      // One that cannot be written must not keep the others from it.
      for (const job of jobs) writeAlone(job)
    }
  }

  const writeAlone = (job: VideoJob) => {
    try {
      ledger.refunded(store.advance([job], isRefunded(job)))
      changes.delete(job.id)
    } catch {
      // It stays among the changes, and was told already.
    }
  }

  /** Takes a job forward; what is over is let go. */
  const change = (one: Tended, to: VideoJob) => {
    if (to === one.job) return
    one.job = to
    changes.set(to.id, to)
    if (!isOpen(to)) tended.delete(to.id)
  }

  const lookAgain = (one: Tended, retryAfterMs: number | null) => {
    const now = clock.now()
    const { job, failures } = one
    const pace = { paceMs: parts.paceMs(job), ageMs: now - job.created, failures, retryAfterMs }
    looks.add(one, (now + pauseMs(pace, random)) as Ms)
  }

  const learn = (one: Tended, looked: Looked) => {
    const now = clock.now()
    switch (looked.kind) {
      case 'seen':
        one.failures = 0
        one.missing = 0
        return change(one, next(one.job, looked.seen, now, looked.keepsMs))
      case 'missing':
        one.failures = 0
        one.missing++
        if (one.missing >= mostMissing) change(one, failed(one.job, 'video_lost', now))
        return
      case 'failed':
        one.failures++
        if (one.failures % troubleAfter === 0) parts.onTrouble(one.job, looked.cause)
    }
  }

  const abandoned = (one: Tended) => {
    try {
      // Its charge may still wait for a commit, and with it the job itself.
      ledger.flush(true)
      change(one, failed(one.job, 'creation_lost', clock.now()))
      if (!isOpen(one.job)) forget(one.job)
    } catch (fault) {
      parts.onFault(fault)
    }
  }

  const work = async (errand: Errand): Promise<void> => {
    if ('forget' in errand) return parts.giveUp(errand.forget)
    const one = errand.tended
    if (!isOpen(one.job)) return
    if (one.unwanted) abandoned(one)
    else {
      const looked = await parts.look(one.job)
      if (closed || !isOpen(one.job)) return
      learn(one, looked)
      if (isOpen(one.job)) lookAgain(one, looked.kind === 'failed' ? looked.retryAfterMs : null)
      return wake()
    }
    if (isOpen(one.job)) lookAgain(one, null)
    wake()
  }

  const lanes = openLanes<Errand>({ mostRunning, mostPerStep, work })

  const forget = (job: VideoJob) => {
    lanes.add(job.vendor ?? '', { forget: job })
    wake()
  }

  const tend = (job: VideoJob, at: Ms, deadline: Ms, unwanted = false) => {
    const one: Tended = { job, unwanted, failures: 0, missing: 0 }
    tended.set(job.id, one)
    looks.add(one, at)
    deadlines.add(one, deadline)
  }

  const step = () => {
    const now = clock.now()
    for (let one = deadlines.take(now); one !== null; one = deadlines.take(now)) {
      if (!isOpen(one.job)) continue
      change(one, failed(one.job, 'video_timeout', now))
      forget(one.job)
    }
    for (let one = looks.take(now); one !== null; one = looks.take(now))
      if (isOpen(one.job)) lanes.add(one.job.vendor ?? '', { tended: one })
    lanes.step()
    write()
    wake()
  }

  return {
    start() {
      const now = clock.now()
      for (const job of store.open()) {
        const deadline = Math.max(job.created + longestMs, now + graceMs) as Ms
        tend(job, firstLook(now, parts.paceMs(job), random), deadline)
      }
      wake()
    },
    add(job) {
      if (!isOpen(job)) return
      const now = clock.now()
      const pace = { paceMs: parts.paceMs(job), ageMs: 0, failures: 0, retryAfterMs: null }
      tend(job, (now + pauseMs(pace, random)) as Ms, (job.created + longestMs) as Ms)
      wake()
    },
    abandon(job) {
      const now = clock.now()
      // It has no end but that: what is not written down cannot be given back.
      tend(job, now, Number.MAX_SAFE_INTEGER as Ms, true)
      wake()
    },
    cancel({ id }) {
      // What was decided a moment ago counts.
      write()
      const one = tended.get(id)
      if (one === undefined) return null
      const to = cancelled(one.job, clock.now())
      ledger.refunded(store.advance([to], true))
      change(one, to)
      changes.delete(id)
      forget(to)
      return to
    },
    forget,
    open: () => tended.size,
    step,
    close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      write()
    },
  }
}
