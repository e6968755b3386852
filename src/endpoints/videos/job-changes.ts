import type { VideoId } from '../../domain/ids'
import { openInLine } from '../../domain/in-line'
import { isRefunded, type VideoJob } from '../../domain/video-job'
import type { Ledger } from '../../ledger/ledger'
import type { VideoStore } from './store'

interface JobChangeParts {
  readonly store: VideoStore
  readonly ledger: Pick<Ledger, 'refunded'>
  /** Told when the database did not write; nothing is lost, it is tried again. */
  onFault(fault: unknown): void
}

/** Changes of jobs that are decided and not yet written: the newest of each job. */
export class JobChanges {
  readonly #unwritten = new Map<VideoId, VideoJob>()
  /** What is decided of a job in one write is there for the next. */
  readonly #inLine = openInLine()
  readonly #parts: JobChangeParts

  constructor(parts: JobChangeParts) {
    this.#parts = parts
  }

  add(job: VideoJob): void {
    this.#unwritten.set(job.id, job)
  }

  waiting(): boolean {
    return this.#unwritten.size > 0
  }

  write(): Promise<void> {
    return this.#inLine(() => this.#write())
  }

  /**
   * Writes what waits, and then a change of one job, before anything else is written of it.
   * @param decide null for none, once what waits is written
   * @throws what the database throws; that change is not made then
   */
  async writeThen(decide: () => VideoJob | null): Promise<VideoJob | null> {
    return await this.#inLine(async () => {
      await this.#write()
      const job = decide()
      if (job === null) return null
      await this.#advance([job], true)
      this.#unwritten.delete(job.id)
      return job
    })
  }

  async #write(): Promise<void> {
    if (this.#unwritten.size === 0) return
    const jobs = [...this.#unwritten.values()]
    try {
      await this.#advance(jobs, jobs.some(isRefunded))
      this.#written(jobs)
    } catch (fault) {
      this.#parts.onFault(fault)
      // One that cannot be written must not keep the others from it.
      for (const job of jobs) await this.#writeAlone(job)
    }
  }

  async #writeAlone(job: VideoJob): Promise<void> {
    try {
      await this.#advance([job], isRefunded(job))
      this.#written([job])
    } catch {
      // It stays here, and was told already.
    }
  }

  async #advance(jobs: readonly VideoJob[], durable: boolean): Promise<void> {
    const { store, ledger, onFault } = this.#parts
    const refunds = await store.advance(jobs, durable)
    // It is written, whether or not memory can follow it at once.
    await ledger.refunded(refunds).catch(onFault)
  }

  /** What was decided of a job meanwhile stays. */
  #written(jobs: readonly VideoJob[]): void {
    for (const job of jobs) if (this.#unwritten.get(job.id) === job) this.#unwritten.delete(job.id)
  }
}
