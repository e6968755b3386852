import { and, desc, eq, gte, lt, lte, sql, type Placeholder } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { AccountId, KeyId, ProjectId, RequestId } from '../../domain/ids'
import type { EndpointName } from '../../domain/model'
import type { RefusalStore, RefusedCalls } from '../../domain/refused-calls'
import { refusedCalls } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

/** Lines that are kept. */
const maxRefusalLines = 10_000

const noKey = 0

/** Refused calls, as rows. */
export function openRefusalRows({ orm, transaction }: Connection): RefusalStore {
  const put = orm
    .insert(refusedCalls)
    .values({
      minute: placeholder('minute'),
      key: placeholder('key'),
      source: placeholder('source'),
      code: placeholder('code'),
      account: placeholder('account'),
      project: placeholder('project'),
      count: placeholder('count'),
      endpoint: placeholder('endpoint'),
      address: placeholder('address'),
      request: placeholder('request'),
      time: placeholder('time'),
    })
    .onConflictDoUpdate({
      target: [refusedCalls.minute, refusedCalls.key, refusedCalls.source, refusedCalls.code],
      set: {
        count: sql`${refusedCalls.count} + excluded.count`,
        endpoint: sql`excluded.endpoint`,
        address: sql`excluded.address`,
        request: sql`excluded.request`,
        time: sql`excluded.time`,
      },
    })
    .prepare()
  const newest = orm
    .select({ id: refusedCalls.id })
    .from(refusedCalls)
    .orderBy(desc(refusedCalls.id))
    .limit(1)
    .prepare()

  return {
    add: async (lines) =>
      transaction(() => {
        for (const line of lines) put.run({ ...line, key: line.key ?? noKey })
        const last = newest.get()?.id ?? 0
        orm
          .delete(refusedCalls)
          .where(lte(refusedCalls.id, last - maxRefusalLines))
          .run()
      }, 'brief'),
    list: async ({ from, to, account, project, key }) =>
      orm
        .select()
        .from(refusedCalls)
        .where(
          and(
            gte(refusedCalls.time, from),
            lt(refusedCalls.time, to),
            account === null ? undefined : eq(refusedCalls.account, account),
            project === null ? undefined : eq(refusedCalls.project, project),
            key === null ? undefined : eq(refusedCalls.key, key),
          ),
        )
        .orderBy(desc(refusedCalls.time), desc(refusedCalls.id))
        .all()
        .map(lineOf),
  }
}

const placeholder = <Name extends string>(name: Name): Placeholder<Name> => sql.placeholder(name)

const lineOf = ({ id: _, ...row }: typeof refusedCalls.$inferSelect): RefusedCalls => ({
  ...row,
  minute: row.minute as Ms,
  key: row.key === noKey ? null : (row.key as KeyId),
  account: row.account as AccountId | null,
  project: row.project as ProjectId | null,
  endpoint: row.endpoint as EndpointName | null,
  request: row.request as RequestId,
  time: row.time as Ms,
})
