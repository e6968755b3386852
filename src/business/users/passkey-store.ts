import { and, asc, count, desc, eq, inArray, lt, lte } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { OperatorId, PersonId } from '../../domain/ids'
import type { PasskeyStore } from './passkey'
import type { Actor } from '../../domain/audit-log'
import {
  operatorPasskeyChallenges,
  operatorPasskeys,
  operators,
  operatorSessions,
  passkeyChallenges,
  passkeys,
  sessions,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openPhoneChanges } from './phone-change-store'
import type { RecordBy } from '../audit-log/audit-log-sql'
import { openSecurityNotices } from './security-notice-store'

/** Whose passkeys a table keeps, and what else hangs on them. */
interface PasskeyTables<Owner> {
  readonly keys: typeof passkeys
  readonly challenges: typeof passkeyChallenges
  /** Sessions that end with their passkey. */
  readonly begun: typeof sessions
  /** As the trail names an owner. */
  actorOf(owner: Owner): Actor
  /** Done before a passkey is looked for, in its transaction. */
  beforeFind(): void
  /** Done before one is added or removed, in its transaction. */
  beforeChange(kind: 'passkey_added' | 'passkey_removed', owner: Owner, name: string): void
}

/** Passkeys of people and their challenges, as rows. */
export function openPasskeyRows(
  connection: Connection,
  recordBy: RecordBy,
  clock: Clock,
): PasskeyStore {
  const tell = openSecurityNotices(connection, clock)
  const phones = openPhoneChanges(connection, recordBy, tell)
  return openRowsIn<PersonId>(connection, recordBy, {
    keys: passkeys,
    challenges: passkeyChallenges,
    begun: sessions,
    actorOf: (person) => `person:${person}`,
    beforeFind: () => phones.settle(clock.now()),
    beforeChange: (kind, person, passkey) =>
      tell({ kind, person, account: null, facts: { passkey } }),
  })
}

/** Same, of operators: tables of the same columns. */
export function openOperatorPasskeyRows(
  connection: Connection,
  recordBy: RecordBy,
): PasskeyStore<OperatorId> {
  const { orm } = connection
  const nameOf = (id: OperatorId) =>
    orm.select({ name: operators.name }).from(operators).where(eq(operators.id, id)).get()?.name
  return openRowsIn<OperatorId>(connection, recordBy, {
    keys: operatorPasskeys as unknown as typeof passkeys,
    challenges: operatorPasskeyChallenges as unknown as typeof passkeyChallenges,
    begun: operatorSessions as unknown as typeof sessions,
    actorOf: (operator) => `operator:${nameOf(operator) ?? operator}`,
    beforeFind: () => {},
    beforeChange: () => {},
  })
}

function openRowsIn<Owner extends number>(
  connection: Connection,
  recordBy: RecordBy,
  tables: PasskeyTables<Owner>,
): PasskeyStore<Owner> {
  const { keys, beforeFind } = tables
  const { orm, transaction } = connection
  const keyOf = (row: typeof passkeys.$inferSelect) => ({
    ...row,
    owner: row.owner as number as Owner,
  })
  const find = (id: string) => {
    const row = orm.select().from(keys).where(eq(keys.id, id)).limit(1).get()
    return row === undefined ? null : keyOf(row)
  }
  return {
    list: async (owner) =>
      orm
        .select()
        .from(keys)
        .where(ownerIs(tables, owner))
        .orderBy(asc(keys.created), asc(keys.id))
        .all()
        .map(keyOf),
    find: async (id) =>
      transaction(() => {
        beforeFind()
        return find(id)
      }, 'durable'),
    used: async (id, counter, at) =>
      transaction(() => {
        // An authenticator that does not count says 0 at all times.
        const isNext = counter === 0 ? eq(keys.counter, 0) : lt(keys.counter, counter)
        return (
          orm
            .update(keys)
            .set({ counter, lastUsed: at })
            .where(and(eq(keys.id, id), isNext))
            .returning()
            .all().length > 0
        )
      }),
    ...openChangeRows(connection, recordBy, tables),
    ...openChallengeRows(connection, tables),
  }
}

const ownerIs = <Owner extends number>({ keys }: PasskeyTables<Owner>, owner: Owner) =>
  eq(keys.owner, owner as number as PersonId)

