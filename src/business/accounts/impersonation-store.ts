import { and, desc, eq, gt, isNull, lte, type SQL } from 'drizzle-orm'
import type { Impersonation, ImpersonationStore } from '../operators/impersonation'
import { mayAs } from '../../domain/role'
import type { Actor } from '../../domain/audit-log'
import { impersonations, memberships } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openOperatorRights } from '../operators/grant-store'
import type { RecordBy } from '../audit-log/audit-log-sql'

type LookRow = typeof impersonations.$inferSelect

const lookOf = ({ account, person, who, begun, expires, ended }: LookRow): Impersonation => ({
  account,
  person,
  who,
  begun,
  expires,
  ended,
})

const iso = (ms: number): string => new Date(ms).toISOString()

/** Looks of operators at accounts, as rows. */
export function openImpersonationRows(
  connection: Connection,
  recordBy: RecordBy,
): ImpersonationStore {
  const { orm, transaction } = connection
  const rights = openOperatorRights(connection)
  const mayLook = (who: Actor, now: Impersonation['begun']): boolean => {
    const role = rights.roleOf(who, now)
    return role !== null && mayAs(role, 'staff')
  }
  const lasting = (which: SQL, now: Impersonation['begun']): LookRow | null => {
    const held = and(which, isNull(impersonations.ended), gt(impersonations.expires, now))
    return orm.select().from(impersonations).where(held).get() ?? null
  }
  /** @param by who ends it: the operator, or time */
  const end = (row: LookRow, by: Actor, ended: Impersonation['begun']): Impersonation =>
    recordBy(by)({
      what: 'account.look.end',
      work() {
        orm.update(impersonations).set({ ended }).where(eq(impersonations.id, row.id)).run()
        return lookOf({ ...row, ended })
      },
      subject: () => `account:${row.account}`,
      before: () => null,
      after: () => ({ look: row.id, by: row.who, ended: iso(ended) }),
    })
  return {
    begin: async (look) =>
      void recordBy(look.who)({
        what: 'account.look.begin',
        work: () =>
          orm.insert(impersonations).values(look).returning({ id: impersonations.id }).get(),
        subject: () => `account:${look.account}`,
        before: () => null,
        after: ({ id }) => ({ look: id }),
      }),
    open: async (ticket, hash, { now, expires }) =>
      transaction<{ readonly opened: Impersonation | null }>(() => {
        const row = lasting(eq(impersonations.hash, ticket), now)
        if (row === null || row.opened !== null) return { opened: null }
        const change = { hash, opened: now, expires }
        orm.update(impersonations).set(change).where(eq(impersonations.id, row.id)).run()
        return { opened: lookOf({ ...row, ...change }) }
      }).opened,
    async find(hash, now) {
      const row = lasting(eq(impersonations.hash, hash), now)
      if (row === null || row.opened === null) return null
      return isOwner(connection, row) && mayLook(row.who, now) ? lookOf(row) : null
    },
    async end(hash, now) {
      const row = lasting(eq(impersonations.hash, hash), now)
      return row === null ? null : end(row, row.who, now)
    },
    async endOver(now) {
      const over = orm
        .select()
        .from(impersonations)
        .where(and(isNull(impersonations.ended), lte(impersonations.expires, now)))
        .all()
      for (const { id } of over)
        transaction(() => {
          // Another process may have been first.
          const still = and(eq(impersonations.id, id), isNull(impersonations.ended))
          const row = orm.select().from(impersonations).where(still).get()
          if (row !== undefined) end(row, 'service', row.expires)
        })
    },
    list: async (account, max) => latestLooks(connection, account, max),
  }
}

/** Looks at an account, newest first. */
const latestLooks = (
  { orm }: Connection,
  account: Impersonation['account'],
  max: number,
): Impersonation[] =>
  orm
    .select()
    .from(impersonations)
    .where(eq(impersonations.account, account))
    .orderBy(desc(impersonations.id))
    .limit(max)
    .all()
    .map(lookOf)

const isOwner = ({ orm }: Connection, { account, person }: LookRow): boolean =>
  orm
    .select({ person: memberships.person })
    .from(memberships)
    .where(
      and(
        eq(memberships.person, person),
        eq(memberships.account, account),
        eq(memberships.role, 'owner'),
      ),
    )
    .get() !== undefined
