import { and, asc, desc, eq, gt, inArray, lt, ne } from 'drizzle-orm'
import type { AccountReader } from '../../domain/account-reader'
import type { KeyId } from '../../domain/ids'
import { yieldToLoop } from '../../domain/yield-to-loop'
import { keys, projects } from '../schema'
import { openAccountCalls } from './account-calls'
import { openAccountUsage } from './account-usage'
import type { Connection } from './database'
import { keyOf, projectOf } from './rows'
import type { Sums } from './sums'

const namesInRead = 1000

/** What pages show of one account: lists by their indexes, a page at a time. */
export function openAccountReader(connection: Connection, sums: Sums): AccountReader {
  const { orm, raw } = connection
  const lastDay = raw.prepare<{ day: number }, [number, number]>(
    'SELECT day FROM usage_days WHERE project = ? AND key = ? ORDER BY day DESC LIMIT 1',
  )
  return {
    projects: async ({ account, after, max }) =>
      orm
        .select()
        .from(projects)
        .where(
          and(eq(projects.account, account), after === null ? undefined : gt(projects.id, after)),
        )
        .orderBy(asc(projects.id))
        .limit(max)
        .all()
        .map(projectOf),
    keys: async ({ account, project, before, revoked, max }) =>
      orm
        .select({ key: keys })
        .from(keys)
        .innerJoin(projects, eq(projects.id, keys.project))
        .where(
          and(
            eq(projects.account, account),
            project === null ? undefined : eq(keys.project, project),
            before === null ? undefined : lt(keys.id, before),
            revoked ? eq(keys.state, 'revoked') : ne(keys.state, 'revoked'),
          ),
        )
        .orderBy(desc(keys.id))
        .limit(max)
        .all()
        .map(({ key }) => ({ ...keyOf(key), created: key.created, madeBy: key.madeBy })),
    async keyNames(account, ids) {
      const names = new Map<KeyId, string>()
      for (let from = 0; from < ids.length; from += namesInRead) {
        for (const { id, name } of orm
          .select({ id: keys.id, name: keys.name })
          .from(keys)
          .innerJoin(projects, eq(projects.id, keys.project))
          .where(
            and(
              eq(projects.account, account),
              inArray(keys.id, ids.slice(from, from + namesInRead)),
            ),
          )
          .all())
          names.set(id, name)
        await yieldToLoop()
      }
      return names
    },
    async lastUsed(project, key) {
      sums.writeProject(project)
      return lastDay.get(project, key)?.day ?? null
    },
    usage: openAccountUsage(connection, sums),
    calls: openAccountCalls(connection),
  }
}
