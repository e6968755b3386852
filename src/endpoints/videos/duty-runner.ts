import type { VideoId } from '../../domain/ids'
import { isOpen, type VideoJob } from '../../domain/video-job'
import { cancelled } from './next'
import { openRunner, type Runner, type RunnerParts } from './runner'

/** Work that one of several processes does for all. */
export interface Duty {
  has(): boolean
  /** @param gained told each time that this process begins to do it */
  watch(gained: () => void): void
}

/** How often jobs that others accepted are looked for, and a lost duty is noticed. */
const lookMs = 1000

/**
 * A runner of one of several processes on one database: whoever has the duty looks after all jobs, and finds those
 * of others in the database. What was written of a job first counts, whoever wrote it.
 */
export const openDutyRunner = (parts: RunnerParts, duty: Duty): Runner =>
  new DutyRunner(parts, duty)

class DutyRunner implements Runner {
  /** Of this term of duty; jobs of before are found in the database. */
  #term: { readonly runner: Runner; readonly known: Set<VideoId> } | null = null
  /** Of jobs that nobody was told of, and of what vendors are to forget. */
  readonly #own: Runner
  #timer: ReturnType<typeof setInterval> | null = null
  #isLooking = false
  readonly #parts: RunnerParts
  readonly #duty: Duty

  constructor(parts: RunnerParts, duty: Duty) {
    this.#parts = parts
    this.#duty = duty
    this.#own = openRunner(parts)
  }

  async start(): Promise<void> {
    this.#duty.watch(this.#look)
    this.#timer = setInterval(this.#look, lookMs)
    this.#timer.unref()
  }

  add(job: VideoJob): void {
    if (this.#term === null || !this.#duty.has()) return
    this.#term.known.add(job.id)
    this.#term.runner.add(job)
  }

  abandon(job: VideoJob): void {
    this.#own.abandon(job)
  }

  async cancel(job: VideoJob): Promise<VideoJob | null> {
    const done = (await this.#term?.runner.cancel(job)) ?? null
    return done ?? (await this.#cancelOfOther(job))
  }

  forget(job: VideoJob): void {
    this.#own.forget(job)
  }

  open(): number {
    return this.#term?.runner.open() ?? 0
  }

  async step(): Promise<void> {
    await this.#own.step()
    await this.#term?.runner.step()
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#own.close()
    await this.#term?.runner.close()
    this.#term = null
  }

  /** @returns null when it is over already */
  async #cancelOfOther({ id }: VideoJob): Promise<VideoJob | null> {
    const { store, ledger, clock, onFault } = this.#parts
    const job = await store.find(id, null)
    if (job === null || !isOpen(job)) return null
    const refunds = await store.advance([cancelled(job, clock.now())], true)
    await ledger.refunded(refunds).catch(onFault)
    const now = await store.find(id, null)
    if (now?.status !== 'cancelled') return null
    this.forget(now)
    return now
  }

  readonly #look = (): void => {
    if (this.#isLooking) return
    this.#isLooking = true
    void this.#tend()
      .catch(this.#parts.onFault)
      .finally(() => (this.#isLooking = false))
  }

  async #tend(): Promise<void> {
    if (!this.#duty.has()) {
      const over = this.#term
      this.#term = null
      await over?.runner.close()
      return
    }
    const jobs = await this.#parts.store.open()
    if (this.#term === null) {
      const runner = openRunner(this.#parts)
      await runner.start()
      this.#term = { runner, known: new Set(jobs.map(({ id }) => id)) }
      return
    }
    const { runner, known } = this.#term
    for (const job of jobs)
      if (!known.has(job.id)) {
        known.add(job.id)
        runner.add(job)
      }
    const open = new Set(jobs.map(({ id }) => id))
    for (const id of known) if (!open.has(id)) known.delete(id)
  }
}
