import type { Ms } from '../../../domain/clock'
import type { ProjectId, RequestId, VideoId } from '../../../domain/ids'
import type { Refund, VideoJob, VideoOutcome } from '../../../domain/video-job'
import type { Carried } from '../../../ledger/store'

/** Which jobs of a project, newest first unless told otherwise. */
interface VideoQuery {
  /** Null: of any, deleted or not, for operators. */
  readonly project: ProjectId | null
  readonly most: number
  /** Only those behind this one. */
  readonly after: VideoId | null
  readonly oldestFirst: boolean
}

/** As the ledger's commit takes it to this store. */
export const carriedOutcome = (outcome: VideoOutcome): Carried => ({ to: 'videos', row: outcome })

/** Looks at a job in a row that came to nothing. */
export interface LookCounts {
  /** The vendor was not reached, or answered with an error. */
  readonly failures: number
  /** The vendor answered that it has no such job. */
  readonly missing: number
}

/** A job that one process may look at, and change, until its claim ends. */
export interface ClaimedJob extends LookCounts {
  readonly job: VideoJob
  /** Number of the claim: whoever claims the job later has a higher one. */
  readonly claim: number
}

/** Query for due jobs to be claimed. */
export interface ClaimQuery {
  readonly now: Ms
  /** End of the claims: unless their jobs are changed before, they are due again then. */
  readonly until: Ms
  /** Jobs of one vendor that may be looked at at the same time. */
  readonly mostRunning: number
  /** How many of each vendor are looked at already. */
  readonly running: ReadonlyMap<string, number>
}

/** Change of a job after a poll. */
export interface VideoChange {
  readonly job: VideoJob
  /** Under which it was looked at; null when it is changed whoever looks at it. */
  readonly claimed: (Pick<ClaimedJob, 'claim' | keyof LookCounts> & { readonly due: Ms }) | null
}

/** Rows of video jobs. Their acceptance is written with its charge, by the ledger. */
export interface VideoStore {
  /** Writes a job down before a vendor is asked to make it. */
  begin(job: VideoJob): Promise<void>
  /** The jobs that are due, the earliest of each vendor first, for no other process until then. */
  claim(query: ClaimQuery): Promise<readonly ClaimedJob[]>
  /** Has open jobs whose next look is due later than that look then. */
  dueBy(latest: Ms): Promise<void>
  /** When the earliest open job is due; null where none is open. */
  nextDue(): Promise<Ms | null>
  /** Every job that somebody waits for, the oldest first. */
  open(): Promise<readonly VideoJob[]>
  /** Some of the open jobs that were ordered at that time or before. */
  overdue(ordered: Ms, most: number): Promise<readonly VideoJob[]>
  /** How many jobs somebody waits for. */
  countOpen(): Promise<number>
  /** The open job of a call; null for none. */
  openOf(request: RequestId): Promise<VideoJob | null>
  /**
   * Null when there is none, when it is another project's, and when that project deleted it.
   * @param project null of any, deleted or not, for operators
   */
  find(id: string, project: ProjectId | null): Promise<VideoJob | null>
  list(query: VideoQuery): Promise<readonly VideoJob[]>
  /**
   * Takes open jobs forward, in one transaction. What one cost that is over without a video goes
   * back to its account, once; a job that is over already, or claimed by another process since,
   * stays as it is. The record of the call of a job that failed says so from then on.
   * @param durable on disk before it returns
   * @returns the refunds
   */
  advance(changes: readonly VideoChange[], durable: boolean): Promise<readonly Refund[]>
  /** Hides a job that is over. */
  remove(job: VideoJob): Promise<void>
}
