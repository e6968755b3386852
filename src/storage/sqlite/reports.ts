import { and, asc, between, desc, eq, sql } from 'drizzle-orm'
import type { KeyId, RequestId, AccountId, ProjectId } from '../../domain/ids'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import type { EndpointName } from '../../domain/model'
import { nanoUsd } from '../../domain/money'
import type { RecordedCall, Reports } from '../../domain/report'
import type { Units } from '../../domain/usage'
import { requests, usageDays } from '../schema'
import type { Connection } from './database'

/** Cold reads of what was written. */
export const openReports = ({ orm }: Connection): Reports => ({
  call(id, project) {
    const row = orm
      .select()
      .from(requests)
      .where(and(eq(requests.id, id), project === null ? undefined : eq(requests.project, project)))
      .get()
    return row === undefined ? null : callOf(row)
  },
  usage({ project, fromDay, toDay, group }) {
    const cost = sql<number>`sum(${usageDays.cost})`
    const byDay = group === 'day'
    const rows = orm
      .select({
        day: byDay ? usageDays.day : sql<number>`0`,
        model: byDay ? sql<string>`''` : usageDays.model,
        requests: sql<number>`sum(${usageDays.requests})`,
        errors: sql<number>`sum(${usageDays.errors})`,
        inputTokens: sql<number>`sum(${usageDays.inputTokens})`,
        outputTokens: sql<number>`sum(${usageDays.outputTokens})`,
        cost,
      })
      .from(usageDays)
      .where(and(eq(usageDays.project, project), between(usageDays.day, fromDay, toDay)))
      .groupBy(byDay ? usageDays.day : usageDays.model)
      .orderBy(byDay ? asc(usageDays.day) : desc(cost), asc(usageDays.model))
      .all()
    return rows.map(({ day, model, ...sums }) => ({
      ...sums,
      key: byDay ? dayOf((day * dayMs) as Ms) : model,
      cost: nanoUsd(sums.cost),
    }))
  },
})

const callOf = ({ address: _, units, ...row }: typeof requests.$inferSelect): RecordedCall => ({
  ...row,
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