/** Changes of passkeys, each with its line of the trail. */
function openChangeRows<Owner extends number>(
  { orm, transaction }: Connection,
  recordBy: RecordBy,
  tables: PasskeyTables<Owner>,
): Pick<PasskeyStore<Owner>, 'add' | 'rename' | 'remove' | 'recordClone'> {
  const { keys, begun, actorOf, beforeChange } = tables
  const isOf = (owner: Owner, id: string) => and(ownerIs(tables, owner), eq(keys.id, id))
  const named = (owner: Owner, id: string) => {
    const row = orm.select({ name: keys.name }).from(keys).where(isOf(owner, id)).get()
    return row === undefined ? null : { passkey: row.name }
  }
  return {
    add: async (passkey, max) =>
      transaction(() => {
        const { id, owner } = passkey
        const known = orm.select({ id: keys.id }).from(keys).where(eq(keys.id, id)).get()
        if (known !== undefined) return 'known' as const
        const [row] = orm.select({ count: count() }).from(keys).where(ownerIs(tables, owner)).all()
        if ((row?.count ?? 0) >= max) return 'full' as const
        beforeChange('passkey_added', owner, passkey.name)
        recordBy(actorOf(owner))({
          what: 'passkey.add',
          work: () =>
            orm
              .insert(keys)
              .values({ ...passkey, owner: owner as number as PersonId })
              .run(),
          subject: () => actorOf(owner),
          before: () => null,
          after: () => ({ passkey: passkey.name }),
        })
        return 'added' as const
      }, 'durable'),
    rename: async (owner, id, name) =>
      recordBy(actorOf(owner))({
        what: 'passkey.rename',
        work: () =>
          orm.update(keys).set({ name }).where(isOf(owner, id)).returning().all().length > 0,
        subject: () => actorOf(owner),
        before: () => named(owner, id),
        after: () => named(owner, id),
      }),
    remove: async (owner, id) =>
      recordBy(actorOf(owner))({
        what: 'passkey.remove',
        work() {
          const name = named(owner, id)?.passkey
          if (name !== undefined) beforeChange('passkey_removed', owner, name)
          const removed = orm.delete(keys).where(isOf(owner, id)).returning().all().length > 0
          if (removed) orm.delete(begun).where(eq(begun.passkey, id)).run()
          return removed
        },
        subject: () => actorOf(owner),
        before: () => named(owner, id),
        after: () => null,
      }),
    recordClone: async ({ owner, name, counter: kept }, counter) =>
      recordBy('service')({
        what: 'passkey.counted_backwards',
        work: () => {},
        subject: () => actorOf(owner),
        before: () => ({ passkey: name, counter: kept }),
        after: () => ({ passkey: name, counter }),
      }),
  }
}

function openChallengeRows<Owner extends number>(
  { orm, transaction }: Connection,
  { challenges }: PasskeyTables<Owner>,
): Pick<PasskeyStore<Owner>, 'keepChallenge' | 'takeChallenge' | 'spendChallenge'> {
  const forgetOver = (now: Ms) => orm.delete(challenges).where(lte(challenges.expires, now)).run()
  return {
    keepChallenge: async ({ hash, registers, expires }, now, max) =>
      transaction(() => {
        forgetOver(now)
        const { userHandle } = registers
        const owner = registers.owner as number as PersonId
        orm.insert(challenges).values({ hash, owner, userHandle, expires }).run()
        const older = orm
          .select({ hash: challenges.hash })
          .from(challenges)
          .where(eq(challenges.owner, owner))
          .orderBy(desc(challenges.expires))
          .all()
          .slice(max)
          .map((each) => each.hash)
        if (older.length > 0) orm.delete(challenges).where(inArray(challenges.hash, older)).run()
      }),
    takeChallenge: async (hash) =>
      transaction(() => {
        const [row] = orm.delete(challenges).where(eq(challenges.hash, hash)).returning().all()
        // Without an owner it was answered, or is of a program of before.
        if (row === undefined || row.owner === null || row.userHandle === null) return null
        const { owner, userHandle, expires } = row
        return {
          hash: row.hash,
          registers: { owner: owner as number as Owner, userHandle },
          expires,
        }
      }),
    spendChallenge: async ({ hash, known }, expires, now) =>
      transaction(() => {
        forgetOver(now)
        const spent = orm
          .select({ hash: challenges.hash })
          .from(challenges)
          .where(inArray(challenges.hash, [...known]))
          .get()
        if (spent !== undefined) return false
        orm.insert(challenges).values({ hash, owner: null, userHandle: null, expires }).run()
        return true
      }, 'durable'),
  }
}
