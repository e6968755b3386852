import { Type, type Static } from '@sinclair/typebox'
import type { VideoId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import { isRefunded, videoStatuses, type VideoJob } from '../../domain/video-job'
import { Id, max, orNull, page, pageOf } from './fields'
import { operation } from './operation'

const VideoJobView = Type.Object({
  id: Type.String(),
  /** The call that made it; `request.refund` gives its charge back once. */
  request: Type.String(),
  account: Id,
  project: Id,
  key: Id,
  model: Type.String(),
  seconds: Type.String(),
  size: Type.String(),
  status: Type.Union(videoStatuses.map((status) => Type.Literal(status))),
  progress: Type.Number(),
  vendor: orNull(Type.String()),
  vendor_model: orNull(Type.String()),
  error: orNull(Type.String()),
  usd: Type.String(),
  /** It came to nothing, and its charge went back by itself. */
  given_back: Type.Boolean(),
  created: Type.String(),
  ended: orNull(Type.String()),
  /** Until when the file can be fetched. */
  expires: orNull(Type.String()),
  deleted: Type.Boolean(),
})

const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const videoJobView = (job: VideoJob): Static<typeof VideoJobView> => ({
  id: job.id,
  request: job.request,
  account: job.account,
  project: job.project,
  key: job.key,
  model: job.model,
  seconds: job.seconds,
  size: job.size,
  status: job.status,
  progress: job.progress,
  vendor: job.vendor,
  vendor_model: job.vendorModel,
  error: job.error,
  usd: showUsd(job.cost),
  given_back: isRefunded(job),
  created: new Date(job.created).toISOString(),
  ended: isoOf(job.ended),
  expires: isoOf(job.expires),
  deleted: job.deleted !== null,
})

export const videoOperations = [
  operation({
    name: 'video.list',
    method: 'GET',
    path: '/videos',
    role: 'viewer',
    about: 'Video jobs of all accounts, newest first, deleted ones too',
    query: { before: Type.Optional(Type.String({ maxLength: 60 })), max },
    result: pageOf(VideoJobView, Type.String()),
    async run({ storage, service }, { query: { before = null, max } }) {
      await service.flush()
      const jobs = await storage.videos.list({
        project: null,
        most: max + 1,
        after: before as VideoId | null,
        oldestFirst: false,
      })
      return page(jobs.map(videoJobView), max, ({ id }) => id)
    },
  }),
] as const
