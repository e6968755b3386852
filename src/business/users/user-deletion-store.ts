import { and, asc, eq, gt, inArray, ne } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import type { LeftByPerson } from './phone-change-contract'
import { maskPhone } from '../../domain/phone'
import type { Actor } from '../../domain/audit-log'
import {
  accountWebhooks,
  contacts,
  invitations,
  memberships,
  people,
  trail,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { RecordBy } from '../audit-log/audit-log-sql'

/** Everything of a person by which others hear of accounts or come into them, besides keys. */
export function leftByPerson({ orm }: Connection, person: PersonId, now: Ms): LeftByPerson {
  const ofPerson = eq(contacts.person, person)
  return {
    email:
      orm.select({ email: contacts.email }).from(contacts).where(ofPerson).get()?.email ?? null,
    webhooks: orm
      .select({ account: accountWebhooks.account, url: accountWebhooks.url })
      .from(accountWebhooks)
      .where(eq(accountWebhooks.madeBy, person))
      .orderBy(asc(accountWebhooks.account))
      .all(),
    invitations: orm
      .select({
        account: invitations.account,
        phone: invitations.phone,
        role: invitations.role,
      })
      .from(invitations)
      .where(and(eq(invitations.by, person), gt(invitations.expires, now)))
      .orderBy(asc(invitations.id))
      .all(),
    members: membersInvitedBy(orm, person),
  }
}

/** Members of today whose line in the trail says that they joined by an invitation of this person. */
function membersInvitedBy(orm: Connection['orm'], inviter: PersonId): LeftByPerson['members'] {
  const accounts = orm
    .selectDistinct({ subject: trail.subject })
    .from(trail)
    .where(and(eq(trail.who, `person:${inviter}`), eq(trail.what, 'member.invite')))
    .all()
    .map(({ subject }) => Number(subject.slice('account:'.length)) as AccountId)
  if (accounts.length === 0) return []
  const members = orm
    .select({
      person: memberships.person,
      phone: people.phone,
      account: memberships.account,
      role: memberships.role,
    })
    .from(memberships)
    .innerJoin(people, eq(people.id, memberships.person))
    .where(and(inArray(memberships.account, accounts), ne(memberships.person, inviter)))
    .orderBy(asc(memberships.account), asc(memberships.person))
    .all()
  return members.filter(({ person, account }) =>
    orm
      .select({ after: trail.after })
      .from(trail)
      .where(and(eq(trail.subject, `person:${person}`), eq(trail.what, 'member.set')))
      .all()
      .some(({ after }) => after?.['invited_by'] === inviter && after['account'] === account),
  )
}

/** Withdraws open invitations of a sender, of one account or of all; in the caller's transaction. */
export function withdrawInvitations(
  { orm }: Connection,
  recordBy: RecordBy,
  who: Actor,
  { sender, account }: { readonly sender: PersonId; readonly account: AccountId | null },
): void {
  const ofAccount = account === null ? undefined : eq(invitations.account, account)
  const sent = orm
    .select()
    .from(invitations)
    .where(and(eq(invitations.by, sender), ofAccount))
    .all()
  for (const { id, phone, role, account: its } of sent)
    recordBy(who)({
      what: 'member.withdraw_invitation',
      work: () => orm.delete(invitations).where(eq(invitations.id, id)).run(),
      subject: () => `account:${its}`,
      before: () => ({ phone: maskPhone(phone), role }),
      after: () => null,
    })
}
