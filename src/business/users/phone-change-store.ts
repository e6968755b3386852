import { and, asc, eq, gt, lte, ne } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { PersonId } from '../../domain/ids'
import { maskPhone, type Phone } from '../../domain/phone'
import type { PhoneMoveStore } from './phone-change-contract'
import type { Actor, TrailFields } from '../../domain/audit-log'
import { keys, passkeys, people, phoneMoves, projects, sessions } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { leftByPerson, withdrawInvitations } from './user-deletion-store'
import type { WriteAudit, RecordBy } from '../audit-log/audit-log-sql'
import type { NotifySecurity } from './security-notice-store'
import { forgetPlaces } from './sign-in-store'

const masked = (phone: Phone | null): string | null => (phone === null ? null : maskPhone(phone))

/** Moves of numbers, as rows. @param who whose moves these are */
export function openPhoneMoveRows(
  connection: Connection,
  record: WriteAudit,
  who: Actor,
): PhoneMoveStore {
  const { orm } = connection
  const find = (person: PersonId) =>
    orm.select().from(phoneMoves).where(eq(phoneMoves.person, person)).limit(1).get() ?? null
  const fields = (person: PersonId): TrailFields | null => {
    const move = find(person)
    return move === null
      ? null
      : { phone: masked(move.phone), due: new Date(move.due).toISOString() }
  }
  return {
    people: async ({ phone, after, max }) =>
      orm
        .select()
        .from(people)
        .where(and(gt(people.id, after), phone === null ? undefined : eq(people.phone, phone)))
        .orderBy(asc(people.id))
        .limit(max)
        .all(),
    find: async (person) => find(person),
    keys: async (person) =>
      orm
        .select({ id: keys.id, name: keys.name, account: projects.account })
        .from(keys)
        .innerJoin(projects, eq(projects.id, keys.project))
        .where(and(eq(keys.madeBy, person), ne(keys.state, 'revoked')))
        .orderBy(asc(keys.id))
        .all(),
    left: async (person, now) => leftByPerson(connection, person, now),
    plan: async ({ person, phone, due }) =>
      record({
        what: 'person.plan_move',
        work() {
          const move = { phone, due, by: who }
          orm
            .insert(phoneMoves)
            .values({ person, ...move })
            .onConflictDoUpdate({ target: phoneMoves.person, set: move })
            .run()
        },
        subject: () => `person:${person}`,
        before: () => fields(person),
        after: () => fields(person),
      }),
    cancel: async (person) =>
      record({
        what: 'person.cancel_move',
        work: () =>
          orm.delete(phoneMoves).where(eq(phoneMoves.person, person)).returning().all().length > 0,
        subject: () => `person:${person}`,
        before: () => fields(person),
        after: () => null,
      }),
  }
}

/**
 * Gives numbers to people, and ends the sessions that hung on the old ones.
 * @param tell told before each change
 */
export function openPhoneChanges(connection: Connection, recordBy: RecordBy, tell: NotifySecurity) {
  const { orm } = connection
  const ownerOf = (phone: Phone) =>
    orm.select({ id: people.id }).from(people).where(eq(people.phone, phone)).get()?.id ?? null
  const phoneOf = (person: PersonId) =>
    orm.select({ phone: people.phone }).from(people).where(eq(people.id, person)).get()?.phone ??
    null

  /**
   * @param isOwnChange passkeys and invitations stay; else a holder of the number, or of the lost phone, may have
   *   made them
   * @returns false where the number is somebody else's
   */
  const give = (
    who: Actor,
    person: PersonId,
    phone: Phone | null,
    isOwnChange: boolean,
  ): boolean => {
    const owner = phone === null ? null : ownerOf(phone)
    if (owner !== null && owner !== person) return false
    const facts = { phone: masked(phone) ?? '' }
    // A number that is taken away belongs to somebody else by now.
    const without = phone === null ? { withoutSms: true as const } : {}
    tell({ kind: 'phone_changed', person, account: null, facts, ...without })
    recordBy(who)({
      what: 'person.set_phone',
      work() {
        orm.delete(sessions).where(eq(sessions.person, person)).run()
        if (!isOwnChange) orm.delete(passkeys).where(eq(passkeys.owner, person)).run()
        orm.delete(phoneMoves).where(eq(phoneMoves.person, person)).run()
        if (!isOwnChange)
          withdrawInvitations(connection, recordBy, who, { sender: person, account: null })
        const before = phoneOf(person)
        if (before !== null) forgetPlaces(connection, before)
        orm.update(people).set({ phone }).where(eq(people.id, person)).run()
      },
      subject: () => `person:${person}`,
      before: () => ({ phone: masked(phoneOf(person)) }),
      after: () => ({ phone: masked(phone) }),
    })
    return true
  }

  return {
    /** By the person, who has shown codes of both. @returns false where it is somebody else's */
    change: (person: PersonId, phone: Phone): boolean =>
      give(`person:${person}`, person, phone, true),
    /** Does what is due. A number that somebody else has by then stays theirs. */
    settle(now: Ms): void {
      for (const { person, phone, by } of orm
        .select()
        .from(phoneMoves)
        .where(lte(phoneMoves.due, now))
        .all())
        if (!give(by as Actor, person, phone, false))
          orm.delete(phoneMoves).where(eq(phoneMoves.person, person)).run()
    },
  }
}
