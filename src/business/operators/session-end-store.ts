import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import type { EndedRights, Operator, OperatorKey } from './operator'
import type { OperatorRole } from '../../domain/fields/operator-fields'
import { mayAs } from '../../domain/role'
import type { Actor, TrailFields } from '../../domain/audit-log'
import { impersonations, operatorKeys, operatorLinks, operators } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openOperatorRights } from './grant-store'

/** Ends what an operator or a key granted to others, inside of the caller's transaction. */
export function openOperatorEndings(connection: Connection, clock: Clock) {
  const { orm } = connection
  const rights = openOperatorRights(connection)
  type Keys = ReturnType<typeof rights.keysUnder>

  const revoke = (keys: Keys): void => {
    if (keys.length === 0) return
    const ids = keys.map(({ id }) => id)
    orm
      .update(operatorKeys)
      .set({ revoked: clock.now() })
      .where(inArray(operatorKeys.id, ids))
      .run()
  }
  /** Links that were made and not followed. @returns names of those whom they were for */
  const endLinks = (makers: readonly Actor[]): readonly string[] =>
    orm
      .delete(operatorLinks)
      .where(inArray(operatorLinks.by, [...makers]))
      .returning({ operator: operatorLinks.operator })
      .all()
      .map(({ operator }) =>
        operator === null
          ? ''
          : (orm
              .select({ name: operators.name })
              .from(operators)
              .where(eq(operators.id, operator))
              .get()?.name ?? ''),
      )
  const endLooks = (makers: readonly Actor[]): number =>
    orm
      .update(impersonations)
      .set({ ended: clock.now() })
      .where(
        and(isNull(impersonations.ended), or(...makers.map((who) => eq(impersonations.who, who)))),
      )
      .returning({ id: impersonations.id })
      .all().length
  const under = (who: Actor) => {
    const keys = rights.keysUnder(who, clock.now())
    return { keys, makers: [who, ...keys.map(rights.keyActor)] }
  }

  return {
    /** Everything of somebody who is no operator any more, or begins anew. */
    endAll(who: Actor): EndedRights {
      const { keys, makers } = under(who)
      revoke(keys)
      return { keys: keys.map(told), lowered: [], links: endLinks(makers), looks: endLooks(makers) }
    },
    /** What a lower role does not grant; keys stay, with that role. */
    lower({ name, role: before }: Operator, role: OperatorRole): EndedRights {
      if (mayAs(role, before)) return nothingEnded
      const { keys, makers } = under(`operator:${name}`)
      return {
        keys: [],
        lowered: keys.filter((key) => !mayAs(role, key.role)).map(told),
        links: endLinks(makers),
        looks: role === 'viewer' ? endLooks(makers) : 0,
      }
    },
    /** Keys that a key made, with all that is theirs; its own links and visits too. */
    endKey(key: OperatorKey): EndedRights {
      return this.endAll(rights.keyActor(key))
    },
  }
}

export const nothingEnded: EndedRights = { keys: [], lowered: [], links: [], looks: 0 }

const told = ({ id, name, prefix }: OperatorKey) => ({ id, name, prefix })

/** Lines of the trail name what ended; null where nothing did. */
export function endedFields({ keys, lowered, links, looks }: EndedRights): TrailFields | null {
  const named = (each: readonly { readonly id: number }[]) => each.map(({ id }) => id)
  const fields = {
    ...(keys.length === 0 ? {} : { ended_keys: named(keys) }),
    ...(lowered.length === 0 ? {} : { lowered_keys: named(lowered) }),
    ...(links.length === 0 ? {} : { ended_links: links }),
    ...(looks === 0 ? {} : { ended_looks: looks }),
  }
  return Object.keys(fields).length === 0 ? null : fields
}
