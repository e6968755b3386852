import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { AccountReader, ListedKey } from '../../domain/reports/account-reader'
import type { KeyId, ProjectId } from '../../domain/ids'
import { yieldToLoop } from '../../domain/yield-to-loop'
import { keys, projects } from '../../storage/schema'
import { openAccountCalls } from '../usage/account-calls'
import { openAccountStatement } from '../usage/account-statement'
import { openAccountUsage } from '../usage/account-usage'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { openLastDays } from './last-used'
import { openLedgerLines } from '../../ledger/store/ledger-lines'
import { openProjectUsage } from '../usage/project-usage'
import type { ReadDeadline } from '../../storage/sqlite/read-deadline'
import { keyOf, projectOf } from './account-rows'

const namesInRead = 1000

/** Reads by their indexes, a page at a time, on any connection to the database. */
export function openAccountReader(
  connection: ReadConnection,
  deadline: ReadDeadline,
): AccountReader {
  const { orm } = connection
  const projectUsage = openProjectUsage(connection)
  const calls = openAccountCalls(connection, deadline)
  return {
    projects: async ({ account, after, text, max }) =>
      orm
        .select()
        .from(projects)
        .where(
          and(
            eq(projects.account, account),
            after === null ? undefined : gt(projects.id, after),
            text === null
              ? undefined
              : sql`lower(${projects.name}) like lower(${`%${text.replaceAll(/[%_!]/g, '!$&')}%`}) escape '!'`,
          ),
        )
        .orderBy(asc(projects.id))
        .limit(max)
        .all()
        .map(projectOf),
    keys: openKeyList(connection),
    async keyNames(account, ids) {
      const names = new Map<KeyId, string>()
      for (const some of slicesOf(ids)) {
        for (const { id, name } of orm
          .select({ id: keys.id, name: keys.name })
          .from(keys)
          .innerJoin(projects, eq(projects.id, keys.project))
          .where(and(eq(projects.account, account), inArray(keys.id, some)))
          .all())
          names.set(id, name)
        await yieldToLoop()
      }
      return names
    },
    async projectNames(account, ids) {
      const names = new Map<ProjectId, string>()
      for (const some of slicesOf(ids)) {
        for (const { id, name } of orm
          .select({ id: projects.id, name: projects.name })
          .from(projects)
          .where(and(eq(projects.account, account), inArray(projects.id, some)))
          .all())
          names.set(id, name)
        await yieldToLoop()
      }
      return names
    },
    lastDays: openLastDays(connection),
    ...openAccountUsage(connection, deadline),
    projectUsage: async (query) => projectUsage(query),
    calls,
    statement: openAccountStatement(connection, calls),
    ledger: openLedgerLines(connection, deadline),
  }
}

const slicesOf = <Id>(ids: readonly Id[]): readonly Id[][] =>
  Array.from({ length: Math.ceil(ids.length / namesInRead) }, (_, at) =>
    ids.slice(at * namesInRead, (at + 1) * namesInRead),
  )

interface ListedIds {
  readonly account: number
  readonly project: number | null
  readonly before: number | null
  readonly max: number
}

/**
 * Ids first, from an index that holds nothing else: an account's keys lie in several projects, so
 * the newest of them are found by looking at all.
 */
const listedIds = (index: string, condition: string): string => `
  SELECT k.id FROM projects p INDEXED BY projects_account
  CROSS JOIN keys k INDEXED BY ${index} ON k.project = p.id
  WHERE p.account = $account AND ($project IS NULL OR p.id = $project)
    AND k.state ${condition} AND ($before IS NULL OR k.id < $before) AND in_time(k.id)
  ORDER BY k.id DESC LIMIT $max`

function openKeyList({ orm, raw }: ReadConnection): AccountReader['keys'] {
  const ids = (sql: string) => raw.prepare<{ id: KeyId }, [ListedIds & Record<string, number>]>(sql)
  const kept = ids(listedIds('keys_kept', `<> 'revoked'`))
  const ended = ids(listedIds('keys_revoked', `= 'revoked'`))
  return async ({ account, project, before, revoked, max }) => {
    const asked = { account, project, before, max } as ListedIds & Record<string, number>
    const listed = (revoked ? ended : kept).all(asked).map(({ id }) => id)
    if (listed.length === 0) return []
    const rows = orm.select().from(keys).where(inArray(keys.id, listed)).all()
    return rows.map(listedOf).toSorted((one, other) => other.id - one.id)
  }
}

const listedOf = (row: typeof keys.$inferSelect): ListedKey => ({
  ...keyOf(row),
  created: row.created,
  madeBy: row.madeBy,
})
