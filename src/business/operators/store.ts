import { and, asc, desc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { isoOf, type Clock } from '../../domain/clock'
import { only, trailed } from '../../domain/fields/field'
import { operatorFields } from '../../domain/fields/operator-fields'
import type { OperatorId, OperatorKeyId } from '../../domain/ids'
import type { NewOperatorLink, Operator, OperatorKey, OperatorStore, RoleChange } from './operator'
import type { Actor, TrailFields } from '../../domain/audit-log'
import type { Vault } from '../../storage/files/vault'
import {
  operatorKeys,
  operatorLinks,
  operatorPasskeyChallenges,
  operatorPasskeys,
  operatorRecoveryCodes,
  operators,
  operatorSessions,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { forgetWrongCodes } from './login-attempt-store'
import { endedFields, nothingEnded, openOperatorEndings } from './session-end-store'
import { openOperatorRights } from './grant-store'
import type { WriteAudit } from '../audit-log/audit-log-sql'

/** What a sealed secret of one-time codes is bound to. */
export const totpPurpose = 'operator-totp'

export interface OperatorRowsParts {
  readonly connection: Connection
  readonly vault: Vault
  readonly clock: Clock
}

export const operatorOf = (row: typeof operators.$inferSelect): Operator => ({
  id: row.id,
  ...only(operatorFields, row),
  isReady: row.password !== null,
  created: row.created,
})

/** Operators and their keys, each change with its line of the trail. */
export function openOperatorRows(
  { connection, vault, clock }: OperatorRowsParts,
  record: WriteAudit,
  who: Actor,
): OperatorStore {
  const { orm } = connection
  const found = openFinding(connection)
  const { find, fieldsNow, subjectOf } = found
  const keepLink = openLinkKeeping(connection, vault, who)
  const endings = openOperatorEndings(connection, clock)

  return {
    list: async () =>
      orm
        .select()
        .from(operators)
        .where(isNull(operators.removed))
        .orderBy(asc(operators.name))
        .all()
        .map(operatorOf),
    add: async (wanted, link) =>
      record({
        what: 'operator.add',
        work() {
          const [row] = orm
            .insert(operators)
            .values({ ...only(operatorFields, wanted), created: clock.now() })
            .onConflictDoNothing()
            .returning()
            .all()
          if (row === undefined) return null
          keepLink(row.id, link)
          return operatorOf(row)
        },
        subject: () => `operator:${wanted.name}`,
        before: () => null,
        after: (made) => (made === null ? null : trailed(operatorFields, wanted)),
      }),
    ...openRoleRows({ connection, clock, record, found, endings }),
    reset: async (id, link) =>
      record({
        what: 'operator.reset',
        work() {
          const operator = find(id)
          if (operator !== null) forgetAccess(connection, operator)
          const ended =
            operator === null ? nothingEnded : endings.endAll(`operator:${operator.name}`)
          keepLink(id, link)
          return ended
        },
        subject: subjectOf(id),
        before: () => fieldsNow(id),
        after: (ended) => ({ ...fieldsNow(id), link: 'made', ...endedFields(ended) }),
      }),
    link: async (id, link) =>
      record({
        what: 'operator.link',
        work: () => keepLink(id, link),
        subject: id === null ? () => 'operator:' : subjectOf(id),
        before: () => null,
        // A gateway that nobody operates yet makes one each time that it begins.
        after: () => (who === 'service' ? null : { expires: new Date(link.expires).toISOString() }),
      }),
    ...openKeyRows({ connection, clock, record, endings }, who),
  }
}

/** An operator by their number, and as the trail tells of them. */
function openFinding({ orm }: Connection) {
  const find = (id: OperatorId): Operator | null => {
    const row = orm
      .select()
      .from(operators)
      .where(and(eq(operators.id, id), isNull(operators.removed)))
      .limit(1)
      .get()
    return row === undefined ? null : operatorOf(row)
  }
  const fieldsNow = (id: OperatorId): TrailFields | null => {
    const found = find(id)
    return found === null ? null : { ...trailed(operatorFields, found), ready: found.isReady }
  }
  const subjectOf = (id: OperatorId) => () => `operator:${find(id)?.name ?? id}`
  return { find, fieldsNow, subjectOf }
}

interface RoleRowsParts extends Pick<OperatorRowsParts, 'connection' | 'clock'> {
  readonly record: WriteAudit
  readonly found: ReturnType<typeof openFinding>
  readonly endings: ReturnType<typeof openOperatorEndings>
}

const endedBy = (change: RoleChange): TrailFields | null =>
  typeof change === 'string' ? null : endedFields(change)

function openRoleRows({
  connection,
  clock,
  record,
  found: { find, fieldsNow, subjectOf },
  endings,
}: RoleRowsParts): Pick<OperatorStore, 'setRole' | 'remove'> {
  const { orm } = connection
  return {
    setRole: async (id, role) =>
      record({
        what: 'operator.set',
        work(): RoleChange {
          const found = find(id)
          if (found === null) return 'missing'
          if (role !== 'owner' && isLastOwner(connection, found)) return 'last_owner'
          orm.update(operators).set({ role }).where(eq(operators.id, id)).run()
          return endings.lower(found, role)
        },
        subject: subjectOf(id),
        before: () => fieldsNow(id),
        after: (change) => ({ ...fieldsNow(id), ...endedBy(change) }),
      }),
    remove: async (id) => {
      const subject = subjectOf(id)()
      return record({
        what: 'operator.remove',
        work(): RoleChange {
          const found = find(id)
          if (found === null) return 'missing'
          if (isLastOwner(connection, found)) return 'last_owner'
          forgetAccess(connection, found)
          orm.update(operators).set({ removed: clock.now() }).where(eq(operators.id, id)).run()
          return endings.endAll(`operator:${found.name}`)
        },
        subject: () => subject,
        before: () => fieldsNow(id),
        after: (change) => (typeof change === 'string' ? fieldsNow(id) : endedFields(change)),
      })
    },
  }
}

/** An owner who can sign in, without whom nobody could who may do everything. */
function isLastOwner({ orm }: Connection, { id, role, isReady }: Operator): boolean {
  if (role !== 'owner' || !isReady) return false
  const other = orm
    .select({ id: operators.id })
    .from(operators)
    .where(
      and(
        eq(operators.role, 'owner'),
        isNotNull(operators.password),
        isNull(operators.removed),
        ne(operators.id, id),
      ),
    )
    .limit(1)
    .get()
  return other === undefined
}

/** Nothing that they had signs them in any more. */
function forgetAccess(connection: Connection, { id, name }: Pick<Operator, 'id' | 'name'>): void {
  const { orm } = connection
  forgetWrongCodes(connection, name)
  for (const table of [operatorSessions, operatorRecoveryCodes, operatorLinks])
    orm.delete(table).where(eq(table.operator, id)).run()
  for (const table of [operatorPasskeys, operatorPasskeyChallenges])
    orm.delete(table).where(eq(table.owner, id)).run()
  orm
    .update(operators)
    .set({ password: null, totp: null, totpStep: 0 })
    .where(eq(operators.id, id))
    .run()
}

/** One link of an operator at a time, and one for the first owner. */
const openLinkKeeping =
  ({ orm }: Connection, vault: Vault, by: Actor) =>
  (operator: OperatorId | null, { hash, totp, expires }: NewOperatorLink): void => {
    const earlier =
      operator === null ? isNull(operatorLinks.operator) : eq(operatorLinks.operator, operator)
    orm.delete(operatorLinks).where(earlier).run()
    orm
      .insert(operatorLinks)
      .values({ hash, operator, totp: vault.seal(totp, totpPurpose), expires, by })
      .run()
  }

const operatorKeyOf = ({ hash: _, ...row }: typeof operatorKeys.$inferSelect): OperatorKey => row

function openKeyRows(
  { connection, clock, record, endings }: Omit<RoleRowsParts, 'found'>,
  by: Actor,
): Pick<OperatorStore, 'keys' | 'addKey' | 'revokeKey'> {
  const { orm } = connection
  const rights = openOperatorRights(connection)
  const find = (id: OperatorKeyId): OperatorKey | null => {
    const row = orm.select().from(operatorKeys).where(eq(operatorKeys.id, id)).limit(1).get()
    return row === undefined ? null : operatorKeyOf(row)
  }
  const fieldsOf = (key: OperatorKey | null): TrailFields | null =>
    key === null
      ? null
      : {
          name: key.name,
          role: key.role,
          prefix: key.prefix,
          expires: isoOf(key.expires),
          revoked: key.revoked !== null,
        }
  return {
    keys: async () =>
      orm
        .select()
        .from(operatorKeys)
        .orderBy(desc(operatorKeys.id))
        .all()
        .map((row) => ({
          ...operatorKeyOf(row),
          effectiveRole: rights.ofKey(row, clock.now())?.role ?? null,
        })),
    addKey: async (key, hash) =>
      record<OperatorKey>({
        what: 'operator_key.create',
        work() {
          const [row] = orm
            .insert(operatorKeys)
            .values({ ...key, hash, by, created: clock.now() })
            .returning()
            .all()
          if (row === undefined) throw new Error('no operator key was made')
          return operatorKeyOf(row)
        },
        subject: ({ id }) => `operator_key:${id}`,
        before: () => null,
        after: fieldsOf,
      }),
    revokeKey: async (id) =>
      record({
        what: 'operator_key.revoke',
        work() {
          orm
            .update(operatorKeys)
            .set({ revoked: sql`coalesce(${operatorKeys.revoked}, ${clock.now()})` })
            .where(eq(operatorKeys.id, id))
            .run()
          const key = find(id)
          return key === null ? null : { key, ended: endings.endKey(key) }
        },
        subject: () => `operator_key:${id}`,
        before: () => fieldsOf(find(id)),
        after: (revoked) =>
          revoked === null ? null : { ...fieldsOf(revoked.key), ...endedFields(revoked.ended) },
      }),
  }
}
