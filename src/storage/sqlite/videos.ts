import { and, asc, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { AccountId, KeyId, ProjectId, RequestId, VideoId } from '../../domain/ids'
import type { Refund, VideoFault, VideoJob } from '../../domain/video-job'
import { isRefunded } from '../../domain/video-job'
import type { VideoStore } from '../../endpoints/videos/store'
import { videoJobs } from '../schema'
import type { Connection } from './database'
import { openRefund } from './refund'
import type { Rows } from './store-rows'
import type { Sums } from './sums'

/** Video jobs, and the charges that go back because of them. */
export function openVideoRows(connection: Connection, sums: Sums, clock: Clock): Rows<VideoStore> {
  const { orm, raw } = connection
  const giveBack = openRefund(connection, clock)
  const advance = raw.prepare(`
    UPDATE video_jobs SET status = ?, progress = ?, error = ?, ended = ?, expires = ?, deleted = ?
    WHERE id = ? AND status IN ('queued', 'in_progress')`)
  // What the indexes hold, in their words: a parameter would hide it.
  const shown = sql`${videoJobs.deleted} is null and ${videoJobs.status} <> 'creating'`
  const shownTo = (project: ProjectId | null) =>
    project === null ? [] : [eq(videoJobs.project, project), shown]
  const open = sql`${videoJobs.status} in ('creating', 'queued', 'in_progress')
    and ${videoJobs.status} <> 'creating'`

  return {
    begin(job) {
      orm.insert(videoJobs).values(job).run()
    },
    open: () =>
      orm.select().from(videoJobs).where(open).orderBy(asc(videoJobs.id)).all().map(jobOf),
    find(id, project) {
      const wanted = [eq(videoJobs.id, id), ...shownTo(project)]
      const row = orm
        .select()
        .from(videoJobs)
        .where(and(...wanted))
        .get()
      return row === undefined ? null : jobOf(row)
    },
    list({ project, most, after, oldestFirst }) {
      const behind = oldestFirst ? gt : lt
      const wanted = [...shownTo(project), after === null ? undefined : behind(videoJobs.id, after)]
      return orm
        .select()
        .from(videoJobs)
        .where(and(...wanted))
        .orderBy((oldestFirst ? asc : desc)(videoJobs.id))
        .limit(most)
        .all()
        .map(jobOf)
    },
    advance(jobs, durable) {
      let last: number | null = null
      const refunds = connection.transaction(
        () => {
          const back: Refund[] = []
          for (const job of jobs) {
            const { id, status, progress, error, ended, expires, deleted } = job
            const row = advance.run(status, progress, error, ended, expires, deleted, id)
            if (row.changes !== 1 || !isRefunded(job) || job.cost === 0) continue
            const refund = refundOf(job)
            last = giveBack(refund)
            back.push(refund)
          }
          return back
        },
        durable ? 'durable' : 'brief',
      )
      if (last !== null) sums.giveBack(refunds, last)
      return refunds
    },
    remove({ id, deleted }) {
      orm
        .update(videoJobs)
        .set({ deleted })
        .where(and(eq(videoJobs.id, id), isNull(videoJobs.deleted)))
        .run()
    },
  }
}

const refundOf = ({ request, account, project, key, cost, created }: VideoJob): Refund => ({
  request,
  account,
  project,
  key,
  amount: cost,
  opened: created,
})

const jobOf = (row: typeof videoJobs.$inferSelect): VideoJob => ({
  ...row,
  id: row.id as VideoId,
  request: row.request as RequestId,
  account: row.account as AccountId,
  project: row.project as ProjectId,
  key: row.key as KeyId,
  created: row.created as Ms,
  error: row.error as VideoFault | null,
  ended: row.ended as Ms | null,
  expires: row.expires as Ms | null,
  deleted: row.deleted as Ms | null,
})
