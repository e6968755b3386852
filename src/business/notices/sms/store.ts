import { asc, desc, eq } from 'drizzle-orm'
import type { SmsProvider, SmsProviderKind, SmsProviderStore } from './provider'
import type { TrailFields } from '../../../domain/audit-log'
import type { Vault } from '../../../storage/files/vault'
import { smsProviders } from '../../../storage/schema'
import type { Connection } from '../../../storage/sqlite/connection'
import type { WriteAudit } from '../../audit-log/audit-log-sql'

/** Providers of SMS, as rows; their keys are sealed. */
export function openSmsProviderRows(
  { orm }: Connection,
  vault: Vault,
  record: WriteAudit,
): SmsProviderStore {
  const list = (): SmsProvider[] =>
    orm
      .select()
      .from(smsProviders)
      .orderBy(asc(smsProviders.position))
      .all()
      .map(({ name, provider, options, secret }) => ({
        name,
        kind: provider as SmsProviderKind,
        options,
        secret: secret === null ? null : vault.open(secret),
      }))
  const now = (name: string): TrailFields | null => {
    const found = list().find((each) => each.name === name)
    return found === undefined
      ? null
      : { provider: found.kind, ...found.options, secret: found.secret }
  }
  const lastPosition = (): number =>
    orm
      .select({ position: smsProviders.position })
      .from(smsProviders)
      .orderBy(desc(smsProviders.position))
      .get()?.position ?? 0
  return {
    list: async () => list(),
    save: async ({ name, kind, options, secret }) =>
      record({
        what: 'sms.set',
        work() {
          const row = {
            provider: kind,
            options,
            secret: secret === null ? null : vault.seal(secret),
          }
          orm
            .insert(smsProviders)
            .values({ name, position: lastPosition() + 1, ...row })
            .onConflictDoUpdate({ target: smsProviders.name, set: row })
            .run()
        },
        subject: () => `sms:${name}`,
        before: () => now(name),
        after: () => now(name),
      }),
    remove: async (name) =>
      record({
        what: 'sms.remove',
        work: () =>
          orm.delete(smsProviders).where(eq(smsProviders.name, name)).returning().all().length > 0,
        subject: () => `sms:${name}`,
        before: () => now(name),
        after: () => null,
      }),
  }
}
