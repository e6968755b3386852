import type { Clock, Monotonic, Ms, Random, Ticks } from '../../../domain/clock'
import { openClockJumps, type ClockJumps } from '../../../domain/clock-jumps'
import { isOpen, type VideoJob } from '../../../domain/video-job'
import type { Ledger } from '../../../ledger/ledger'
import { JobChanges } from './job-changes'
import { cancelled, failed, next } from './next'
import { maxPauseMs, pauseMs, type PaceParts } from './pace'
import type { ClaimedJob, LookCounts, VideoStore } from './contract'
import type { Looked } from './vendor-side'
import { VendorSlots } from './vendor-slots'

/** Dependencies of polling jobs. */
export interface RunnerParts {
  readonly clock: Clock
  readonly monotonic: Monotonic
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

/** An open job older than this fails and is refunded; the specification leaves the time to us. */
const maxJobMs = 30 * 60_000
/** Grace period after a start, for one poll of jobs that ran out meanwhile: they may be made by now. */
const graceMs = 60_000
/** Longer than any look: a process that died does not keep a job for longer. */
const claimMs = 120_000
/** A vendor may not know a job yet that it has just accepted. */
const maxMissing = 3
const troubleAfter = 5
const stepMs = 50
/** However far away the next look is: another process may accept a job. */
const maxSleepMs = 1000
/** Looks that one vendor answers at the same time. */
const mostRunning = 16
/** Jobs that run out in one step; the rest of a crowd follows in the next. */
const maxOverdue = 100

/**
 * Looks after every job until it is over, whether or not anybody asks for it. What is due stands in
 * the database, and each look is claimed there: any process may have accepted the job, and another
 * one goes on with it.
 */
export class Runner {
  readonly #parts: RunnerParts
  readonly #changes: JobChanges
  readonly #slots = new VendorSlots(mostRunning)
  /** Jobs that nobody was told of, until they are given up. */
  readonly #abandoned = new Set<VideoJob>()
  /** Jobs that vendors are to forget, of each vendor in line. */
  readonly #forgotten = new Map<string, VideoJob[]>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #timerAt = Infinity
  #open = 0
  /** When it began to look; null before that. */
  #started: Ticks | null = null
  readonly #jumps: ClockJumps
  #closed = false

  constructor(parts: RunnerParts) {
    this.#parts = parts
    this.#changes = new JobChanges(parts)
    this.#jumps = openClockJumps(parts.clock, parts.monotonic, maxJobMs)
  }

  /** Polls due jobs from now on, until it is closed; also once more after that. */
  async start(): Promise<void> {
    const { clock, monotonic, store } = this.#parts
    this.#started = monotonic.ticks()
    this.#closed = false
    // An earlier process may have had a clock that was ahead.
    await store.dueBy((clock.now() + maxPauseMs) as Ms)
    this.#open = await store.countOpen()
    this.#wake(stepMs)
  }

  /** When a job that is accepted now is looked at for the first time. */
  firstLook(job: VideoJob): Ms {
    return this.#lookAfter(job, { ageMs: 0, failures: 0, retryAfterMs: null })
  }

  /** A job was accepted. */
  added(): void {
    this.#open++
    if (this.#started !== null) this.#wake(stepMs)
  }

  /** Cancels a job that nobody was told of: it is given up as soon as it is written down. */
  abandon(job: VideoJob): void {
    this.#abandoned.add(job)
    this.#wake(stepMs)
  }

  /**
   * Gives up an open job for its owner, durably.
   * @returns null when it is over already
   * @throws errors of the database; nothing is changed then
   */
  async cancel({ id }: VideoJob): Promise<VideoJob | null> {
    const { store, clock } = this.#parts
    // The latest decision counts.
    const to = await this.#changes.writeThen(async () => {
      const job = await store.find(id, null)
      return job === null || !isOpen(job) ? null : cancelled(job, clock.now())
    })
    if (to === null) return null
    this.#open = Math.max(0, this.#open - 1)
    this.forget(to)
    return to
  }

  /** Has the vendor forget a job. */
  forget(job: VideoJob): void {
    const vendor = job.vendor ?? ''
    const line = this.#forgotten.get(vendor)
    if (line === undefined) this.#forgotten.set(vendor, [job])
    else line.push(job)
    this.#wake(stepMs)
  }

  /** How many jobs were open at the last step, with what this process accepted and cancelled since. */
  open(): number {
    return this.#open
  }

