import { Type, type Static } from '@sinclair/typebox'
import type { ProjectId, VideoId } from '../../../domain/ids'
import { showUsd } from '../../../domain/money'
import { isRefunded, videoStatuses, type VideoJob } from '../../../domain/video-job'
import type { Storage } from '../../data/storage'
import { AdminError } from '../../operations/admin-error'
import { cell } from '../../operations/command'
import { Id, max, orNull, page, pageOf } from '../../operations/fields'
import { isoOf } from '../../../domain/clock'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

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
  /** The vendor’s name of it. */
  vendor_job: orNull(Type.String()),
  error: orNull(Type.String()),
  usd: Type.String(),
  /** It came to nothing, and its charge went back by itself. */
  given_back: Type.Boolean(),
  created: Type.String(),
  ended: orNull(Type.String()),
  /** Until when the file can be fetched. */
  expires: orNull(Type.String()),
  deleted: Type.Boolean(),
  deleted_at: orNull(Type.String()),
})
type Viewed = Static<typeof VideoJobView>

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
  vendor_job: job.vendorJob,
  error: job.error,
  usd: showUsd(job.cost),
  given_back: isRefunded(job),
  created: new Date(job.created).toISOString(),
  ended: isoOf(job.ended),
  expires: isoOf(job.expires),
  deleted: job.deleted !== null,
  deleted_at: isoOf(job.deleted),
})

const formerNames = ({ given_back, deleted_at }: Viewed) => ({
  refunded: given_back,
  deleted: deleted_at,
})

/** In the order that files had. */
const columns = [
  'id',
  'created',
  'request',
  'account',
  'project',
  'key',
  'model',
  'status',
  'error',
  'seconds',
  'size',
  'usd',
  'refunded',
  'vendor',
  'vendor_model',
  'vendor_job',
  'ended',
  'expires',
  'deleted',
] as const

/** Names and values of one job, for people. */
function fieldsOf(job: Viewed): Readonly<Record<string, unknown>> {
  const named: Readonly<Record<string, unknown>> = { ...job, ...formerNames(job) }
  const names = columns.flatMap((name) => (name === 'error' ? ['progress', name] : [name]))
  return Object.fromEntries(names.map((name) => [name, named[name]]))
}

interface Page {
  readonly project: ProjectId | null
  readonly open: boolean
  readonly before: VideoId | null
  readonly max: number
}

/** Jobs of a page: the newest first, but those in progress the oldest first. */
async function jobsOf(
  videos: Pick<Storage['videos'], 'open' | 'list'>,
  { project, open, before, max }: Page,
): Promise<readonly VideoJob[]> {
  if (!open) return await videos.list({ project, most: max, after: before, oldestFirst: false })
  const jobs = await videos.open()
  return jobs
    .filter((job) => (project === null || job.project === project) && job.id > (before ?? ''))
    .slice(0, max)
}

export const videoOperations = [
  operation({
    name: 'video.list',
    method: 'GET',
    path: '/videos',
    role: 'viewer',
    about: 'Video jobs of all accounts, newest first, deleted ones too, or of one project',
    query: {
      project: asOption(Type.Optional(Id), 'only of this project, without jobs that it deleted'),
      open: asOption(Type.Optional(Type.Boolean()), 'only jobs in progress, oldest first', {
        kind: 'flag',
        conflicts: ['project'],
      }),
      before: Type.Optional(Type.String({ maxLength: 60 })),
      max,
    },
    result: pageOf(VideoJobView, Type.String()),
    commands: [
      {
        words: 'videos list',
        about: 'list jobs, newest first',
        example: 'videos list --open',
        object: 'video_job',
        formerNames,
        list: {
          pages: 'before',
          isNewestFirst: true,
          isCounted: true,
          columns,
          heading: [
            'CREATED',
            'ID',
            'PROJECT',
            'MODEL',
            'STATUS',
            'SECONDS',
            'SIZE',
            'COST',
            'VENDOR',
          ],
          cells: (each) => [
            each.created,
            each.id,
            String(each.project),
            each.model,
            each.error === null ? each.status : `${each.status} (${each.error})`,
            each.seconds,
            each.size,
            `$${each.usd}${each.given_back ? ' (refunded)' : ''}`,
            cell.some(each.vendor),
          ],
        },
      },
    ],
    async run({ storage, service }, { query }) {
      const { project = null, open = false, before = null, max } = query
      await service.flush()
      const jobs = await jobsOf(storage.videos, {
        project: project as ProjectId | null,
        open,
        before: before as VideoId | null,
        max: max + 1,
      })
      return page(jobs.map(videoJobView), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'video.get',
    method: 'GET',
    path: '/videos/{id}',
    role: 'viewer',
    about: 'One video job, deleted or not',
    params: { id: Type.String({ minLength: 1, maxLength: 60 }) },
    result: VideoJobView,
    commands: [
      {
        words: 'videos show',
        about: 'show one job',
        example: 'videos show vid_…',
        params: { id: { name: 'id', about: 'id of the job', as: 'place', kind: 'text' } },
        object: 'video_job',
        formerNames,
        said: (job) => ({ fields: fieldsOf(job), stdout: [] }),
      },
    ],
    async run({ storage, service }, { params: { id } }) {
      await service.flush()
      const job = await storage.videos.find(id, null)
      if (job === null) throw new AdminError('video_not_found', { video: id })
      return videoJobView(job)
    },
  }),
] as const
