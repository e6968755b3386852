import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { AccountId, InvitationId, PersonId } from '../../domain/ids'
import type { Invitation, InvitationTo, MemberChange, MembershipStore } from '../../people/members'
import type { Member, Membership, MembershipOf, Role } from '../../people/person'
import { maskPhone } from '../../people/phone'
import type { TrailFields } from '../../trail/trail'
import { accounts, invitations, memberships, people, sessions } from '../schema'
import type { Connection } from './database'
import type { RecordBy } from './recorder'

interface MembershipRowsParts {
  readonly connection: Connection
  readonly clock: Clock
  readonly recordBy: RecordBy
}

/** Who belongs to an account and who is asked to, as rows. */
export function openMembershipRows(parts: MembershipRowsParts): MembershipStore {
  const { transaction } = parts.connection
  const rows = openMemberRows(parts)
  const asked = openInvitationRows(parts)
  /** Does a change unless it would take the last owner away. */
  const unlessLast = (
    account: AccountId,
    person: PersonId,
    isOwnerAfter: boolean,
    change: () => void,
  ): MemberChange => {
    const role = rows.roleOf(account, person)
    if (role === null) return 'not_member'
    const isOwner = ({ role: each }: Member) => each === 'owner'
    const isLast = role === 'owner' && rows.members(account).filter(isOwner).length === 1
    if (isLast && !isOwnerAfter) return 'last_owner'
    change()
    return 'changed'
  }
  return {
    members: async (account) => rows.members(account),
    ...asked.store,
    accept: async (person, id, now) =>
      transaction(() => {
        const invitation = asked.to(person, now).find((each) => each.id === id)
        if (invitation === undefined) return null
        const { account } = invitation
        // A second invitation does not take anything from whoever is in.
        const role = rows.roleOf(account, person) === 'owner' ? 'owner' : invitation.role
        rows.join(person, { person, account, role })
        asked.forget(id)
        return { person, account, role }
      }, 'durable'),
    setRole: async (by, account, person, role) =>
      transaction(
        () =>
          unlessLast(account, person, role === 'owner', () =>
            rows.join(by, { person, account, role }),
          ),
        'durable',
      ),
    transfer: async (by, account, to) =>
      transaction(() => {
        if (rows.roleOf(account, to) === null || rows.roleOf(account, by) !== 'owner') return false
        rows.join(by, { person: to, account, role: 'owner' })
        rows.join(by, { person: by, account, role: 'member' })
        return true
      }, 'durable'),
    remove: async (by, account, person) =>
      transaction(
        () => unlessLast(account, person, false, () => rows.leave(by, account, person)),
        'durable',
      ),
  }
}

/** Memberships, inside of the caller's transaction. */
export function openMemberRows({ connection, clock, recordBy }: MembershipRowsParts) {
  const { orm } = connection
  const isOf = (account: AccountId, person: PersonId) =>
    and(eq(memberships.account, account), eq(memberships.person, person))
  const roleOf = (account: AccountId, person: PersonId): Role | null =>
    orm.select({ role: memberships.role }).from(memberships).where(isOf(account, person)).get()
      ?.role ?? null
  const memberFields = (account: AccountId, person: PersonId): TrailFields | null => {
    const role = roleOf(account, person)
    return role === null ? null : { account, role }
  }
  return {
    roleOf,
    accounts: (person: PersonId): MembershipOf[] =>
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

type InvitationQueries = Pick<
  MembershipStore,
  'invitations' | 'invitationsTo' | 'invite' | 'withdraw' | 'decline'
>

function openInvitationRows({ connection, recordBy }: MembershipRowsParts) {
  const { orm, transaction } = connection
  const isOpen = (now: Ms) => gt(invitations.expires, now)
  const inviter = orm.select({ id: people.id, phone: people.phone }).from(people).as('inviter')
  const to = (person: PersonId, now: Ms): InvitationTo[] =>
    orm
      .select({ invitation: invitations, accountName: accounts.name, byPhone: inviter.phone })
      .from(invitations)
      .innerJoin(people, and(eq(people.phone, invitations.phone), eq(people.id, person)))
      .innerJoin(accounts, eq(accounts.id, invitations.account))
      .innerJoin(inviter, eq(inviter.id, invitations.by))
      .where(isOpen(now))
      .orderBy(desc(invitations.id))
      .all()
      .map(({ invitation, ...rest }) => ({ ...invitation, ...rest }))
  const find = (id: InvitationId): Invitation | null =>
    orm.select().from(invitations).where(eq(invitations.id, id)).get() ?? null
  const forget = (id: InvitationId): void => {
    orm.delete(invitations).where(eq(invitations.id, id)).run()
  }
  const shown = ({ phone, role }: Pick<Invitation, 'phone' | 'role'>): TrailFields => ({
    phone: maskPhone(phone),
    role,
  })
  /** @param what became of it */
  const end = (by: PersonId, id: InvitationId, what: string): boolean => {
    const invitation = find(id)
    if (invitation === null) return false
    recordBy(`person:${by}`)({
      what,
      work: () => forget(id),
      subject: () => `account:${invitation.account}`,
      before: () => shown(invitation),
      after: () => null,
    })
    return true
  }
  const store: InvitationQueries = {
    invitations: async (account, now) =>
      orm
        .select()
        .from(invitations)
        .where(and(eq(invitations.account, account), isOpen(now)))
        .orderBy(desc(invitations.id))
        .all(),
    invitationsTo: async (person, now) => to(person, now),
    invite: async (invitation) =>
      recordBy(`person:${invitation.by}`)({
        what: 'member.invite',
        work() {
          const { role, by, created, expires } = invitation
          orm.delete(invitations).where(lte(invitations.expires, created)).run()
          return orm
            .insert(invitations)
            .values(invitation)
            .onConflictDoUpdate({
              target: [invitations.account, invitations.phone],
              set: { role, by, created, expires },
            })
            .returning()
            .get()
        },
        subject: () => `account:${invitation.account}`,
        before: () => null,
        after: (made) => shown(made),
      }),
    withdraw: async (by, account, id) =>
      transaction(
        () => find(id)?.account === account && end(by, id, 'member.withdraw_invitation'),
        'durable',
      ),
    decline: async (person, id) =>
      transaction(() => {
        const phone = orm
          .select({ phone: people.phone })
          .from(people)
          .where(eq(people.id, person))
          .get()?.phone
        const isTheirs = typeof phone === 'string' && find(id)?.phone === phone
        return isTheirs && end(person, id, 'member.decline_invitation')
      }, 'durable'),
  }
  return { store, to, forget }
}
