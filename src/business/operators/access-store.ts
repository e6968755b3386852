import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { OperatorId } from '../../domain/ids'
import type { OperatorAccessStore } from './access-contract'
import type { Operator } from './operator'
import {
  operatorKeys,
  operatorLinks,
  operatorRecoveryCodes,
  operators,
  operatorSessions,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openOperatorRights } from './grant-store'
import { openOperatorTryRows } from './login-attempt-store'
import { operatorOf, totpPurpose, type OperatorRowsParts } from './store'
import type { RecordBy } from '../audit-log/audit-log-sql'

interface AccessRowsParts extends OperatorRowsParts {
  readonly recordBy: RecordBy
}

/** What operators sign in with, as rows. */
export function openOperatorAccessRows(parts: AccessRowsParts): OperatorAccessStore {
  const { connection } = parts
  const { orm } = connection
  const rights = openOperatorRights(connection)
  return {
    isSetUp: async () => isSetUp(connection),
    async secretsOf(name) {
      const row = orm
        .select()
        .from(operators)
        .where(and(eq(operators.name, name), isNull(operators.removed)))
        .limit(1)
        .get()
      if (row === undefined || row.password === null || row.totp === null) return null
      const totp = parts.vault.open(row.totp, totpPurpose)
      return totp === null ? null : { operator: operatorOf(row), password: row.password, totp }
    },
    async operatorById(id) {
      const row = orm
        .select()
        .from(operators)
        .where(and(eq(operators.id, id), isNotNull(operators.password), isNull(operators.removed)))
        .limit(1)
        .get()
      return row === undefined ? null : operatorOf(row)
    },
    async findKey(hash, now) {
      const row = orm.select().from(operatorKeys).where(eq(operatorKeys.hash, hash)).limit(1).get()
      const found = row === undefined ? null : rights.ofKey(row, now)
      return row === undefined || found === null ? null : { id: row.id, ...found }
    },
    ...openLinkRows(parts),
    ...openOperatorTryRows(connection),
    ...openCodeRows(connection),
    ...openSessionRows(parts),
  }
}

const isSetUp = ({ orm }: Connection): boolean =>
  orm
    .select({ id: operators.id })
    .from(operators)
    .where(and(isNotNull(operators.password), isNull(operators.removed)))
    .limit(1)
    .get() !== undefined

function openLinkRows({
  connection,
  vault,
  clock,
  recordBy,
}: AccessRowsParts): Pick<OperatorAccessStore, 'findLink' | 'useLink'> {
  const { orm } = connection
  const addOwner = openOwnerRows({ connection, clock })
  const byId = (id: OperatorId): Operator | null => {
    const row = orm.select().from(operators).where(eq(operators.id, id)).limit(1).get()
    return row === undefined ? null : operatorOf(row)
  }
  const linkOf = (hash: string, now: Ms) => {
    const row = orm
      .select()
      .from(operatorLinks)
      .where(and(eq(operatorLinks.hash, hash), gt(operatorLinks.expires, now)))
      .limit(1)
      .get()
    // A link for the first owner is none once there is one.
    return row === undefined || (row.operator === null && isSetUp(connection)) ? null : row
  }
  return {
    async findLink(hash, now) {
      const row = linkOf(hash, now)
      const totp = row === null ? null : vault.open(row.totp, totpPurpose)
      if (row === null || totp === null) return null
      const operator = row.operator === null ? null : byId(row.operator)
      return { hash, totp, expires: row.expires, operator }
    },
    useLink: async (hash, { name, password, totpStep, recoveryHashes }, now) =>
      recordBy(`operator:${name}`)({
        what: 'operator.setup',
        work() {
          const link = linkOf(hash, now)
          if (link === null) return null
          const id = link.operator ?? addOwner(name)
          if (id === null) return 'taken'
          orm.delete(operatorLinks).where(eq(operatorLinks.hash, hash)).run()
          orm
            .update(operators)
            .set({ password, totp: link.totp, totpStep })
            .where(eq(operators.id, id))
            .run()
          orm.delete(operatorRecoveryCodes).where(eq(operatorRecoveryCodes.operator, id)).run()
          orm
            .insert(operatorRecoveryCodes)
            .values(recoveryHashes.map((each) => ({ hash: each, operator: id })))
            .run()
          return byId(id)
        },
        subject: () => `operator:${name}`,
        before: () => null,
        after: (made) =>
          made === null || made === 'taken' ? null : { name: made.name, role: made.role },
      }),
  }
}

