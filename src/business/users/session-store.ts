import { and, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import type { SessionStore } from './sessions'
import { memberships, phoneMoves, sessions } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { RecordBy } from '../audit-log/audit-log-sql'

/** Sessions, as rows. */
export function openSessionRows(
  { orm, transaction }: Connection,
  recordBy: RecordBy,
): SessionStore {
  return {
    begin: async (session) =>
      transaction(() => {
        orm.delete(sessions).where(lte(sessions.expires, session.created)).run()
        orm.insert(sessions).values(session).run()
      }),
    async find(hash, now) {
      const row = orm
        .select({ session: sessions, role: memberships.role })
        .from(sessions)
        .innerJoin(
          memberships,
          and(eq(memberships.person, sessions.person), eq(memberships.account, sessions.account)),
        )
        .leftJoin(phoneMoves, and(eq(phoneMoves.person, sessions.person), lte(phoneMoves.due, now)))
        .where(and(eq(sessions.hash, hash), isNull(phoneMoves.person)))
        .limit(1)
        .get()
      return row === undefined ? null : { ...row.session, role: row.role }
    },
    seen: async (hash, at, expires) =>
      transaction(() => {
        orm.update(sessions).set({ seen: at, expires }).where(eq(sessions.hash, hash)).run()
      }),
    prove: async (hash, { hash: fresh, at }) =>
      transaction(
        () =>
          orm
            .update(sessions)
            .set({ hash: fresh, proven: at })
            .where(eq(sessions.hash, hash))
            .returning({ hash: sessions.hash })
            .all().length > 0,
        'durable',
      ),
    list: async (person, now) =>
      orm
        .select()
        .from(sessions)
        .where(and(eq(sessions.person, person), gt(sessions.expires, now)))
        .orderBy(desc(sessions.seen))
        .all(),
    choose: async (hash, account) =>
      transaction(() => {
        const mine = orm
          .select({ person: memberships.person })
          .from(memberships)
          .innerJoin(sessions, eq(sessions.person, memberships.person))
          .where(and(eq(sessions.hash, hash), eq(memberships.account, account)))
          .get()
        if (mine === undefined) return false
        orm.update(sessions).set({ account }).where(eq(sessions.hash, hash)).run()
        return true
      }),
    end: async (hash) =>
      transaction(() => {
        orm.delete(sessions).where(eq(sessions.hash, hash)).run()
      }),
    endOne: async (person, hashStart) =>
      recordBy(`person:${person}`)({
        what: 'session.end',
        work: () =>
          orm
            .delete(sessions)
            .where(
              and(
                eq(sessions.person, person),
                eq(
                  sql`substr(${sessions.hash}, 1, cast(${hashStart.length} as integer))`,
                  hashStart,
                ),
              ),
            )
            .returning({ agent: sessions.agent })
            .all(),
        subject: () => `person:${person}`,
        before: () => null,
        after: ([ended]) => (ended === undefined ? null : { agent: ended.agent }),
      }).length > 0,
    endAll: async (person) =>
      recordBy(`person:${person}`)({
        what: 'session.end_all',
        work: () =>
          orm
            .delete(sessions)
            .where(eq(sessions.person, person))
            .returning({ hash: sessions.hash })
            .all().length,
        subject: () => `person:${person}`,
        before: () => null,
        after: (ended) => (ended === 0 ? null : { sessions: ended }),
      }),
  }
}
