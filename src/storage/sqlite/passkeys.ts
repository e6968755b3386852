import { and, asc, count, eq, inArray, lt, lte } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import type { PersonId } from '../../domain/ids'
import type { PasskeyChallenge, PasskeyStore } from '../../people/passkey'
import { passkeyChallenges, passkeys, sessions } from '../schema'
import type { Connection } from './database'
import { openPhoneChanges } from './phone-moves'
import type { RecordBy } from './recorder'

/** Passkeys and their challenges, as rows. */
export function openPasskeyRows(
  connection: Connection,
  recordBy: RecordBy,
  clock: Clock,
): PasskeyStore {
  const { orm, transaction } = connection
  const phones = openPhoneChanges(connection, recordBy)
  const isOf = (person: PersonId, id: string) =>
    and(eq(passkeys.person, person), eq(passkeys.id, id))
  const find = (id: string) =>
    orm.select().from(passkeys).where(eq(passkeys.id, id)).limit(1).get() ?? null
  const named = (person: PersonId, id: string) => {
    const row = orm.select({ name: passkeys.name }).from(passkeys).where(isOf(person, id)).get()
    return row === undefined ? null : { passkey: row.name }
  }
  return {
    list: async (person) =>
      orm
        .select()
        .from(passkeys)
        .where(eq(passkeys.person, person))
        .orderBy(asc(passkeys.created), asc(passkeys.id))
        .all(),
    find: async (id) =>
      transaction(() => {
        phones.settle(clock.now())
        return find(id)
      }, 'durable'),
    add: async (passkey, max) =>
      transaction(() => {
        if (find(passkey.id) !== null) return 'known' as const
        const { person } = passkey
        const [row] = orm
          .select({ count: count() })
          .from(passkeys)
          .where(eq(passkeys.person, person))
          .all()
        if ((row?.count ?? 0) >= max) return 'full' as const
        recordBy(`person:${person}`)({
          what: 'passkey.add',
          work: () => orm.insert(passkeys).values(passkey).run(),
          subject: () => `person:${person}`,
          before: () => null,
          after: () => ({ passkey: passkey.name }),
        })
        return 'added' as const
      }, 'durable'),
    rename: async (person, id, name) =>
      recordBy(`person:${person}`)({
        what: 'passkey.rename',
        work: () =>
          orm.update(passkeys).set({ name }).where(isOf(person, id)).returning().all().length > 0,
        subject: () => `person:${person}`,
        before: () => named(person, id),
        after: () => named(person, id),
      }),
    remove: async (person, id) =>
      recordBy(`person:${person}`)({
        what: 'passkey.remove',
        work() {
          const removed = orm.delete(passkeys).where(isOf(person, id)).returning().all().length > 0
          if (removed) orm.delete(sessions).where(eq(sessions.passkey, id)).run()
          return removed
        },
        subject: () => `person:${person}`,
        before: () => named(person, id),
        after: () => null,
      }),
    used: async (id, counter, at) =>
      transaction(() => {
        // An authenticator that does not count says 0 at all times.
        const isNext = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)
        return (
          orm
            .update(passkeys)
            .set({ counter, lastUsed: at })
            .where(and(eq(passkeys.id, id), isNext))
            .returning()
            .all().length > 0
        )
      }),
    recordClone: async ({ person, name, counter: kept }, counter) =>
      recordBy('service')({
        what: 'passkey.counted_backwards',
        work: () => {},
        subject: () => `person:${person}`,
        before: () => ({ passkey: name, counter: kept }),
        after: () => ({ passkey: name, counter }),
      }),
    ...openChallengeRows(connection),
  }
}

function openChallengeRows({
  orm,
  transaction,
}: Connection): Pick<PasskeyStore, 'keepChallenge' | 'takeChallenge'> {
  const challengeOf = (row: typeof passkeyChallenges.$inferSelect): PasskeyChallenge => ({
    hash: row.hash,
    registers:
      row.person === null || row.userHandle === null
        ? null
        : { person: row.person, userHandle: row.userHandle },
    expires: row.expires,
  })
  return {
    keepChallenge: async ({ hash, registers, expires }, now, max) =>
      transaction(() => {
        orm.delete(passkeyChallenges).where(lte(passkeyChallenges.expires, now)).run()
        const { person, userHandle } = registers ?? { person: null, userHandle: null }
        orm.insert(passkeyChallenges).values({ hash, person, userHandle, expires }).run()
        const [row] = orm.select({ count: count() }).from(passkeyChallenges).all()
        const surplus = (row?.count ?? 0) - max
        if (surplus <= 0) return
        const oldest = orm
          .select({ hash: passkeyChallenges.hash })
          .from(passkeyChallenges)
          .orderBy(asc(passkeyChallenges.expires))
          .limit(surplus)
        orm.delete(passkeyChallenges).where(inArray(passkeyChallenges.hash, oldest)).run()
      }),
    takeChallenge: async (hash) =>
      transaction(() => {
        const [row] = orm
          .delete(passkeyChallenges)
          .where(eq(passkeyChallenges.hash, hash))
          .returning()
          .all()
        return row === undefined ? null : challengeOf(row)
      }),
  }
}
