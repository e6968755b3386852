import { eq, gte, lt, type SQL } from 'drizzle-orm'
import { firstRequestIdAt, type AccountId } from '../../domain/ids'
import type { AllCallsQuery, OperatorReader } from '../../domain/reports/operator-reader'
import { keys, projects, requests } from '../../storage/schema'
import { openAccountCalls } from './account-calls'
import { openCallDays } from './call-day-filter'
import {
  callConditions,
  isOfStatus,
  openCallRows,
  openReadEnd,
  readCallsPage,
  type CallsRead,
} from './call-pages'
import type { ReadConnection } from '../../storage/sqlite/connection'
import type { ReadDeadline } from '../../storage/sqlite/read-deadline'

/** Calls of everybody, in short reads by their ids; those of a key or project by its account's list. */
export function openAllCalls(
  connection: ReadConnection,
  deadline: ReadDeadline,
): OperatorReader['allCalls'] {
  const callsOfOne = openAccountCalls(connection, deadline)
  const accountOf = openAccountOf(connection)
  const readEnd = openReadEnd(connection)
  const rowsOf = openCallRows(connection)
  const days = openCallDays(connection)

  return async (query) => {
    const { from, to, before: start, max, ...filter } = query
    const account = filter.account ?? accountOf(query)
    if (account === 'nobody') return { calls: [], next: null }
    if (account !== null) return await callsOfOne({ ...query, account })
    const earliest = firstRequestIdAt(from)
    const latest = firstRequestIdAt(to)
    const before: string = start !== null && start < latest ? start : latest
    const wanted = callConditions(filter)
    const indexed = indexedBy(filter)
    const read = (before: string, left: number): CallsRead => {
      const last = readEnd(before, earliest, indexed)
      const place = [lt(requests.id, before), gte(requests.id, last ?? earliest)]
      return { rows: rowsOf([...place, ...wanted], left), next: last }
    }
    return await readCallsPage({ filter, earliest, before, max, read, days, deadline })
  }
}

/** Calls of these have an index of their own, and are looked at alone. */
const indexedBy = ({ status }: Pick<AllCallsQuery, 'status'>): SQL | undefined =>
  status === 'error' || status === 'pending' ? isOfStatus(status) : undefined

/** Whose a key or project is; null where neither is asked for. */
function openAccountOf({ orm }: ReadConnection) {
  return ({
    key,
    project,
  }: Pick<AllCallsQuery, 'key' | 'project'>): AccountId | 'nobody' | null => {
    const named =
      key !== null ? eq(keys.id, key) : project !== null ? eq(projects.id, project) : null
    if (named === null) return null
    const found = orm
      .select({ account: projects.account })
      .from(projects)
      .leftJoin(keys, eq(keys.project, projects.id))
      .where(named)
      .limit(1)
      .get()
    return found?.account ?? 'nobody'
  }
}
