import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import {
  firstRequestIdAt,
  type AccountId,
  type KeyId,
  type ProjectId,
  type RequestId,
} from '../../domain/ids'
import type { Ms } from '../../domain/clock'
import type { EndpointName } from '../../domain/model'
import { nanoUsd, zeroUsd } from '../../domain/money'
import type { CallFilter, CallQuery, RecordedCall, Reports } from '../../domain/reports/report'
import type { Units } from '../../domain/usage'
import { requests } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openProjectUsage } from './project-usage'
import { openServiceUsage } from './service-usage'
import type { Sums } from '../../ledger/sums/aggregator'

/** Calls looked at in one read: a few tens of milliseconds. */
export const callsInPage = 20_000

/** Cold reads of what was written. */
export function openReports(connection: Connection, sums: Sums): Reports {
  const { orm, raw } = connection
  const usage = openProjectUsage(connection)
  const serviceUsage = openServiceUsage(connection)
  const refund = raw.prepare<{ amount: number }, [string]>(
    `SELECT amount FROM transfers WHERE kind = 'refund' AND reference = ?`,
  )
  const callOf = (row: RequestRow): RecordedCall => recordOf(row, refund.get(row.id)?.amount ?? 0)

  const newest = raw.prepare<{ at: Ms | null }, []>(`
    SELECT max(at) AS at FROM (
      SELECT (SELECT created FROM requests WHERE id > '' ORDER BY id DESC LIMIT 1) AS at
      UNION ALL SELECT (SELECT created FROM transfers WHERE id > 0 ORDER BY id DESC LIMIT 1)
      UNION ALL SELECT (SELECT at FROM trail WHERE id > 0 ORDER BY id DESC LIMIT 1)) AS newest`)
  const { pagesOf, eachCall } = openCallPages(connection, callOf)
  return {
    async call(id, project) {
      const row = orm
        .select()
        .from(requests)
        .where(
          and(eq(requests.id, id), project === null ? undefined : eq(requests.project, project)),
        )
        .get()
      return row === undefined ? null : callOf(row)
    },
    async usage(query) {
      // There is less to add up then.
      sums.writeProject(query.project)
      return usage(query)
    },
    serviceUsage: async (query) => serviceUsage(query),
    newest: async () => newest.get()?.at ?? null,
    calls: async (query) => [...eachCall(query)],
    async *eachCall(query) {
      yield* eachCall(query)
    },
    async countCalls({ from, to, ...filter }) {
      let count = 0
      for (const page of pagesOf(from, to))
        count +=
          orm
            .select({ count: sql<number>`count(*)` })
            .from(requests)
            .where(and(...page, ...wantedOf(filter)))
            .get()?.count ?? 0
      return count
    },
  }
}

/** Calls of a span, read in pages: a read that lasts keeps the log from beginning anew. */
function openCallPages({ orm, raw }: Connection, callOf: (row: RequestRow) => RecordedCall) {
  const pageEnd = raw.prepare<{ id: string }, [string, string]>(
    `SELECT id FROM requests WHERE id < ? AND id >= ? ORDER BY id DESC LIMIT 1 OFFSET ${callsInPage - 1}`,
  )

  /** What the calls of each page fulfil, newest first. */
  function* pagesOf(from: Ms, to: Ms) {
    const first = firstRequestIdAt(from)
    for (let before: string | null = firstRequestIdAt(to); before !== null;) {
      const last: string | null = pageEnd.get(before, first)?.id ?? null
      yield [lt(requests.id, before), gte(requests.id, last ?? first)]
      before = last
    }
  }

  function* eachCall({ from, to, most, ...filter }: CallQuery): Generator<RecordedCall> {
    let left = most
    for (const page of pagesOf(from, to)) {
      const rows = orm
        .select()
        .from(requests)
        .where(and(...page, ...wantedOf(filter)))
        .orderBy(desc(requests.id))
        .limit(left)
        .all()
      for (const row of rows) yield callOf(row)
      left -= rows.length
      if (left <= 0) return
    }
  }
  return { pagesOf, eachCall }
}

const wantedOf = ({ account, project, key, model, status }: CallFilter) => [
  account === null ? undefined : eq(requests.account, account),
  project === null ? undefined : eq(requests.project, project),
  key === null ? undefined : eq(requests.key, key),
  model === null ? undefined : eq(requests.model, model),
  status === null ? undefined : eq(requests.status, status),
]

type RequestRow = typeof requests.$inferSelect

/** A call as it is on record. @param refunded nano-dollars of it that went back */
export const recordOf = ({ units, owed, ...row }: RequestRow, refunded: number): RecordedCall => ({
  ...row,
  cost: row.status === 'pending' ? (owed ?? zeroUsd) : row.cost,
  refunded: nanoUsd(refunded),
  id: row.id as RequestId,
  account: row.account as AccountId,
  project: row.project as ProjectId,
  key: row.key as KeyId,
  endpoint: row.endpoint as EndpointName,
  created: row.created as Ms,
  units: unitsOf({ ...row, units }),
})

/** Units of a row. */
export const unitsOf = ({
  units,
  ...tokens
}: Pick<RequestRow, 'units' | 'inputTokens' | 'cachedTokens' | 'outputTokens'>): Units =>
  units === null ? tokensOf(tokens) : (JSON.parse(units) as Units)

/** Where the counts say it all, they are all there is. */
const tokensOf = (row: {
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
}): Units => ({
  input: row.inputTokens - row.cachedTokens,
  cached_input: row.cachedTokens,
  output: row.outputTokens,
})
