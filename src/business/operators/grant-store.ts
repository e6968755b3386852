import { and, asc, eq, gt, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { KeyRights, OperatorKey } from './operator'
import type { OperatorRole } from '../../domain/fields/operator-fields'
import { lesserRole } from '../../domain/role'
import type { Actor } from '../../domain/audit-log'
import { operatorKeys, operators } from '../../storage/schema'
import type { ReadConnection } from '../../storage/sqlite/connection'

type KeyRow = Omit<typeof operatorKeys.$inferSelect, 'hash'>

const keyActor = ({ prefix }: Pick<OperatorKey, 'prefix'>): Actor => `operator-key:${prefix}`

/**
 * Rights of operators and their keys, resolved at each use: a key has at most the role that its maker has
 * now, and is over once its maker is. A maker may be a key as well.
 */
export function openOperatorRights({ orm }: Pick<ReadConnection, 'orm'>) {
  const roleOfOperator = (name: string): OperatorRole | null =>
    orm
      .select({ role: operators.role })
      .from(operators)
      .where(
        and(eq(operators.name, name), isNull(operators.removed), isNotNull(operators.password)),
      )
      .get()?.role ?? null

  const rightsOfKey = (key: KeyRow, now: Ms): KeyRights | null => {
    if (key.revoked !== null || (key.expires !== null && key.expires <= now)) return null
    const maker = rightsOfMaker(key, now)
    if (maker === null) return null
    return { role: lesserRole(key.role, maker.role), grantor: maker.grantor ?? keyActor(key) }
  }
  /** Null once it is over; a command on the machine grants everything, and nobody answers for it. */
  const rightsOfMaker = (
    { by, id }: KeyRow,
    now: Ms,
  ): { readonly role: OperatorRole; readonly grantor: Actor | null } | null => {
    const [kind, name] = parted(by)
    if (kind === 'command' || kind === 'service') return { role: 'owner', grantor: null }
    if (kind === 'operator') {
      const role = roleOfOperator(name)
      return role === null ? null : { role, grantor: by }
    }
    const earlier = orm
      .select()
      .from(operatorKeys)
      .where(and(eq(operatorKeys.prefix, name), lt(operatorKeys.id, id)))
      .orderBy(asc(operatorKeys.id))
      .all()
    return least(earlier.map((key) => rightsOfKey(key, now)))
  }
  return {
    /** Null once the key is over. */
    ofKey: rightsOfKey,
    /** Role of an actor as the trail names them; null for who has none by now. */
    roleOf(who: Actor, now: Ms): OperatorRole | null {
      const [kind, name] = parted(who)
      if (kind === 'operator') return roleOfOperator(name)
      if (kind !== 'operator-key') return null
      const rows = orm
        .select()
        .from(operatorKeys)
        .where(and(eq(operatorKeys.prefix, name), isNull(operatorKeys.revoked)))
        .all()
      return least(rows.map((key) => rightsOfKey(key, now)))?.role ?? null
    },
    /** An actor, and every key that hangs on them by now. */
    keysUnder(who: Actor, now: Ms): readonly KeyRow[] {
      const makers = new Set([who])
      return unendedKeys(orm, now).filter((key) => {
        const isUnder = makers.has(key.by)
        if (isUnder) makers.add(keyActor(key))
        return isUnder
      })
    },
    keyActor,
  }
}

/** Keys that are neither revoked nor expired, the earliest first. */
const unendedKeys = (orm: ReadConnection['orm'], now: Ms): readonly KeyRow[] =>
  orm
    .select()
    .from(operatorKeys)
    .where(
      and(
        isNull(operatorKeys.revoked),
        or(isNull(operatorKeys.expires), gt(operatorKeys.expires, now)),
      ),
    )
    .orderBy(asc(operatorKeys.id))
    .all()

const parted = (who: Actor): readonly [kind: string, name: string] => {
  const colon = who.indexOf(':')
  return colon < 0 ? [who, ''] : [who.slice(0, colon), who.slice(colon + 1)]
}

/** The least of several keys that begin alike, as good as never more than one; null where one is over. */
function least<Rights extends { readonly role: OperatorRole }>(
  all: readonly (Rights | null)[],
): Rights | null {
  return all.reduce<Rights | null>((chosen, each, at) => {
    if (each === null || (at > 0 && chosen === null)) return null
    return chosen === null || lesserRole(each.role, chosen.role) === each.role ? each : chosen
  }, null)
}
