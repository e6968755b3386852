import { and, desc, eq, gte, inArray, lt, type SQL } from 'drizzle-orm'
import type { AccountReader, CallsQuery } from '../../domain/account-reader'
import { firstRequestIdAt } from '../../domain/ids'
import type { RecordedCall } from '../../domain/report'
import { yieldToLoop } from '../../domain/yield-to-loop'
import { requests } from '../schema'
import type { ReadConnection } from './database'
import { freshCallsOfAccount } from './fresh-charges'
import type { ReadDeadline } from './read-deadline'
import { recordOf } from './reports'

/** Calls looked at in one read: a few milliseconds. */
const callsInRead = 2_000
/** Reads for one page; whoever asks goes on from where it ended. */
const maxReads = 250

interface Range extends Record<string, number | string> {
  readonly account: number
  readonly first: string
  readonly before: string
  readonly max: number
}

const inRange = 'id >= $first AND id < $before'

/** Ids of one account's calls: in its index, on their way there, and running. Newest first. */
const idsSql = `
  SELECT id FROM (
    SELECT id FROM (SELECT request AS id FROM account_calls WHERE account = $account
      AND request >= $first AND request < $before ORDER BY request DESC LIMIT $max) AS found
    UNION SELECT id FROM (SELECT request AS id FROM (${freshCallsOfAccount}) AS found) AS found
      WHERE ${inRange}
    UNION SELECT id FROM requests INDEXED BY requests_pending
      WHERE status = 'pending' AND account = $account AND ${inRange}
  ) AS found ORDER BY id DESC LIMIT $max`

/**
 * Calls of one account, in short reads by their ids, which grow with time. Those of before there was
 * an index of accounts lie among everybody's until they are in it.
 */
export function openAccountCalls(
  connection: ReadConnection,
  deadline: ReadDeadline,
): AccountReader['calls'] {
  const { orm, raw } = connection
  const ids = raw.prepare<{ id: string }, [Range]>(idsSql)
  const everybodys = raw.prepare<{ id: string }, [string, string]>(
    `SELECT id FROM requests WHERE id < ? AND id >= ? ORDER BY id DESC LIMIT 1 OFFSET ${callsInRead - 1}`,
  )
  const indexedFrom = raw.prepare<{ before: string }, []>('SELECT before FROM account_calls_fill')
  const refund = raw.prepare<{ amount: number }, [string]>(
    `SELECT amount FROM transfers WHERE kind = 'refund' AND reference = ?`,
  )
  const read = (where: (SQL | undefined)[], max: number): RecordedCall[] =>
    orm
      .select()
      .from(requests)
      .where(and(...where))
      .orderBy(desc(requests.id))
      .limit(max)
      .all()
      .map((row) => recordOf(row, refund.get(row.id)?.amount ?? 0))

  return async ({ from, to, account, before: start, max, ...filter }) => {
    const earliest = firstRequestIdAt(from)
    const latest = firstRequestIdAt(to)
    const wanted = wantedOf(filter)
    const isFiltered = wanted.some((each) => each !== undefined)
    /** The rows of one read, and where the next one begins; null where nothing is left. */
    const step = (before: string, left: number) => {
      const indexed = indexedFrom.get()?.before ?? ''
      if (before > indexed) {
        const first = indexed > earliest ? indexed : earliest
        const most = isFiltered ? callsInRead : left
        const listed = ids.all({ account, first, before, max: most }).map(({ id }) => id)
        const rows =
          listed.length === 0 ? [] : read([inArray(requests.id, listed), ...wanted], left)
        const isWhole = listed.length < most
        return { rows, next: isWhole ? (first > earliest ? first : null) : (listed.at(-1) ?? null) }
      }
      const last = everybodys.get(before, earliest)?.id ?? null
      const place = [lt(requests.id, before), gte(requests.id, last ?? earliest)]
      return { rows: read([...place, eq(requests.account, account), ...wanted], left), next: last }
    }
    const calls: RecordedCall[] = []
    let before: string = start !== null && start < latest ? start : latest
    for (let reads = 0; reads < maxReads && !deadline.isNear(); reads++) {
      const { rows, next } = step(before, max - calls.length)
      calls.push(...rows)
      if (calls.length >= max) return { calls, next: calls.at(-1)?.id ?? null }
      if (next === null) return { calls, next: null }
      before = next
      await yieldToLoop()
    }
    return { calls, next: before }
  }
}

const wantedOf = ({
  project,
  key,
  model,
  status,
}: Pick<CallsQuery, 'project' | 'key' | 'model' | 'status'>) => [
  project === null ? undefined : eq(requests.project, project),
  key === null ? undefined : eq(requests.key, key),
  model === null ? undefined : eq(requests.model, model),
  status === null ? undefined : eq(requests.status, status),
]
