import { asc, desc, eq } from 'drizzle-orm'
import type { GatewayConfig, GatewayConfigStore } from './gateway-config'
import type { TrailFields } from '../../domain/audit-log'
import type { Vault } from '../../storage/files/vault'
import { cardGateways } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { WriteAudit } from '../audit-log/audit-log-sql'

/** Gateways, as rows; their secrets are sealed. */
export function openCardGatewayRows(
  { orm }: Connection,
  vault: Vault,
  record: WriteAudit,
): GatewayConfigStore {
  const list = (): GatewayConfig[] =>
    orm
      .select()
      .from(cardGateways)
      .orderBy(asc(cardGateways.position))
      .all()
      .map(({ name, kind, options, secret }) => ({
        name,
        kind,
        options,
        secret: secret === null ? null : vault.open(secret),
      }))
  const now = (name: string): TrailFields | null => {
    const found = list().find((each) => each.name === name)
    return found === undefined ? null : { kind: found.kind, ...found.options, secret: found.secret }
  }
  const lastPosition = (): number =>
    orm
      .select({ position: cardGateways.position })
      .from(cardGateways)
      .orderBy(desc(cardGateways.position))
      .limit(1)
      .get()?.position ?? 0
  return {
    list: async () => list(),
    save: async ({ name, kind, options, secret }) =>
      record({
        what: 'gateway.set',
        work() {
          const row = { kind, options, secret: secret === null ? null : vault.seal(secret) }
          orm
            .insert(cardGateways)
            .values({ name, position: lastPosition() + 1, ...row })
            .onConflictDoUpdate({ target: cardGateways.name, set: row })
            .run()
        },
        subject: () => `gateway:${name}`,
        before: () => now(name),
        after: () => now(name),
      }),
    remove: async (name) =>
      record({
        what: 'gateway.remove',
        work: () =>
          orm.delete(cardGateways).where(eq(cardGateways.name, name)).returning().all().length > 0,
        subject: () => `gateway:${name}`,
        before: () => now(name),
        after: () => null,
      }),
  }
}
