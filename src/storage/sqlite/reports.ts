import { and, eq } from 'drizzle-orm'
import type { KeyId, RequestId, AccountId, ProjectId } from '../../domain/ids'
import type { Ms } from '../../domain/clock'
import type { EndpointName } from '../../domain/model'
import type { RecordedCall, Reports } from '../../domain/report'
import type { Units } from '../../domain/usage'
import { requests } from '../schema'
import type { Connection } from './database'

/** Cold reads of what was written. */
export const openReports = ({ orm }: Connection): Reports => ({
  call(id, project) {
    const row = orm
      .select()
      .from(requests)
      .where(and(eq(requests.id, id), eq(requests.project, project)))
      .get()
    return row === undefined ? null : callOf(row)
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
