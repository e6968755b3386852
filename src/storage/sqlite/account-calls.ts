import { and, desc, eq, gte, lt } from 'drizzle-orm'
import type { AccountReader } from '../../domain/account-reader'
import { firstRequestIdAt } from '../../domain/ids'
import type { RecordedCall } from '../../domain/report'
import { yieldToLoop } from '../../domain/yield-to-loop'
import { requests } from '../schema'
import type { Connection } from './database'
import { recordOf } from './reports'

/** Calls of everybody looked at in one read: a few milliseconds. */
const callsInRead = 2_000
/** Reads for one page; whoever asks goes on from where it ended. */
const maxReads = 250

/**
 * Calls of one account, in short reads by their ids, which grow with time. Calls of others lie in
 * between: a page ends when it is full, or when it has looked at half a million.
 */
export function openAccountCalls(connection: Connection): AccountReader['calls'] {
  const { orm, raw } = connection
  const readEnd = raw.prepare<{ id: string }, [string, string]>(
    `SELECT id FROM requests WHERE id < ? AND id >= ? ORDER BY id DESC LIMIT 1 OFFSET ${callsInRead - 1}`,
  )
  const refund = raw.prepare<{ amount: number }, [string]>(
    `SELECT amount FROM transfers WHERE kind = 'refund' AND reference = ?`,
  )
  return async ({ from, to, account, project, key, model, status, before: start, max }) => {
    const first = firstRequestIdAt(from)
    const wanted = [
      eq(requests.account, account),
      project === null ? undefined : eq(requests.project, project),
      key === null ? undefined : eq(requests.key, key),
      model === null ? undefined : eq(requests.model, model),
      status === null ? undefined : eq(requests.status, status),
    ]
    const calls: RecordedCall[] = []
    const latest = firstRequestIdAt(to)
    let before = start !== null && start < latest ? (start as string) : latest
    for (let reads = 0; reads < maxReads; reads++) {
      const last: string | null = readEnd.get(before, first)?.id ?? null
      const rows = orm
        .select()
        .from(requests)
        .where(and(lt(requests.id, before), gte(requests.id, last ?? first), ...wanted))
        .orderBy(desc(requests.id))
        .limit(max - calls.length)
        .all()
      for (const row of rows) calls.push(recordOf(row, refund.get(row.id)?.amount ?? 0))
      if (calls.length >= max) return { calls, next: calls.at(-1)?.id ?? null }
      if (last === null) return { calls, next: null }
      before = last
      await yieldToLoop()
    }
    return { calls, next: before }
  }
}
