import type { Ms } from '../../../domain/clock'
import { isOpen, type VideoFault, type VideoJob } from '../../../domain/video-job'
import type { ReportedVideo } from '../../vendors/video-status'

/** How long a file can be fetched, from when it was asked for. */
const keptMs = 48 * 3_600_000
/** Only a completed one is all there. */
const maxProgress = 99

/**
 * A job after a look at it: the same object when nothing is new. It only goes forward, whatever
 * vendors say: from in progress never back to queued, and its progress never falls.
 * @param keepsMs how long its vendor keeps a file; null for long enough
 */
export function next(
  job: VideoJob,
  seen: ReportedVideo,
  now: Ms,
  keepsMs: number | null,
): VideoJob {
  if (!isOpen(job)) return job
  switch (seen.status) {
    case 'queued':
    case 'in_progress': {
      const status = job.status === 'in_progress' ? job.status : seen.status
      const told = Math.floor(seen.progress ?? 0)
      const progress = Math.min(
        Math.max(job.progress, Number.isFinite(told) ? told : 0),
        maxProgress,
      )
      return status === job.status && progress === job.progress ? job : { ...job, status, progress }
    }
    case 'completed': {
      // A time that is over is what a vendor writes that has none: the video was made a moment ago.
      const told = seen.expires !== null && seen.expires > now ? Math.floor(seen.expires) : null
      const ends = [job.created + keptMs, told, keepsMs === null ? null : now + keepsMs]
      const expires = Math.min(...ends.filter((each) => each !== null)) as Ms
      return { ...job, status: 'completed', progress: 100, ended: now, expires }
    }
    case 'failed':
      return failed(job, seen.fault, now)
  }
}

/** A job that is given up. */
export const failed = (job: VideoJob, error: VideoFault, now: Ms): VideoJob =>
  isOpen(job) ? { ...job, status: 'failed', error, ended: now } : job

/** A job that its owner deletes before it is made. */
export const cancelled = (job: VideoJob, now: Ms): VideoJob =>
  isOpen(job) ? { ...job, status: 'cancelled', ended: now, deleted: now } : job
