import { and, asc, count, desc, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm'
import { dayNumber, type Clock, type Ms } from '../../../domain/clock'
import type { AccountId, KeyId, ProjectId, RequestId, VideoId } from '../../../domain/ids'
import { minus, nanoUsd } from '../../../domain/money'
import type { Refund, VideoFault, VideoJob } from '../../../domain/video-job'
import { isRefunded } from '../../../domain/video-job'
import type { VideoChange, VideoStore } from './contract'
import type { VideoOutcome } from '../../../domain/video-job'
import { houseAccounts } from '../../../ledger/system-accounts'
import { videoJobs } from '../../../storage/schema'
import type { Connection } from '../../../storage/sqlite/connection'
import { openFloorRecovery } from '../../../ledger/store/balance-alert-reset'
import { recordOfRequest, type RefundedRecord } from '../../../ledger/sums/profit-sums'
import type { Rows } from '../../../storage/sqlite/sync-store'
import type { Sums } from '../../../ledger/sums/aggregator'
import { openUncoveredRefunds } from '../../../ledger/store/shortfall'
import { openUsageWriter } from '../../../ledger/sums/usage-sums'
import { openVideoClaims } from './claim-store'

/** Video jobs, and the charges that go back because of them. */
export function openVideoRows(connection: Connection, sums: Sums, clock: Clock): Rows<VideoStore> {
  const { orm } = connection
  const claims = openVideoClaims(connection)
  return {
    begin(job) {
      orm.insert(videoJobs).values(job).run()
    },
    claim: (query) =>
      claims.claim(query).map((row) => {
        const { claim, failures, missing } = row
        return { job: jobOf(row), claim, failures, missing }
      }),
    dueBy: claims.dueBy,
    nextDue: claims.nextDue,
    ...openVideoReads(connection),
    advance: openAdvance(connection, sums, clock),
    remove({ id, deleted }) {
      orm
        .update(videoJobs)
        .set({ deleted })
        .where(and(eq(videoJobs.id, id), isNull(videoJobs.deleted)))
        .run()
    },
  }
}

type VideoReads = Pick<VideoStore, 'open' | 'overdue' | 'countOpen' | 'openOf' | 'find' | 'list'>

function openVideoReads({ orm }: Connection): Rows<VideoReads> {
  // What the indexes hold, in their words: a parameter would hide it.
  const shown = sql`${videoJobs.deleted} is null and ${videoJobs.status} <> 'creating'`
  const shownTo = (project: ProjectId | null) =>
    project === null ? [] : [eq(videoJobs.project, project), shown]
  // In the words of the index of open jobs, and then those that are not only being created.
  const isOpen = sql`${videoJobs.status} in ('creating', 'queued', 'in_progress')
    and ${videoJobs.status} in ('queued', 'in_progress')`
  return {
    open: () =>
      orm.select().from(videoJobs).where(isOpen).orderBy(asc(videoJobs.id)).all().map(jobOf),
    overdue: (ordered, most) =>
      orm
        .select()
        .from(videoJobs)
        .where(and(isOpen, lte(videoJobs.created, ordered)))
        .limit(most)
        .all()
        .map(jobOf),
    countOpen: () => orm.select({ count: count() }).from(videoJobs).where(isOpen).get()?.count ?? 0,
    openOf(request) {
      const row = orm
        .select()
        .from(videoJobs)
        .where(and(isOpen, eq(videoJobs.request, request)))
        .get()
      return row === undefined ? null : jobOf(row)
    },
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
  }
}

function openAdvance(
  connection: Connection,
  sums: Sums,
  clock: Clock,
): Rows<VideoStore>['advance'] {
  const { raw } = connection
  const giveBack = openRefund(connection, clock)
  const recordFailure = openFailures(connection)
  const advance = raw.prepare(`UPDATE video_jobs SET ${advancedSql} WHERE ${openSql}`)
  const advanceClaimed = raw.prepare(`
    UPDATE video_jobs SET ${advancedSql}, due = ?, failures = ?, missing = ?
    WHERE ${openSql} AND claim = ?`)
  /** @returns whether the job was changed */
  const write = ({ job, claimed }: VideoChange): boolean => {
    const { id, status, progress, error, ended, expires, deleted } = job
    const values = [status, progress, error, ended, expires, deleted] as const
    if (claimed === null) return advance.run(...values, id).changes === 1
    const { due, failures, missing, claim } = claimed
    return advanceClaimed.run(...values, due, failures, missing, id, claim).changes === 1
  }

  return (changes, durable) => {
    let last: number | null = null
    const refunds = connection.transaction(
      () => {
        const back: Refund[] = []
        for (const change of changes) {
          const { job } = change
          if (!write(change) || !isRefunded(job)) continue
          if (job.status === 'failed') recordFailure(job)
          if (job.cost === 0) continue
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
  }
}

const advancedSql = 'status = ?, progress = ?, error = ?, ended = ?, expires = ?, deleted = ?'
const openSql = `id = ? AND status IN ('queued', 'in_progress')`

/**
 * Writes on the record of a call that its job failed, inside of the transaction that ends the job. In the sums of days
 * the refund counts the error, as of `countedError`; a call without a cost has none, and is counted here.
 */
function openFailures(connection: Connection): (job: VideoJob) => void {
  const { raw } = connection
  const fail = raw.prepare(
    `UPDATE requests SET status = 'error', error = ? WHERE id = ? AND status = 'success'`,
  )
  const recordOf = raw.prepare<RefundedRecord, [string]>(recordOfRequest)
  const utc = openUsageWriter(connection, 'utc')
  const zone = openUsageWriter(connection, 'zone')
  return ({ request, project, key, created, cost, error }) => {
    if (fail.run(error, request).changes !== 1 || cost !== 0) return
    const record = recordOf.get(request)
    if (record === null) throw new Error(`no record of ${request}`)
    const { model, zoneDay } = record
    utc.add([project, dayNumber(created), key, model], [0, 1, 0, 0, 0, 0])
    zone.add([project, zoneDay, key, model], [0, 1, 0, 0, 0, 0])
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

const jobOf = ({
  due: _due,
  claim: _claim,
  failures: _failures,
  missing: _missing,
  ...row
}: typeof videoJobs.$inferSelect): VideoJob => ({
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

/**
 * Gives the charge of a call back, whole and once, inside of the caller's transaction. What the service bore of it
 * goes to the service.
 * @returns the number of the transfer
 * @throws Error from the database when it was given back before
 */
function openRefund(connection: Connection, clock: Clock): (refund: Refund) => number {
  const { raw } = connection
  const transfer = raw.prepare(`
    INSERT INTO transfers (debit, credit, amount, kind, reference, created)
    VALUES (${houseAccounts.revenue}, ?, ?, 'refund', ?, ?)`)
  const move = raw.prepare<{ balance: number }, [number, number]>(
    'UPDATE accounts SET balance = balance + ? WHERE id = ? RETURNING balance',
  )
  const recoverFloors = openFloorRecovery(connection)
  const takeBorne = openUncoveredRefunds(connection, clock)

  return ({ request, account, amount }) => {
    const time = clock.now()
    const { lastInsertRowid } = transfer.run(account, amount, request, time)
    move.get(-amount, houseAccounts.revenue)
    const row = move.get(amount, account)
    if (row === null) throw new Error(`no account ${account}`)
    recoverFloors(
      account,
      minus(nanoUsd(row.balance), takeBorne({ request, account, amount })),
      time,
    )
    return Number(lastInsertRowid)
  }
}

/** Writes what came of asking a vendor for a video, inside of the transaction of its charge. */
export function openVideoOutcomes({ raw }: Connection): (row: object) => void {
  const refuse = raw.prepare(`DELETE FROM video_jobs WHERE id = ? AND status = 'creating'`)
  const accept = raw.prepare(`
    UPDATE video_jobs SET status = ?, progress = ?, cost = ?, vendor = ?, vendor_model = ?,
      vendor_job = ?, vendor_credential = ?, due = ? WHERE id = ? AND status = 'creating'`)

  return (row) => {
    const { id, accepted, due } = row as VideoOutcome
    if (accepted === null) return void refuse.run(id)
    const { status, progress, cost, vendor, vendorModel, vendorJob, vendorCredential } = accepted
    const maker = [vendor, vendorModel, vendorJob, vendorCredential] as const
    const written = accept.run(status, progress, cost, ...maker, due ?? accepted.created, id)
    // A charge without its job must not be.
    if (written.changes !== 1) throw new Error(`no video ${id} is being created`)
  }
}