  /** Polls the jobs that are due by now; the runner's own timer calls it. */
  async step(): Promise<void> {
    try {
      if (this.#started !== null) await this.#look(this.#started)
      this.#tellVendors()
      for (const job of this.#abandoned) await this.#giveUp(job)
    } catch (fault) {
      this.#parts.onFault(fault)
    }
    await this.#changes.write()
    await this.#sleep()
  }

  /** Writes pending changes and stops; the next start goes on with open jobs. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#changes.write()
  }

  /** Fails jobs that ran out, and begins polls of due ones. */
  async #look(started: Ticks): Promise<void> {
    const { store, clock, monotonic } = this.#parts
    const now = clock.now()
    // Of jobs whose next look a clock that was ahead has put off, none waits for it.
    if (this.#jumps.look() !== 0) await store.dueBy(now)
    if (monotonic.ticks() - started >= graceMs) {
      // A job is not older for a clock that was set forward.
      const oldest = (now - maxJobMs - this.#jumps.forwardMs()) as Ms
      const overdue = await store.overdue(oldest, maxOverdue)
      for (const job of overdue)
        this.#changes.add({ job: failed(job, 'video_timeout', now), claimed: null })
      // Else they would be found as due, and open, once more.
      await this.#changes.write()
      // Another process may have found one made meanwhile: its video is paid for.
      for (const job of overdue)
        if ((await store.find(job.id, null))?.status === 'failed') this.forget(job)
    }
    const until = (now + claimMs) as Ms
    const { running } = this.#slots
    for (const claimed of await store.claim({ now, until, mostRunning, running }))
      void this.#slots.run(claimed.job.vendor ?? '', () => this.#lookAt(claimed))
  }

  #tellVendors(): void {
    for (const [vendor, line] of this.#forgotten) {
      while (this.#slots.isFree(vendor)) {
        const job = line.shift()
        if (job === undefined) break
        void this.#slots.run(vendor, () => this.#parts.giveUp(job))
      }
      if (line.length === 0) this.#forgotten.delete(vendor)
    }
  }

  async #giveUp(job: VideoJob): Promise<void> {
    const { ledger, clock, onFault } = this.#parts
    try {
      // Its charge may still wait for a commit, and with it the job itself.
      await ledger.flush(true)
    } catch (fault) {
      return onFault(fault)
    }
    this.#changes.add({ job: failed(job, 'creation_lost', clock.now()), claimed: null })
    this.#abandoned.delete(job)
    this.forget(job)
  }

  async #lookAt(claimed: ClaimedJob): Promise<void> {
    const looked = await this.#parts.look(claimed.job)
    if (this.#closed) return
    const job = this.#learn(claimed, looked)
    const counts = countsAfter(claimed, looked)
    if (looked.kind === 'failed' && counts.failures % troubleAfter === 0)
      this.#parts.onTrouble(claimed.job, looked.cause)
    const ageMs = this.#parts.clock.now() - job.created
    const retryAfterMs = looked.kind === 'failed' ? looked.retryAfterMs : null
    const due = this.#lookAfter(job, { ageMs, failures: counts.failures, retryAfterMs })
    this.#changes.add({ job, claimed: { claim: claimed.claim, due, ...counts } })
    this.#wake(stepMs)
  }

  /** The job after a look at it. */
  #learn({ job, missing }: ClaimedJob, looked: Looked): VideoJob {
    const now = this.#parts.clock.now()
    if (looked.kind === 'seen') return next(job, looked.seen, now, looked.keepsMs)
    const isLost = looked.kind === 'missing' && missing + 1 >= maxMissing
    return isLost ? failed(job, 'video_lost', now) : job
  }

  /** Time of the next look. */
  #lookAfter(job: VideoJob, pace: Omit<PaceParts, 'paceMs'>): Ms {
    const { clock, random, paceMs } = this.#parts
    return Math.floor(clock.now() + pauseMs({ ...pace, paceMs: paceMs(job) }, random)) as Ms
  }

  /** Has the timer come when something is due. */
  async #sleep(): Promise<void> {
    const { store, clock, onFault } = this.#parts
    const isBusy = this.#changes.waiting() || this.#abandoned.size > 0 || this.#forgotten.size > 0
    if (isBusy) this.#wake(stepMs)
    if (this.#started === null || this.#closed) return
    try {
      this.#open = await store.countOpen()
      const due = (await store.nextDue()) ?? Infinity
      this.#wake(Math.min(Math.max(due - clock.now(), stepMs), maxSleepMs))
    } catch (fault) {
      onFault(fault)
      this.#wake(maxSleepMs)
    }
  }

  /** Unless the timer comes before that anyway. */
  #wake(afterMs: number): void {
    if (this.#closed) return
    const at = this.#parts.monotonic.ticks() + afterMs
    if (this.#timer !== null && this.#timerAt <= at) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.step()
    }, afterMs)
    this.#timer.unref()
  }
}

const countsAfter = ({ failures, missing }: LookCounts, { kind }: Looked): LookCounts => {
  if (kind === 'seen') return { failures: 0, missing: 0 }
  if (kind === 'missing') return { failures: 0, missing: missing + 1 }
  return { failures: failures + 1, missing }
}
