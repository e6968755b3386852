import { eq, inArray, lte } from 'drizzle-orm'
import type { SisterService, SisterStore, TicketStore } from './sso'
import type { TrailFields } from '../../domain/audit-log'
import type { Vault } from '../../storage/files/vault'
import { sisterService, usedTickets } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { WriteAudit } from '../audit-log/audit-log-sql'

const only = 1
/** What the secret of tickets is bound to. */
export const sisterPurpose = 'sister'

/** The sister service, as a row; its secret is sealed. */
export function openSisterRows({ orm }: Connection, vault: Vault, record: WriteAudit): SisterStore {
  const find = (): SisterService | null => {
    const row = orm.select().from(sisterService).where(eq(sisterService.id, only)).get()
    if (row === undefined) return null
    const { name, signInUrl, secret } = row
    return { name, signInUrl, secret: secret === null ? null : vault.open(secret, sisterPurpose) }
  }
  const fields = (): TrailFields | null => {
    const found = find()
    return found === null
      ? null
      : { name: found.name, sign_in_url: found.signInUrl, secret: found.secret }
  }
  return {
    find: async () => find(),
    save: async ({ name, signInUrl, secret }) =>
      record({
        what: 'sister.set',
        work() {
          const row = { name, signInUrl, secret: vault.seal(secret, sisterPurpose) }
          orm
            .insert(sisterService)
            .values({ id: only, ...row })
            .onConflictDoUpdate({ target: sisterService.id, set: row })
            .run()
        },
        subject: () => 'sister',
        before: fields,
        after: fields,
      }),
    remove: async () =>
      record({
        what: 'sister.remove',
        work: () => orm.delete(sisterService).returning().all().length > 0,
        subject: () => 'sister',
        before: fields,
        after: () => null,
      }),
  }
}

/** Tickets that were used, as rows. */
export const openTicketRows = ({ orm, transaction }: Connection): TicketStore => ({
  use: async ({ hash, known }, expires, now) =>
    transaction(() => {
      orm.delete(usedTickets).where(lte(usedTickets.expires, now)).run()
      const used = orm
        .select({ hash: usedTickets.hash })
        .from(usedTickets)
        .where(inArray(usedTickets.hash, [...known]))
        .all()
      if (used.length > 0) return false
      const rows = orm
        .insert(usedTickets)
        .values({ hash, expires })
        .onConflictDoNothing()
        .returning()
        .all()
      return rows.length > 0
    }, 'durable'),
})
