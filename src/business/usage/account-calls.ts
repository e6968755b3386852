import { eq, gte, inArray, lt } from 'drizzle-orm'
import type { AccountReader } from '../../domain/reports/account-reader'
import { firstRequestIdAt } from '../../domain/ids'
import { requests } from '../../storage/schema'
import { openCallDays } from './call-day-filter'
import {
  callConditions,
  callsInRead,
  openCallRows,
  readCallsPage,
  type CallsRead,
} from './call-pages'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { freshCallsOfAccount } from '../../ledger/sums/unaggregated'
import type { ReadDeadline } from '../../storage/sqlite/read-deadline'

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

/** Calls of one account, in short reads by their ids, which grow with time. */
export function openAccountCalls(
  connection: ReadConnection,
  deadline: ReadDeadline,
): AccountReader['calls'] {
  const { raw } = connection
  const ids = raw.prepare<{ id: string }, [Range]>(idsSql)
  const rowsOf = openCallRows(connection)
  const days = openCallDays(connection)

  return async ({ from, to, before: start, max, ...filter }) => {
    const { account, status } = filter
    const earliest = firstRequestIdAt(from)
    const latest = firstRequestIdAt(to)
    const wanted = callConditions(filter)
    const isFiltered = wanted.some((each) => each !== undefined)
    const before: string = start !== null && start < latest ? start : latest
    const read = (before: string, left: number): CallsRead => {
      const most = isFiltered ? callsInRead : left
      const listed = ids.all({ account, first: earliest, before, max: most }).map(({ id }) => id)
      const rows =
        listed.length === 0 ? [] : rowsOf([inArray(requests.id, listed), ...wanted], left)
      return { rows, next: listed.length < most ? null : (listed.at(-1) ?? null) }
    }
    /** Few of all: what runs. */
    const readRunning = (before: string, left: number): CallsRead => {
      const place = [lt(requests.id, before), gte(requests.id, earliest)]
      const rows = rowsOf([...place, eq(requests.account, account), ...wanted], left)
      return { rows, next: null }
    }
    const reading = status === 'pending' ? readRunning : read
    return await readCallsPage({ filter, earliest, before, max, read: reading, days, deadline })
  }
}
