import { and, eq, lte, sql } from 'drizzle-orm'
import type { Ms } from '../../../domain/clock'
import type { ClaimQuery } from './contract'
import { videoJobs } from '../../../storage/schema'
import type { Connection } from '../../../storage/sqlite/connection'

type VideoJobRow = typeof videoJobs.$inferSelect

interface VendorDue {
  readonly vendor: string
  readonly due: number
}

/** Claims of open jobs that are due. Each costs one search of an index, however many are open. */
export function openVideoClaims({ raw, orm, transaction }: Connection) {
  const lines = raw.prepare<VendorDue, []>(vendorsSql)
  // In the words of the index: a parameter would hide it.
  const isOpen = sql`${videoJobs.status} in ('queued', 'in_progress')`
  const dueAt = (vendor: string, now: Ms, most: number): VideoJobRow[] =>
    orm
      .select()
      .from(videoJobs)
      .where(and(isOpen, eq(videoJobs.vendor, vendor), lte(videoJobs.due, now)))
      .orderBy(videoJobs.due)
      .limit(most)
      .all()
  const take = raw.prepare<never, [number, string, number]>(
    'UPDATE video_jobs SET claim = claim + 1, due = ? WHERE id = ? AND claim = ?',
  )
  const pull = raw.prepare<never, [number, number]>(
    `UPDATE video_jobs SET due = ? WHERE status IN ('queued', 'in_progress') AND due > ?`,
  )
  return {
    dueBy: (latest: Ms): void => void transaction(() => pull.run(latest, latest), 'brief'),
    nextDue: (): Ms | null =>
      lines.all().reduce<Ms | null>((least, { due }) => Math.min(least ?? due, due) as Ms, null),
    /** @returns rows with the number of their claim */
    claim({ now, until, mostRunning, running }: ClaimQuery): VideoJobRow[] {
      const roomAt = (vendor: string) => mostRunning - (running.get(vendor) ?? 0)
      const due = lines.all().filter((line) => line.due <= now && roomAt(line.vendor) > 0)
      if (due.length === 0) return []
      const claimed = () =>
        due
          .flatMap(({ vendor }) => dueAt(vendor, now, roomAt(vendor)))
          .filter(({ id, claim }) => take.run(until, id, claim).changes === 1)
          .map((row) => ({ ...row, claim: row.claim + 1 }))
      return transaction(claimed, 'brief')
    },
  }
}

/** Each vendor with its earliest job, found one after the other in the index. */
const vendorsSql = `
  WITH RECURSIVE lines(vendor) AS (
    SELECT min(vendor) FROM video_jobs WHERE status IN ('queued', 'in_progress')
    UNION ALL
    SELECT (SELECT min(vendor) FROM video_jobs
      WHERE status IN ('queued', 'in_progress') AND vendor > lines.vendor)
    FROM lines WHERE lines.vendor IS NOT NULL)
  SELECT vendor, (SELECT min(due) FROM video_jobs
    WHERE status IN ('queued', 'in_progress') AND vendor = lines.vendor) AS due
  FROM lines WHERE vendor IS NOT NULL`
