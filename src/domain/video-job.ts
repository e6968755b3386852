import type { Ms } from './clock'
import type { AccountId, KeyId, ProjectId, RequestId, VideoId } from './ids'
import type { NanoUsd } from './money'

/**
 * `creating`: a vendor is asked, and nothing is charged yet. `cancelled`: deleted before it was
 * made. A job only ever goes forward, and its last three never change.
 */
export const videoStatuses = [
  'creating',
  'queued',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
] as const
type VideoStatus = (typeof videoStatuses)[number]

/** Reasons why a video was not made; the customer's money is back in each case. */
export const videoFaults = [
  'content_policy',
  'video_failed',
  'video_lost',
  'video_timeout',
  'creation_lost',
] as const
export type VideoFault = (typeof videoFaults)[number]

/** A job as it is on record. Metadata only: never a prompt, a picture or where the file lies. */
export interface VideoJob {
  readonly id: VideoId
  /** The call that created it, whose charge is the job's. */
  readonly request: RequestId
  readonly account: AccountId
  readonly project: ProjectId
  readonly key: KeyId
  readonly model: string
  readonly seconds: string
  readonly size: string
  /** Charge when it is accepted. */
  readonly cost: NanoUsd
  /** That of its call, too. */
  readonly created: Ms
  readonly status: VideoStatus
  /** Per cent; 100 when it is completed, and not before. */
  readonly progress: number
  /** Vendor that makes it; null until one accepted it. */
  readonly vendor: string | null
  readonly vendorModel: string | null
  /** Vendor's id of it. */
  readonly vendorJob: string | null
  /** Which credential ordered it: no other may see it. Null where the vendor had one alone. */
  readonly vendorCredential: string | null
  readonly error: VideoFault | null
  /** When it was over. */
  readonly ended: Ms | null
  /** Until when the file can be fetched; null until it is completed. */
  readonly expires: Ms | null
  /** When its owner deleted it. */
  readonly deleted: Ms | null
}

/** Whether somebody still waits for it. */
export const isOpen = ({ status }: Pick<VideoJob, 'status'>): boolean =>
  status === 'queued' || status === 'in_progress'

/** Whether what it cost is back, or never left. */
export const isRefunded = ({ status }: Pick<VideoJob, 'status'>): boolean =>
  status === 'failed' || status === 'cancelled'

/** A charge that is given back whole. */
export interface Refund {
  readonly request: RequestId
  readonly account: AccountId
  readonly project: ProjectId
  readonly key: KeyId
  readonly amount: NanoUsd
  /** When the call was opened whose charge it is: caps count it back where they counted it. */
  readonly opened: Ms
}

/** Row of a job written together with the end of its call: as accepted, or null for refused. */
export interface VideoOutcome {
  readonly id: VideoId
  readonly accepted: VideoJob | null
  /** When its first look is due; at once where an earlier program wrote none. */
  readonly due?: Ms
}
