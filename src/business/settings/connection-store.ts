import { eq } from 'drizzle-orm'
import type { Connected, ConnectionName, ConnectionStore } from './connection'
import type { TrailFields } from '../../domain/audit-log'
import type { Vault } from '../../storage/files/vault'
import { connections } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { WriteAudit } from '../audit-log/audit-log-sql'

/** What the secret of a connection is bound to. */
export const purposeOfConnection = (name: string): string => `connection:${name}`

/** Services outside, as rows; their secrets are sealed. */
export function openConnectionRows(
  { orm }: Connection,
  vault: Vault,
  record: WriteAudit,
): ConnectionStore {
  const find = (name: ConnectionName): Connected | null => {
    const row = orm.select().from(connections).where(eq(connections.name, name)).get()
    if (row === undefined) return null
    const { fields, secret } = row
    return {
      fields,
      secret: secret === null ? null : vault.open(secret, purposeOfConnection(name)),
    }
  }
  const told = (name: ConnectionName): TrailFields | null => {
    const found = find(name)
    return found === null ? null : { ...found.fields, secret: found.secret }
  }
  return {
    find: async (name) => find(name),
    save: async (name, { fields, secret }) =>
      record({
        what: `${name}.set`,
        work() {
          const row = {
            fields,
            secret: secret === null ? null : vault.seal(secret, purposeOfConnection(name)),
          }
          orm
            .insert(connections)
            .values({ name, ...row })
            .onConflictDoUpdate({ target: connections.name, set: row })
            .run()
        },
        subject: () => name,
        before: () => told(name),
        after: () => told(name),
      }),
    remove: async (name) =>
      record({
        what: `${name}.remove`,
        work: () =>
          orm.delete(connections).where(eq(connections.name, name)).returning().all().length > 0,
        subject: () => name,
        before: () => told(name),
        after: () => null,
      }),
  }
}
