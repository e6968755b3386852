import { eq, sql } from 'drizzle-orm'
import type { Caller } from '../../domain/caller'
import type { IdentityStore } from '../../identity/identity'
import { accounts, keys, projects } from '../schema'
import type { Connection } from './database'
import { accountOf, keyOf, projectOf } from './rows'
import type { Rows } from './store-rows'

/** Callers by the hash of their secret: one indexed look-up. */
export function openIdentityRows({ orm }: Connection): Rows<IdentityStore> {
  const byHash = orm
    .select()
    .from(keys)
    .innerJoin(projects, eq(projects.id, keys.project))
    .innerJoin(accounts, eq(accounts.id, projects.account))
    .where(eq(keys.hash, sql.placeholder('hash')))
    .limit(1)
    .prepare()
  return {
    findByHash(hash) {
      const row = byHash.get({ hash })
      if (row === undefined) return null
      const caller: Caller = {
        account: accountOf(row.accounts),
        project: projectOf(row.projects),
        key: keyOf(row.keys),
      }
      return { caller, hash: row.keys.hash }
    },
  }
}
