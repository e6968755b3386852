import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import {
  firstRequestIdAt,
  type AccountId,
  type KeyId,
  type ProjectId,
  type RequestId,
} from '../../domain/ids'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import type { EndpointName } from '../../domain/model'
import { nanoUsd, zeroUsd } from '../../domain/money'
import type { CallFilter, CallQuery, RecordedCall, Reports } from '../../domain/report'
import type { Units } from '../../domain/usage'
import { requests } from '../schema'
import type { Connection } from './database'
import { freshDaysOfProject } from './fresh-charges'
import { openLedgerLines } from './ledger-lines'
import type { Sums } from './sums'

/** Calls looked at in one read: a few tens of milliseconds. */
export const callsInPage = 20_000

/** Cold reads of what was written. */
export function openReports(connection: Connection, sums: Sums): Reports {
  const { orm, raw } = connection
  const usage = {
    day: raw.prepare<UsageRow, [number, number, number]>(usageSql.day),
    model: raw.prepare<UsageRow, [number, number, number]>(usageSql.model),
    key: raw.prepare<UsageRow, [number, number, number]>(usageSql.key),
  }
  const refund = raw.prepare<{ amount: number }, [string]>(
    `SELECT amount FROM transfers WHERE kind = 'refund' AND reference = ?`,
  )
  const callOf = (row: RequestRow): RecordedCall => recordOf(row, refund.get(row.id)?.amount ?? 0)

  const { pagesOf, eachCall } = openCallPages(connection, callOf)
  return {
    call(id, project) {
      const row = orm
        .select()
        .from(requests)
        .where(
          and(eq(requests.id, id), project === null ? undefined : eq(requests.project, project)),
        )
        .get()
      return row === undefined ? null : callOf(row)
    },
    usage({ project, fromDay, toDay, group }) {
      sums.writeProject(project)
      const rows = usage[group].all(project, fromDay, toDay)
      return rows.map(({ day, model, ...row }) => ({
        ...row,
        key: group === 'day' ? dayOf((day * dayMs) as Ms) : model,
        cost: nanoUsd(row.cost),
      }))
    },
    calls: (query) => [...eachCall(query)],
    eachCall,
    countCalls({ from, to, ...filter }) {
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
    ledger: openLedgerLines(connection),
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

interface UsageRow {
  readonly day: number
  readonly model: string
  readonly requests: number
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
}

/** Parameters: the project, first and last day. */
const usageBy = (columns: string, order: string): string => `
  SELECT ${columns}, sum(requests) AS requests, sum(errors) AS errors,
    sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens, sum(cost) AS cost
  FROM (
    ${freshDaysOfProject} AND created / ${dayMs} BETWEEN ?2 AND ?3
    UNION ALL SELECT * FROM usage_days WHERE project = ?1 AND day BETWEEN ?2 AND ?3
  ) GROUP BY 1, 2 ORDER BY ${order}`

const usageSql = {
  day: usageBy(`day, '' AS model`, 'day'),
  model: usageBy('0 AS day, model', 'cost DESC, model'),
  key: usageBy('0 AS day, CAST(key AS TEXT) AS model', 'cost DESC, model'),
}

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
  units: units === null ? tokensOf(row) : (JSON.parse(units) as Units),
})

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
