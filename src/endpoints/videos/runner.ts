import type { Clock, Ms, Random } from '../../domain/clock'
import type { VideoId } from '../../domain/ids'
import { isOpen, type VideoJob } from '../../domain/video-job'
import type { Ledger } from '../../ledger/ledger'
import { JobChanges } from './job-changes'
import { openLanes, type Lanes } from './lanes'
import { cancelled, failed, next } from './next'
import { firstLook, pauseMs } from './pace'
import { openSchedule } from './schedule'
import type { VideoStore } from './store'
import type { Looked } from './vendor-side'

/** Looks after every job until it is over, whether or not anybody asks for it. */
export interface Runner {
  /** Takes on what is open in the database. */
  start(): Promise<void>
  /** Takes on a job that was just accepted. */
  add(job: VideoJob): void
  /** The same for one that nobody was told of: it is given up as soon as it is written down. */
  abandon(job: VideoJob): void
  /**
   * Gives up an open job for its owner, durably.
   * @returns null when it is over already
   * @throws what the database throws; nothing is changed then
   */
  cancel(job: VideoJob): Promise<VideoJob | null>
  /** Has the vendor forget a job. */
  forget(job: VideoJob): void
  /** How many jobs are open. */
  open(): number
  /** Does what is due by now; the runner's own timer calls it. */
  step(): Promise<void>
  /** Writes what waits and stops; what is open is gone on with by the next start. */
  close(): Promise<void>
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

export const openRunner = (parts: RunnerParts): Runner => new JobRunner(parts)

class JobRunner implements Runner {
  readonly #tended = new Map<VideoId, Tended>()
  readonly #looks = openSchedule<Tended>()
  readonly #deadlines = openSchedule<Tended>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #timerAt = Infinity
  #closed = false
  readonly #changes: JobChanges
  readonly #lanes: Lanes<Errand>
  readonly #parts: RunnerParts

  constructor(parts: RunnerParts) {
    this.#parts = parts
    this.#changes = new JobChanges(parts)
    this.#lanes = openLanes<Errand>({
      mostRunning,
      mostPerStep,
      work: (errand) => this.#work(errand),
    })
  }

  async start(): Promise<void> {
    const { clock, random, store } = this.#parts
    const jobs = await store.open()
    const now = clock.now()
    for (const job of jobs) {
      const deadline = Math.max(job.created + longestMs, now + graceMs) as Ms
      this.#tend(job, firstLook(now, this.#parts.paceMs(job), random), deadline)
    }
    this.#wake()
  }

  add(job: VideoJob): void {
    if (!isOpen(job)) return
    const { clock, random } = this.#parts
    const now = clock.now()
    const pace = { paceMs: this.#parts.paceMs(job), ageMs: 0, failures: 0, retryAfterMs: null }
    this.#tend(job, (now + pauseMs(pace, random)) as Ms, (job.created + longestMs) as Ms)
    this.#wake()
  }

  abandon(job: VideoJob): void {
    const now = this.#parts.clock.now()
    // It has no end but that: what is not written down cannot be given back.
    this.#tend(job, now, Number.MAX_SAFE_INTEGER as Ms, true)
    this.#wake()
  }

  async cancel({ id }: VideoJob): Promise<VideoJob | null> {
    // What was decided a moment ago counts.
    const to = await this.#changes.writeThen(() => {
      const one = this.#tended.get(id)
      return one === undefined ? null : cancelled(one.job, this.#parts.clock.now())
    })
    if (to === null) return null
    const one = this.#tended.get(id)
    if (one !== undefined) one.job = to
    this.#tended.delete(id)
    this.forget(to)
    return to
  }

  forget(job: VideoJob): void {
    this.#lanes.add(job.vendor ?? '', { forget: job })
    this.#wake()
  }

  open(): number {
    return this.#tended.size
  }

  async step(): Promise<void> {
    const now = this.#parts.clock.now()
    for (let one = this.#deadlines.take(now); one !== null; one = this.#deadlines.take(now)) {
      if (!isOpen(one.job)) continue
      this.#change(one, failed(one.job, 'video_timeout', now))
      this.forget(one.job)
    }
    for (let one = this.#looks.take(now); one !== null; one = this.#looks.take(now))
      if (isOpen(one.job)) this.#lanes.add(one.job.vendor ?? '', { tended: one })
    this.#lanes.step()
    await this.#changes.write()
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#changes.write()
  }

  /** Has the timer come when something is due, unless it comes before that anyway. */
  #wake(): void {
    if (this.#closed) return
    const busy = this.#lanes.waiting() || this.#changes.waiting()
    const now = this.#parts.clock.now()
    const due = Math.min(this.#looks.next() ?? Infinity, this.#deadlines.next() ?? Infinity) - now
    if (!busy && due === Infinity) return
    const sleepMs = busy ? stepMs : Math.min(Math.max(due, stepMs), longestSleepMs)
    if (this.#timer !== null && this.#timerAt <= now + sleepMs) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timerAt = now + sleepMs
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.step()
    }, sleepMs)
    this.#timer.unref()
  }

  #tend(job: VideoJob, at: Ms, deadline: Ms, unwanted = false): void {
    const one: Tended = { job, unwanted, failures: 0, missing: 0 }
    this.#tended.set(job.id, one)
    this.#looks.add(one, at)
    this.#deadlines.add(one, deadline)
  }

  async #work(errand: Errand): Promise<void> {
    if ('forget' in errand) return this.#parts.giveUp(errand.forget)
    const one = errand.tended
    if (!isOpen(one.job)) return
    let retryAfterMs: number | null = null
    if (one.unwanted) await this.#abandoned(one)
    else {
      const looked = await this.#parts.look(one.job)
      if (this.#closed || !isOpen(one.job)) return
      this.#learn(one, looked)
      if (looked.kind === 'failed') ({ retryAfterMs } = looked)
    }
    if (isOpen(one.job)) this.#lookAgain(one, retryAfterMs)
    this.#wake()
  }

  async #abandoned(one: Tended): Promise<void> {
    const { ledger, clock, onFault } = this.#parts
    try {
      // Its charge may still wait for a commit, and with it the job itself.
      await ledger.flush(true)
      this.#change(one, failed(one.job, 'creation_lost', clock.now()))
      if (!isOpen(one.job)) this.forget(one.job)
    } catch (fault) {
      onFault(fault)
    }
  }

  #learn(one: Tended, looked: Looked): void {
    const now = this.#parts.clock.now()
    switch (looked.kind) {
      case 'seen':
        one.failures = 0
        one.missing = 0
        return this.#change(one, next(one.job, looked.seen, now, looked.keepsMs))
      case 'missing':
        one.failures = 0
        one.missing++
        if (one.missing >= mostMissing) this.#change(one, failed(one.job, 'video_lost', now))
        return
      case 'failed':
        one.failures++
        if (one.failures % troubleAfter === 0) this.#parts.onTrouble(one.job, looked.cause)
    }
  }

  #lookAgain(one: Tended, retryAfterMs: number | null): void {
    const { clock, random } = this.#parts
    const now = clock.now()
    const { job, failures } = one
    const paceMs = this.#parts.paceMs(job)
    const pace = { paceMs, ageMs: now - job.created, failures, retryAfterMs }
    this.#looks.add(one, (now + pauseMs(pace, random)) as Ms)
  }

  /** Takes a job forward; what is over is let go. */
  #change(one: Tended, to: VideoJob): void {
    if (to === one.job) return
    one.job = to
    this.#changes.add(to)
    if (!isOpen(to)) this.#tended.delete(to.id)
  }
}
