import type { Clock, Ms } from '../../domain/clock'
import type { AccountId, InvitationId, KeyId, PersonId, ProjectId } from '../../domain/ids'
import { PeopleRefusal } from './refusal'
import type { Role } from '../../domain/fields/member-fields'
import type { Member, Membership } from './user'
import { parsePhone, type Phone } from '../../domain/phone'
import type { NotifyInvited } from './invite-notice'

/** A question to whoever signs in by this number: whether they join an account. */
export interface Invitation {
  readonly id: InvitationId
  readonly account: AccountId
  readonly phone: Phone
  readonly role: Role
  readonly by: PersonId
  readonly created: Ms
  readonly expires: Ms
}

/** An invitation as the person sees it who is asked. */
export interface InvitationTo extends Invitation {
  readonly accountName: string
  /** Number of whoever asked; null once it is not theirs any more. */
  readonly byPhone: Phone | null
}

/** A key that a member made, and that works. */
export interface MadeKey {
  readonly id: KeyId
  readonly name: string
  readonly prefix: string
  readonly project: ProjectId
  readonly created: Ms
}

/** What a member made in an account, and works there without them. */
export interface MadeByMember {
  readonly keys: readonly MadeKey[]
  /** Address of the account's webhook, where they set it. */
  readonly webhook: string | null
}

/** What becomes of what a member made, once they are none. */
export type MadeFate = 'revoke' | 'keep'

/** Outcome of a change that might leave an account without an owner. */
export type MemberChange = 'changed' | 'last_owner' | 'not_member'

/** Memberships of an account; every change is one row of the trail, in the same transaction. */
export interface MembershipStore {
  members(account: AccountId): Promise<readonly Member[]>
  /** Invitations that are not answered and not over, newest first. */
  invitations(account: AccountId, now: Ms): Promise<readonly Invitation[]>
  /** Same, for the number of a person. */
  invitationsTo(person: PersonId, now: Ms): Promise<readonly InvitationTo[]>
  /** In the place of an earlier one for this number. */
  invite(invitation: Omit<Invitation, 'id'>): Promise<Invitation>
  /** @returns false where there is none */
  withdraw(by: PersonId, account: AccountId, id: InvitationId): Promise<boolean>
  /** The person is a member from now on. @returns null where there is no such invitation for them */
  accept(person: PersonId, id: InvitationId, now: Ms): Promise<Membership | null>
  /** @returns false where there is no such invitation for them */
  decline(person: PersonId, id: InvitationId): Promise<boolean>
  setRole(by: PersonId, account: AccountId, person: PersonId, role: Role): Promise<MemberChange>
  /** Makes another member the owner, and the owner a member. @returns false where they are none */
  transfer(by: PersonId, account: AccountId, to: PersonId): Promise<boolean>
  made(account: AccountId, person: PersonId): Promise<MadeByMember>
  /**
   * Takes the account from a person: their sessions of it end, their invitations are withdrawn.
   * @returns how many of their keys were revoked
   */
  remove(
    by: PersonId,
    account: AccountId,
    person: PersonId,
    made: MadeFate,
  ): Promise<MemberChange | { readonly revoked: number }>
}

/** People of accounts, by the rules of who may do what. Every method throws PeopleRefusal. */
export interface Members {
  list(who: Membership): Promise<readonly Member[]>
  /** Only owners see them. */
  invitations(who: Membership): Promise<readonly Invitation[]>
  /** @param phone as a person wrote it */
  invite(who: Membership, phone: string, role: Role): Promise<Invitation>
  withdraw(who: Membership, id: InvitationId): Promise<void>
  setRole(who: Membership, person: PersonId, role: Role): Promise<void>
  transfer(who: Membership, to: PersonId): Promise<void>
  /** What is asked of before somebody is dismissed, or leaves. */
  made(who: Membership, person: PersonId): Promise<MadeByMember>
  /**
   * An owner dismisses anybody but the last owner; everybody may leave.
   * @returns how many of their keys were revoked
   */
  remove(who: Membership, person: PersonId, made: MadeFate): Promise<number>
  invitationsTo(person: PersonId): Promise<readonly InvitationTo[]>
  accept(person: PersonId, id: InvitationId): Promise<Membership>
  decline(person: PersonId, id: InvitationId): Promise<void>
}

const maxMembers = 100
const invitationLifeMs = 14 * 86_400_000

/** Whether a key, by who made it, is this person's to change: owners change all of them. */
export const mayChangeKey = (
  { person, role }: Pick<Membership, 'person' | 'role'>,
  madeBy: PersonId | null,
): boolean => role === 'owner' || madeBy === person

/** Checks that a member is an owner. @throws PeopleRefusal owners_only */
export function ownersOnly({ role }: Pick<Membership, 'role'>): void {
  if (role !== 'owner') throw new PeopleRefusal('owners_only', {})
}

interface MembersParts {
  readonly store: MembershipStore
  readonly clock: Clock
  /** They are told that they are invited. */
  readonly tellInvited: NotifyInvited
}

export function openMembers({ store, clock, tellInvited: notifyInvited }: MembersParts): Members {
  return {
    list: ({ account }) => store.members(account),
    invitations: async ({ account, role }) =>
      role === 'owner' ? await store.invitations(account, clock.now()) : [],
    async invite(who, text, role) {
      ownersOnly(who)
      const phone = parsePhone(text)
      if (phone === null) throw new PeopleRefusal('phone_invalid', {})
      const now = clock.now()
      const { account, person: by } = who
      const members = await store.members(account)
      if (members.some((each) => each.phone === phone))
        throw new PeopleRefusal('already_member', {})
      const open = await store.invitations(account, now)
      const others = open.filter((each) => each.phone !== phone)
      if (members.length + others.length >= maxMembers)
        throw new PeopleRefusal('too_many_members', { max: maxMembers })
      const expires = (now + invitationLifeMs) as Ms
      const invitation = await store.invite({ account, phone, role, by, created: now, expires })
      notifyInvited(invitation)
      return invitation
    },
    async withdraw(who, id) {
      ownersOnly(who)
      if (!(await store.withdraw(who.person, who.account, id)))
        throw new PeopleRefusal('invitation_over', {})
    },
    async setRole(who, person, role) {
      ownersOnly(who)
      changed(await store.setRole(who.person, who.account, person, role))
    },
    async transfer(who, to) {
      ownersOnly(who)
      if (to === who.person || !(await store.transfer(who.person, who.account, to)))
        throw new PeopleRefusal('not_member', {})
    },
    async made(who, person) {
      if (person !== who.person) ownersOnly(who)
      return await store.made(who.account, person)
    },
    async remove(who, person, made) {
      if (person !== who.person) ownersOnly(who)
      const removed = await store.remove(who.person, who.account, person, made)
      if (typeof removed === 'object') return removed.revoked
      changed(removed)
      return 0
    },
    invitationsTo: (person) => store.invitationsTo(person, clock.now()),
    async accept(person, id) {
      const joined = await store.accept(person, id, clock.now())
      if (joined === null) throw new PeopleRefusal('invitation_over', {})
      return joined
    },
    async decline(person, id) {
      if (!(await store.decline(person, id))) throw new PeopleRefusal('invitation_over', {})
    },
  }
}

function changed(outcome: MemberChange): void {
  if (outcome !== 'changed') throw new PeopleRefusal(outcome, {})
}
