import type { Clock } from '../../domain/clock'
import type { AccountId, RequestId } from '../../domain/ids'
import { nanoUsd } from '../../domain/money'
import { houseAccounts } from '../system-accounts'
import type { Connection } from '../../storage/sqlite/connection'
import type { Sums } from '../sums/aggregator'
import { openUncoveredCharges } from './shortfall'

interface RecoveryParts {
  readonly sums: Sums
  readonly clock: Clock
  /** Writes the spool and tells how many calls ended by that. */
  replay(): number
  /** Calls of processes that go on. */
  readonly running: ReadonlySet<RequestId>
}

/**
 * Charges that an earlier process spooled are written; calls that it left pending become errors.
 * They cost what they owed for what was over, mostly nothing, and their holds died with it. Then the
 * sums are brought up to the last charge. All are found by an index, whatever the history.
 * @returns how many calls
 */
export const recover = (
  connection: Connection,
  { sums, clock, replay, running }: RecoveryParts,
): number =>
  connection.transaction(() => {
    const ended = replay()
    const aside = setAside(connection, running)
    const owed = chargeOwed(connection, clock)
    sums.recover()
    endLostVideos(connection, running)
    connection.raw.prepare(claimedVideosSql).run()
    const lost = connection.raw.prepare(recoverSql).run().changes
    aside.putBack()
    return ended + owed + lost
  }, 'durable')

/** Calls that others go on with are none of those, inside of the transaction. */
function setAside({ raw }: Connection, running: ReadonlySet<RequestId>) {
  const set = raw.prepare('UPDATE requests SET status = ? WHERE id = ? AND status = ?')
  const aside = [...running].filter((id) => set.run('success', id, 'pending').changes > 0)
  return {
    putBack() {
      for (const id of aside) set.run('pending', id, 'success')
    },
  }
}

interface OwingRow {
  readonly id: string
  readonly account: AccountId
  readonly owed: number
  readonly created: number
}

/** @returns how many calls owed something */
function chargeOwed(connection: Connection, clock: Clock): number {
  const { raw } = connection
  const cover = openUncoveredCharges(connection, clock)
  const rows = raw
    .prepare<OwingRow, []>(
      `SELECT id, account, owed, created FROM requests INDEXED BY requests_pending
      WHERE status = 'pending' AND owed > 0`,
    )
    .all()
  const transfer = raw.prepare(`
    INSERT INTO transfers (debit, credit, amount, kind, reference, created)
    VALUES (?, ${houseAccounts.revenue}, ?, 'charge', ?, ?)`)
  const move = raw.prepare<{ balance: number }, [number, number]>(
    'UPDATE accounts SET balance = balance + ? WHERE id = ? RETURNING balance',
  )
  const end = raw.prepare(`
    UPDATE requests SET status = 'error', error = 'gateway_error', cost = owed WHERE id = ?`)
  for (const { id, account, owed, created } of rows) {
    transfer.run(account, owed, id, created)
    const balance = nanoUsd(move.get(-owed, account)?.balance ?? 0)
    move.get(owed, houseAccounts.revenue)
    cover({ account, calls: [{ id, cost: nanoUsd(owed) }], balance })
    end.run(id)
  }
  return rows.length
}

/**
 * Their calls are among those: whether a vendor took them is not known, so they cost nothing. Nobody
 * was told of them, but their owner may look for what became of them.
 */
function endLostVideos({ raw }: Connection, running: ReadonlySet<RequestId>): void {
  const creating = raw.prepare<{ id: string; request: RequestId }, []>(`
    SELECT id, request FROM video_jobs
    WHERE status IN ('creating', 'queued', 'in_progress') AND status = 'creating'`)
  const end = raw.prepare(`
    UPDATE video_jobs SET status = 'failed', error = 'creation_lost', ended = created WHERE id = ?`)
  for (const { id, request } of creating.all()) if (!running.has(request)) end.run(id)
}

/** Claims of looks died with their process: every open job is looked at anew. */
const claimedVideosSql = `
  UPDATE video_jobs SET due = created WHERE status IN ('queued', 'in_progress')`

const recoverSql = `
  UPDATE requests INDEXED BY requests_pending SET status = 'error', error = 'gateway_error'
  WHERE status = 'pending'`
