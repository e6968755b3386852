import type { VideoId } from '../../domain/ids'
import { isRefunded, type VideoJob } from '../../domain/video-job'
import type { Ledger } from '../../ledger/ledger'
import type { VideoStore } from './store'

export interface JobChangeParts {
  readonly store: VideoStore
  readonly ledger: Pick<Ledger, 'refunded'>
  /** Told when the database did not write; nothing is lost, it is tried again. */
  onFault(fault: unknown): void
}

/** Changes of jobs that are decided and not yet written: the newest of each job. */
export class JobChanges {
  readonly #unwritten = new Map<VideoId, VideoJob>()
  readonly #parts: JobChangeParts

  constructor(parts: JobChangeParts) {
    this.#parts = parts
  }

  add(job: VideoJob): void {
    this.#unwritten.set(job.id, job)
  }

  /** That job is written by somebody else. */
  drop(id: VideoId): void {
    this.#unwritten.delete(id)
  }

  waiting(): boolean {
    return this.#unwritten.size > 0
  }

  write(): void {
    if (this.#unwritten.size === 0) return
    const { store, ledger, onFault } = this.#parts
    const jobs = [...this.#unwritten.values()]
    try {
      ledger.refunded(store.advance(jobs, jobs.some(isRefunded)))
      this.#unwritten.clear()
    } catch (fault) {
      onFault(fault)
      // One that cannot be written must not keep the others from it.
      for (const job of jobs) this.#writeAlone(job)
    }
  }

  #writeAlone(job: VideoJob): void {
    const { store, ledger } = this.#parts
    try {
      ledger.refunded(store.advance([job], isRefunded(job)))
      this.#unwritten.delete(job.id)
    } catch {
      // It stays here, and was told already.
    }
  }
}
