import { eq, sql, type SQL } from 'drizzle-orm'
import type { Caller } from '../../domain/caller'
import type { IdentityStore } from '../../gateway/identity/key-lookup'
import { accountGroups, accounts, keys, projects } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { accountOf, keyOf, projectOf } from './account-rows'
import type { Rows } from '../../storage/sqlite/sync-store'

/** Callers by the hash of their secret, or by the number of their key: one indexed look-up. */
export function openIdentityRows({ orm }: Connection): Rows<IdentityStore> {
  const by = (condition: SQL) =>
    orm
      .select()
      .from(keys)
      .innerJoin(projects, eq(projects.id, keys.project))
      .innerJoin(accounts, eq(accounts.id, projects.account))
      .leftJoin(accountGroups, eq(accountGroups.id, accounts.group))
      .where(condition)
      .limit(1)
      .prepare()
  const byHash = by(eq(keys.hash, sql.placeholder('hash')))
  const byKey = by(eq(keys.id, sql.placeholder('key')))
  const callerIn = (row: NonNullable<ReturnType<typeof byHash.get>>): Caller => ({
    account: accountOf(row.accounts, row.account_groups),
    project: projectOf(row.projects),
    key: keyOf(row.keys),
  })
  return {
    findByHash(hash) {
      const row = byHash.get({ hash })
      return row === undefined ? null : { caller: callerIn(row), hash: row.keys.hash }
    },
    findByKey(key) {
      const row = byKey.get({ key })
      return row === undefined ? null : callerIn(row)
    },
  }
}
