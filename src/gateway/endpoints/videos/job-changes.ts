import type { VideoId } from '../../../domain/ids'
import { openInLine } from '../../../domain/serial-queue'
import { isRefunded, type VideoJob } from '../../../domain/video-job'
import type { Ledger } from '../../../ledger/ledger'
import type { VideoChange, VideoStore } from './contract'

interface JobChangeParts {
  readonly store: VideoStore
  readonly ledger: Pick<Ledger, 'refunded'>
  /** Told when the database did not write; nothing is lost, it is tried again. */
  onFault(fault: unknown): void
}

/** Changes of jobs that are decided and not yet written: the newest of each job. */
export class JobChanges {
  readonly #unwritten = new Map<VideoId, VideoChange>()
  /** One change of jobs at a time: each sees those before it. */
  readonly #inLine = openInLine()
  readonly #parts: JobChangeParts

  constructor(parts: JobChangeParts) {
    this.#parts = parts
  }

  add(change: VideoChange): void {
    this.#unwritten.set(change.job.id, change)
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
   * @returns null also where another process ended the job before this could
   * @throws errors of the database; that change is not made then
   */
  async writeThen(decide: () => Promise<VideoJob | null>): Promise<VideoJob | null> {
    return await this.#inLine(async () => {
      await this.#write()
      const job = await decide()
      if (job === null) return null
      await this.#advance([{ job, claimed: null }], true)
      this.#unwritten.delete(job.id)
      const written = await this.#parts.store.find(job.id, null)
      return written?.status === job.status ? job : null
    })
  }

  async #write(): Promise<void> {
    if (this.#unwritten.size === 0) return
    const changes = [...this.#unwritten.values()]
    try {
      await this.#advance(
        changes,
        changes.some(({ job }) => isRefunded(job)),
      )
      this.#written(changes)
    } catch (fault) {
      this.#parts.onFault(fault)
      // One that cannot be written must not keep the others from it.
      for (const change of changes) await this.#writeAlone(change)
    }
  }

  async #writeAlone(change: VideoChange): Promise<void> {
    try {
      await this.#advance([change], isRefunded(change.job))
      this.#written([change])
    } catch {
      // It stays here, and was told already.
    }
  }

  async #advance(changes: readonly VideoChange[], durable: boolean): Promise<void> {
    const { store, ledger, onFault } = this.#parts
    const refunds = await store.advance(changes, durable)
    // It is written, whether or not memory can follow it at once.
    await ledger.refunded(refunds).catch(onFault)
  }

  /** Forgets changes that are written, unless a newer one of the job came meanwhile. */
  #written(changes: readonly VideoChange[]): void {
    for (const change of changes)
      if (this.#unwritten.get(change.job.id) === change) this.#unwritten.delete(change.job.id)
  }
}
