import type { RequestId } from '../../domain/ids'
import { plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { SpoolRecord } from '../spool-record'
import type { Batch } from '../store'
import type { Connection } from '../../storage/sqlite/connection'

/** What calls cost that the spool holds and the database does not. */
interface Waiting {
  readonly calls: number
  readonly cost: NanoUsd
}

/**
 * The batch that brings the database up to a spool: a call that has ended there is left alone, so
 * each is charged once however often this is done.
 */
export function batchToReplay({ raw }: Connection, records: readonly SpoolRecord[]): Batch {
  const find = raw.prepare<PendingRow, [string]>(
    'SELECT status, owed, model, card_version AS "cardVersion" FROM requests WHERE id = ?',
  )
  const last = lastOf(records)
  const opened: Batch['opened'][number][] = []
  const reopened: Batch['opened'][number][] = []
  const owed: NonNullable<Batch['owed']>[number][] = []
  const ended: Batch['ended'][number][] = []
  for (const record of last.values()) {
    const row = find.get(record.opening.id)
    if (row !== null && row.status !== 'pending') continue
    if (row !== null && isOther(row, record)) reopened.push(record.opening)
    if ('ending' in record) ended.push({ ...record, wasOpened: row !== null })
    else if (record.owed.cost > (row?.owed ?? 0)) {
      if (row === null) opened.push(record.opening)
      owed.push(record)
    }
  }
  return { opened, reopened, owed, ended, spent: [] }
}

/** What was said last of each call; its end is the last word, wherever it stands. */
function lastOf(records: readonly SpoolRecord[]): ReadonlyMap<RequestId, SpoolRecord> {
  const last = new Map<RequestId, SpoolRecord>()
  for (const record of records) {
    const { id } = record.opening
    const before = last.get(id)
    const isOver = before !== undefined && 'ending' in before
    if (!isOver || 'ending' in record) last.set(id, record)
  }
  return last
}

interface PendingRow {
  readonly status: string
  readonly owed: number | null
  readonly model: string
  readonly cardVersion: string
}

/** Whether another model answered than the row names. */
const isOther = ({ model, cardVersion }: PendingRow, { opening }: SpoolRecord): boolean =>
  model !== opening.model || cardVersion !== opening.cardVersion

/** What would be charged by replaying. */
export function waitingIn(connection: Connection, records: readonly SpoolRecord[]): Waiting {
  const { ended, owed = [] } = batchToReplay(connection, records)
  const costs = [...ended.map(({ ending }) => ending.cost), ...owed.map((each) => each.owed.cost)]
  return { calls: costs.length, cost: costs.reduce(plus, zeroUsd) }
}
