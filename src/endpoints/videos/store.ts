import type { ProjectId, VideoId } from '../../domain/ids'
import type { Refund, VideoJob } from '../../domain/video-job'
import type { Carried } from '../../ledger/store'

/** Which jobs of a project, newest first unless told otherwise. */
interface VideoQuery {
  /** Null: of any, deleted or not, for operators. */
  readonly project: ProjectId | null
  readonly most: number
  /** Only those behind this one. */
  readonly after: VideoId | null
  readonly oldestFirst: boolean
}

/** What is written of a job together with the end of its call: as accepted, or null for refused. */
export interface VideoOutcome {
  readonly id: VideoId
  readonly accepted: VideoJob | null
}

/** As the ledger's commit takes it to this store. */
export const carriedOutcome = (outcome: VideoOutcome): Carried => ({ to: 'videos', row: outcome })

/** Rows of video jobs. Their acceptance is written with its charge, by the ledger. */
export interface VideoStore {
  /** Writes a job down before a vendor is asked to make it. */
  begin(job: VideoJob): Promise<void>
  /** Every job that somebody waits for. */
  open(): Promise<readonly VideoJob[]>
  /**
   * Null when there is none, when it is another project's, and when that project deleted it.
   * @param project null of any, deleted or not, for operators
   */
  find(id: string, project: ProjectId | null): Promise<VideoJob | null>
  list(query: VideoQuery): Promise<readonly VideoJob[]>
  /**
   * Takes open jobs forward, in one transaction. What one cost that is over without a video goes
   * back to its account, once; a job that is over already stays as it is.
   * @param durable on disk before it returns
   * @returns what went back
   */
  advance(jobs: readonly VideoJob[], durable: boolean): Promise<readonly Refund[]>
  /** Hides a job that is over. */
  remove(job: VideoJob): Promise<void>
}
