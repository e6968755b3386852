import { Option, type Command } from 'commander'
import type { ProjectId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import { isRefunded, type VideoJob } from '../../domain/video-job'
import { branch, leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printShown, shownOf, withLimit, type ListForm, type LongListOptions } from '../kit/listing'
import { printFields, printJson } from '../kit/output'

interface VideosOptions extends LongListOptions {
  readonly project?: ProjectId
  readonly open?: true
}

export function videosCommand(program: Command): void {
  const videos = branch(program, 'videos', 'List video jobs')

  withLimit(leaf(videos, 'list', 'list jobs, newest first', 'videos list --open'))
    .option(
      '--project <id>',
      'only of this project, without jobs that it deleted',
      read.id<ProjectId>,
    )
    .addOption(new Option('--open', 'only jobs in progress, oldest first').conflicts('project'))
    .action(async (options: VideosOptions) => {
      const { project = null } = options
      const all = (
        await withStorage(options, async ({ videos: store }) =>
          options.open
            ? store.open()
            : store.list({
                project,
                most: Number.MAX_SAFE_INTEGER,
                after: null,
                oldestFirst: false,
              }),
        )
      ).map(jobView)
      return printShown(options, shownOf(all, options), form)
    })

  leaf(videos, 'show', 'show one job', 'videos show vid_…')
    .argument('<id>', 'id of the job')
    .action(async (id: string, options: CommonOptions) => {
      const job = await withStorage(options, async ({ videos: store }) => store.find(id, null))
      if (job === null) throw new RangeError(`there is no video ${id}`)
      const view = jobView(job)
      if (options.json) return printJson(view)
      printFields(view)
    })
}

const jobView = (job: VideoJob) => ({
  id: job.id,
  created: new Date(job.created).toISOString(),
  request: job.request,
  account: job.account,
  project: job.project,
  key: job.key,
  model: job.model,
  status: job.status,
  progress: job.progress,
  error: job.error,
  seconds: job.seconds,
  size: job.size,
  usd: showUsd(job.cost),
  refunded: isRefunded(job),
  vendor: job.vendor,
  vendor_model: job.vendorModel,
  vendor_job: job.vendorJob,
  ended: timeOf(job.ended),
  expires: timeOf(job.expires),
  deleted: timeOf(job.deleted),
})

const form: ListForm<ReturnType<typeof jobView>> = {
  columns: [
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
  ],
  heading: ['CREATED', 'ID', 'PROJECT', 'MODEL', 'STATUS', 'SECONDS', 'SIZE', 'COST', 'VENDOR'],
  cells: (each) => [
    each.created,
    each.id,
    String(each.project),
    each.model,
    each.error === null ? each.status : `${each.status} (${each.error})`,
    each.seconds,
    each.size,
    `$${each.usd}${each.refunded ? ' (refunded)' : ''}`,
    each.vendor ?? '–',
  ],
}

const timeOf = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString()
