import { unixSeconds } from '../../../domain/clock'
import { showUsd } from '../../../domain/money'
import { isOpen, isRefunded, type VideoJob } from '../../../domain/video-job'
import type { Language } from '../../../errors/gateway-error'
import { videoText } from '../../../errors/video-texts'

/** A job as its customer sees it: the reference's video object, and its cost. */
export const videoView = (job: VideoJob, language: Language) => ({
  id: job.id,
  object: 'video',
  created_at: unixSeconds(job.created),
  completed_at: job.status === 'completed' && job.ended !== null ? unixSeconds(job.ended) : null,
  expires_at: job.expires === null ? null : unixSeconds(job.expires),
  model: job.model,
  status: statusOf(job),
  progress: job.progress,
  seconds: job.seconds,
  size: job.size,
  usd: showUsd(job.cost),
  refunded: isRefunded(job),
  error: job.error === null ? null : { code: job.error, message: videoText(job.error, language) },
  // The reference has these, and we keep neither.
  prompt: null,
  remixed_from_video_id: null,
})

/** The four states of the interface; the others are never shown. */
function statusOf({ status }: VideoJob): 'queued' | 'in_progress' | 'completed' | 'failed' {
  if (status === 'creating') return 'queued'
  return status === 'cancelled' ? 'failed' : status
}

/** Headers that tell a client its poll interval: what is polled less often is not new. */
export const pollHeaders = (job: VideoJob, paceMs: number): Readonly<Record<string, string>> =>
  isOpen(job) ? { 'openai-poll-after-ms': String(paceMs) } : {}
