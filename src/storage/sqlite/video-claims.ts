import type { Ms } from '../../domain/clock'
import type { VideoId } from '../../domain/ids'
import type { ClaimQuery, LookCounts } from '../../endpoints/videos/store'
import type { Connection } from './database'

/** A claim as it was made. */
interface ClaimRow extends LookCounts {
  readonly id: VideoId
  readonly claim: number
}

interface VendorDue {
  readonly vendor: string
  readonly due: number
}

/** Claims of open jobs that are due. Each costs one search of an index, however many are open. */
export function openVideoClaims({ raw, transaction }: Connection) {
  const lines = raw.prepare<VendorDue, []>(vendorsSql)
  const dueAt = raw.prepare<ClaimRow, [string, number, number]>(
    `SELECT id, claim, failures, missing FROM video_jobs
    WHERE status IN ('queued', 'in_progress') AND vendor = ? AND due <= ? ORDER BY due LIMIT ?`,
  )
  const take = raw.prepare<never, [number, string, number]>(
    'UPDATE video_jobs SET claim = claim + 1, due = ? WHERE id = ? AND claim = ?',
  )
  return {
    nextDue: (): Ms | null =>
      lines.all().reduce<Ms | null>((least, { due }) => Math.min(least ?? due, due) as Ms, null),
    claim({ now, until, mostRunning, running }: ClaimQuery): ClaimRow[] {
      const roomAt = (vendor: string) => mostRunning - (running.get(vendor) ?? 0)
      const due = lines.all().filter((line) => line.due <= now && roomAt(line.vendor) > 0)
      if (due.length === 0) return []
      const claimed = () =>
        due
          .flatMap(({ vendor }) => dueAt.all(vendor, now, roomAt(vendor)))
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
