import { and, asc, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { AccountId, InvitationId, PersonId } from '../../domain/ids'
import type { Invitation, InvitationTo, MemberChange, MembershipStore } from './members'
import type { Role } from '../../domain/fields/member-fields'
import type { Member, Membership, MembershipOf } from './user'
import { maskPhone } from '../../domain/phone'
import type { Directory } from '../../gateway/identity/account-directory'
import type { Actor, TrailFields } from '../../domain/audit-log'
import {
  accounts,
  invitations,
  memberships,
  people,
  phoneMoves,
  sessions,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openBelongingRows } from './member-removal-store'
import type { RecordBy } from '../audit-log/audit-log-sql'
import { openSecurityNotices, shownPhone, type NotifySecurity } from './security-notice-store'
import type { Rows } from '../../storage/sqlite/sync-store'

interface MemberRowsParts {
  readonly connection: Connection
  readonly clock: Clock
  readonly recordBy: RecordBy
}

interface MembershipRowsParts extends MemberRowsParts {
  /** The directory whose changes are somebody's. */
  directoryBy(who: Actor): Rows<Directory>
}

/** Who belongs to an account and who is asked to, as rows. */
export function openMembershipRows(parts: MembershipRowsParts): MembershipStore {
  const { connection, clock } = parts
  const { transaction } = connection
  const tell = openSecurityNotices(connection, clock)
  const rows = openMemberRows(parts)
  const asked = openInvitationRows(parts)
  const belongings = openBelongingRows({ ...parts, tell })
  const isOwner = ({ role }: Member) => role === 'owner'
  /** Why somebody's role cannot be changed or taken; null where it can. */
  const refusal = (account: AccountId, person: PersonId, isOwnerAfter: boolean) => {
    const role = rows.roleOf(account, person)
    if (role === null) return 'not_member' as const
    const isLast = role === 'owner' && rows.members(account).filter(isOwner).length === 1
    return isLast && !isOwnerAfter ? ('last_owner' as const) : null
  }
  const reportOf = openMemberReporting(connection, tell)
  const setRole = (by: PersonId, account: AccountId, person: PersonId, role: Role): void => {
    if (rows.roleOf(account, person) === role) return
    reportOf('role_changed', { by, account, person, facts: { role } })
    rows.join(by, { person, account, role })
    if (role === 'member') belongings.withdrawInvitations(by, account, person)
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
        const before = rows.roleOf(account, person)
        const role = before === 'owner' ? 'owner' : invitation.role
        if (role !== before)
          reportOf('member_joined', { by: null, account, person, facts: { role } })
        rows.join(person, { person, account, role }, invitation.by)
        asked.forget(id)
        return { person, account, role }
      }, 'durable'),
    setRole: async (by, account, person, role) =>
      transaction((): MemberChange => {
        const refused = refusal(account, person, role === 'owner')
        if (refused !== null) return refused
        setRole(by, account, person, role)
        return 'changed'
      }, 'durable'),
    transfer: async (by, account, to) =>
      transaction(() => {
        if (rows.roleOf(account, to) === null || rows.roleOf(account, by) !== 'owner') return false
        setRole(by, account, to, 'owner')
        setRole(by, account, by, 'member')
        return true
      }, 'durable'),
    made: async (account, person) => belongings.made(account, person),
    remove: async (by, account, person, made) =>
      transaction(() => {
        const refused = refusal(account, person, false)
        if (refused !== null) return refused
        reportOf('member_removed', { by, account, person, facts: {} })
        const revoked = made === 'revoke' ? belongings.revoke(by, account, person) : 0
        belongings.withdrawInvitations(by, account, person)
        belongings.dropNotices(account, person)
        rows.leave(by, account, person)
        return { revoked }
      }, 'durable'),
  }
}

interface MemberReported {
  /** Null where it is the person's own doing. */
  readonly by: PersonId | null
  readonly account: AccountId
  readonly person: PersonId
  readonly facts: Readonly<Record<string, string>>
}

/** Tells the other owners, and the person by their own ways: they may see nothing of the account. */
const openMemberReporting =
  (connection: Connection, tell: NotifySecurity) =>
  (
    kind: 'member_joined' | 'role_changed' | 'member_removed',
    { by, account, person, facts }: MemberReported,
  ): void => {
    const who = shownPhone(connection, person)
    const shown = { ...facts, who, by: by === null ? '' : shownPhone(connection, by) }
    tell({ kind, person: null, account, except: person, facts: shown })
    if (by !== null) tell({ kind, person, account, facts: shown })
  }

/** Memberships, inside of the caller's transaction. */
export function openMemberRows({ connection, clock, recordBy }: MemberRowsParts) {
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
    /** @param invitedBy whose invitation it was; kept in the trail */
    join: (by: PersonId, { person, account, role }: Membership, invitedBy?: PersonId): void =>
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
        after: () => ({
          account,
          role,
          ...(invitedBy === undefined ? {} : { invited_by: invitedBy }),
        }),
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

function openInvitationRows({ connection, recordBy }: MemberRowsParts) {
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
      // A move of the inviter's number that is due withdraws them, whenever it is settled.
      .leftJoin(phoneMoves, and(eq(phoneMoves.person, invitations.by), lte(phoneMoves.due, now)))
      .where(and(isOpen(now), isNull(phoneMoves.person)))
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