/** Makes an owner; null where the name is taken. One who never followed a link is the same. */
const openOwnerRows =
  ({ connection: { orm }, clock }: Pick<AccessRowsParts, 'connection' | 'clock'>) =>
  (name: string): OperatorId | null => {
    const known = orm.select().from(operators).where(eq(operators.name, name)).limit(1).get()
    if (known === undefined)
      return (
        orm
          .insert(operators)
          .values({ name, role: 'owner', created: clock.now() })
          .returning({ id: operators.id })
          .all()[0]?.id ?? null
      )
    if (known.removed !== null || known.password !== null) return null
    orm.update(operators).set({ role: 'owner' }).where(eq(operators.id, known.id)).run()
    return known.id
  }

function openCodeRows({
  orm,
  transaction,
}: Connection): Pick<OperatorAccessStore, 'useCode' | 'useRecoveryCode'> {
  return {
    useCode: async (operator, step) =>
      transaction(
        () =>
          orm
            .update(operators)
            .set({ totpStep: step })
            .where(and(eq(operators.id, operator), lt(operators.totpStep, step)))
            .returning({ id: operators.id })
            .all().length > 0,
        'durable',
      ),
    useRecoveryCode: async (operator, hash) =>
      transaction(
        () =>
          orm
            .delete(operatorRecoveryCodes)
            .where(
              and(
                eq(operatorRecoveryCodes.hash, hash),
                eq(operatorRecoveryCodes.operator, operator),
              ),
            )
            .returning({ hash: operatorRecoveryCodes.hash })
            .all().length > 0,
        'durable',
      ),
  }
}

function openSessionRows({
  connection: { orm, transaction },
  recordBy,
}: AccessRowsParts): Pick<
  OperatorAccessStore,
  'begin' | 'renew' | 'find' | 'sessions' | 'end' | 'endAll'
> {
  const nameOf = (id: OperatorId): string =>
    orm.select({ name: operators.name }).from(operators).where(eq(operators.id, id)).get()?.name ??
    String(id)
  return {
    async begin(session) {
      const actor = `operator:${nameOf(session.operator)}` as const
      recordBy(actor)({
        what: 'operator.sign_in',
        work() {
          orm.delete(operatorSessions).where(lte(operatorSessions.expires, session.created)).run()
          orm.insert(operatorSessions).values(session).run()
        },
        subject: () => actor,
        before: () => null,
        after: () => ({ way: session.way, address: session.address }),
      })
    },
    async renew(earlier, session) {
      const actor = `operator:${nameOf(session.operator)}` as const
      return recordBy(actor)({
        what: 'operator.prove',
        work() {
          const ended = orm
            .delete(operatorSessions)
            .where(
              and(
                inArray(operatorSessions.hash, [...earlier]),
                eq(operatorSessions.operator, session.operator),
              ),
            )
            .returning({ hash: operatorSessions.hash })
            .all()
          if (ended.length === 0) return false
          orm.insert(operatorSessions).values(session).run()
          return true
        },
        subject: () => actor,
        before: () => null,
        after: (isRenewed) => (isRenewed ? { way: session.way, address: session.address } : null),
      })
    },
    async find(hash, now) {
      const row = orm
        .select({ session: operatorSessions, who: operators })
        .from(operatorSessions)
        .innerJoin(operators, eq(operators.id, operatorSessions.operator))
        .where(
          and(
            eq(operatorSessions.hash, hash),
            gt(operatorSessions.expires, now),
            isNull(operators.removed),
          ),
        )
        .limit(1)
        .get()
      return row === undefined ? null : { ...row.session, who: operatorOf(row.who) }
    },
    sessions: async (operator, now) =>
      orm
        .select()
        .from(operatorSessions)
        .where(and(eq(operatorSessions.operator, operator), gt(operatorSessions.expires, now)))
        .orderBy(desc(operatorSessions.created))
        .all(),
    end: async (hash) =>
      transaction(() => {
        orm.delete(operatorSessions).where(eq(operatorSessions.hash, hash)).run()
      }),
    endAll: async (operator) =>
      transaction(
        () =>
          orm
            .delete(operatorSessions)
            .where(eq(operatorSessions.operator, operator))
            .returning({ hash: operatorSessions.hash })
            .all().length,
      ),
  }
}
