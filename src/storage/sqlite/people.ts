import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import type { Directory } from '../../identity/directory'
import type { Member, Membership, PeopleStore, Role } from '../../people/person'
import { maskPhone, type Phone } from '../../people/phone'
import type { Actor } from '../../trail/trail'
import { accounts, memberships, people, sessions } from '../schema'
import type { Connection } from './database'
import { openPhoneChanges } from './phone-moves'
import type { RecordBy } from './recorder'

export interface PeopleRowsParts {
  readonly connection: Connection
  readonly clock: Clock
  readonly recordBy: RecordBy
  /** The directory whose changes are somebody's. */
  directoryBy(who: Actor): Directory
}

/** People and their accounts, as rows. */
export function openPeopleRows(parts: PeopleRowsParts): PeopleStore {
  const { connection, clock, recordBy, directoryBy } = parts
  const { orm, transaction } = connection
  const phones = openPhoneChanges(connection, recordBy)
  const rows = openMemberRows(parts)
  return {
    find: async (person) =>
      orm.select().from(people).where(eq(people.id, person)).limit(1).get() ?? null,
    begin: async (phone, names) =>
      transaction(() => {
        phones.settle(clock.now())
        const person = rows.byPhone(phone) ?? rows.add(phone, null)
        const [first] = rows.accounts(person)
        if (first !== undefined) return { ...first, isNew: false }
        const directory = directoryBy(`person:${person}`)
        const { id: account } = directory.createAccount({ name: names.account })
        directory.createProject({ account, name: names.project })
        rows.join(person, { person, account, role: 'owner' })
        return { person, account, role: 'owner', isNew: true } as const
      }, 'durable'),
    setPhone: async (person, phone) =>
      transaction(() => phones.give(`person:${person}`, person, phone), 'durable'),
    accounts: async (person) => rows.accounts(person),
    members: async (account) => rows.members(account),
    invite: async (by, account, phone, role) =>
      transaction(() => {
        const person = rows.byPhone(phone) ?? rows.add(phone, by)
        rows.join(by, { person, account, role })
        const joined = rows.members(account).find((each) => each.person === person)
        if (joined === undefined) throw new Error(`person ${person} did not join`)
        return joined
      }, 'durable'),
    dismiss: async (by, account, person) =>
      transaction(() => {
        const members = rows.members(account)
        const role = members.find((each) => each.person === person)?.role
        const owners = members.filter((each) => each.role === 'owner')
        if (role === 'owner' && owners.length === 1) return false
        rows.leave(by, account, person)
        return true
      }, 'durable'),
  }
}

function openMemberRows({ connection, clock, recordBy }: PeopleRowsParts) {
  const { orm } = connection
  const isOf = (account: AccountId, person: PersonId) =>
    and(eq(memberships.account, account), eq(memberships.person, person))
  const roleOf = (account: AccountId, person: PersonId): Role | null =>
    orm.select({ role: memberships.role }).from(memberships).where(isOf(account, person)).get()
      ?.role ?? null
  const memberFields = (account: AccountId, person: PersonId) => {
    const role = roleOf(account, person)
    return role === null ? null : { account, role }
  }
  return {
    byPhone: (phone: Phone): PersonId | null =>
      orm.select({ id: people.id }).from(people).where(eq(people.phone, phone)).get()?.id ?? null,
    /** @param by null for whoever comes by themselves */
    add(phone: Phone, by: PersonId | null): PersonId {
      const last = orm.select({ id: people.id }).from(people).orderBy(desc(people.id)).get()
      const id = ((last?.id ?? 0) + 1) as PersonId
      return recordBy(`person:${by ?? id}`)({
        what: 'person.create',
        work() {
          orm.insert(people).values({ id, phone, created: clock.now() }).run()
          return id
        },
        subject: () => `person:${id}`,
        before: () => null,
        after: () => ({ phone: maskPhone(phone) }),
      })
    },
    accounts: (person: PersonId) =>
      orm
        .select({
          person: memberships.person,
          account: memberships.account,
          role: memberships.role,
          accountName: accounts.name,
        })
        .from(memberships)
        .innerJoin(accounts, eq(accounts.id, memberships.account))
        .where(eq(memberships.person, person))
        .orderBy(desc(sql`${memberships.role} = 'owner'`), asc(memberships.account))
        .all(),
    members: (account: AccountId): Member[] =>
      orm
        .select({
          person: memberships.person,
          account: memberships.account,
          role: memberships.role,
          phone: people.phone,
          since: memberships.created,
        })
        .from(memberships)
        .innerJoin(people, eq(people.id, memberships.person))
        .where(eq(memberships.account, account))
        .orderBy(asc(memberships.created), asc(memberships.person))
        .all(),
    join: (by: PersonId, { person, account, role }: Membership): void =>
      recordBy(`person:${by}`)({
        what: 'member.set',
        work() {
          orm
            .insert(memberships)
            .values({ person, account, role, created: clock.now() })
            .onConflictDoUpdate({
              target: [memberships.person, memberships.account],
              set: { role },
            })
            .run()
        },
        subject: () => `person:${person}`,
        before: () => memberFields(account, person),
        after: () => ({ account, role }),
      }),
    leave: (by: PersonId, account: AccountId, person: PersonId): void =>
      recordBy(`person:${by}`)({
        what: 'member.remove',
        work() {
          orm
            .delete(sessions)
            .where(and(eq(sessions.person, person), eq(sessions.account, account)))
            .run()
          orm.delete(memberships).where(isOf(account, person)).run()
        },
        subject: () => `person:${person}`,
        before: () => memberFields(account, person),
        after: () => null,
      }),
  }
}
