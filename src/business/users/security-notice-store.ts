import { and, count, eq, gte, inArray } from 'drizzle-orm'
import { dayMs, type Clock, type Ms } from '../../domain/clock'
import { systemNoticeId, type AccountId, type PersonId } from '../../domain/ids'
import { zeroUsd } from '../../domain/money'
import {
  securityKinds,
  type Notice,
  type NoticeSubject,
  type SecurityNoticeKind,
} from '../../domain/notice'
import { holderChannels } from '../notices/recipients/notices'
import { maxSecuritySms } from '../notices/recipients/topics'
import { maskPhone } from '../../domain/phone'
import {
  accounts,
  accountWebhooks,
  bellNotices,
  contacts,
  holderDeliveries as deliveries,
  memberships,
  noticeDeliveries,
  notices,
  people,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { noPerson, ownAccount } from '../../storage/sqlite/notice-receivers'

/** A change by which somebody may take an account over, or a person's sign-in. */
interface SecurityChange {
  readonly kind: SecurityNoticeKind
  /** Whose own it is; null for a matter of the account. */
  readonly person: PersonId | null
  /** Null for what is a person's alone. */
  readonly account: AccountId | null
  /** An owner who is told apart from the others. */
  readonly except?: PersonId
  readonly facts: Readonly<Record<string, string>>
  /** The number of before is somebody else's. */
  readonly withoutSms?: true
}

/** Tells of a change; called before it, in its transaction. */
export type NotifySecurity = (change: SecurityChange) => void

/** Where one way of a notice leads to, as it was before the change. */
interface Target {
  readonly way: (typeof deliveries.$inferInsert)['way']
  /** `noPerson` for the webhook of the account. */
  readonly person: number
  readonly target: string
}

/**
 * Tells of changes by every way that there is before them, whatever was switched off: addresses are kept
 * with the deliveries, since the change may be of an address.
 */
export function openSecurityNotices(connection: Connection, clock: Clock): NotifySecurity {
  const { orm } = connection
  return ({ kind, person, account, except, facts, withoutSms }) => {
    const now = clock.now()
    const at = new Date(now).toISOString()
    const id = systemNoticeId()
    const subject: NoticeSubject = {
      account: account === null ? null : accountOf(connection, account),
      project: null,
      key: null,
      ...(person === null ? {} : { person: { id: person } }),
      facts: { ...facts, at },
    }
    const receivers = person === null ? ownersOf(connection, account, except) : [person]
    const ofAccount = person === null ? (account ?? ownAccount) : ownAccount
    const targets = [
      ...receivers.flatMap((each) => targetsOf(connection, each, ofAccount, now)),
      ...(person === null ? webhookOf(connection, account) : []),
    ].filter(({ way }) => withoutSms !== true || way !== 'sms')
    if (receivers.length === 0 && targets.length === 0) return
    orm
      .insert(notices)
      .values({
        id,
        kind,
        subject: person ?? account ?? 0,
        // No two of a kind are the same.
        period: `${now}-${id.slice(-12)}`,
        threshold: 0,
        limit: zeroUsd,
        amount: zeroUsd,
        about: subject,
        created: now,
      })
      .run()
    for (const channel of holderChannels)
      orm
        .insert(noticeDeliveries)
        .values({ notice: id, channel, state: 'delivered', attempts: 1, due: now })
        .run()
    const place = { notice: id, account: ofAccount }
    for (const each of receivers)
      orm
        .insert(bellNotices)
        .values({ ...place, person: each })
        .run()
    for (const target of targets)
      orm
        .insert(deliveries)
        .values({ ...place, ...target, state: 'pending', attempts: 0, due: now, created: now })
        .run()
  }
}

/** Number of a person as notices show it; '' for whom it was taken from. */
export function shownPhone({ orm }: Connection, person: PersonId): string {
  const row = orm.select({ phone: people.phone }).from(people).where(eq(people.id, person)).get()
  return typeof row?.phone === 'string' ? maskPhone(row.phone) : ''
}

const accountOf = ({ orm }: Connection, id: AccountId): Notice['subject']['account'] => {
  const row = orm.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, id)).get()
  return row === undefined ? null : { id, name: row.name }
}

const ownersOf = (
  { orm }: Connection,
  account: AccountId | null,
  except: PersonId | undefined,
): PersonId[] =>
  account === null
    ? []
    : orm
        .select({ person: memberships.person })
        .from(memberships)
        .where(and(eq(memberships.account, account), eq(memberships.role, 'owner')))
        .all()
        .map(({ person }) => person)
        .filter((person) => person !== except)

function targetsOf(connection: Connection, person: PersonId, account: number, now: Ms): Target[] {
  const found = connection.orm
    .select({ phone: people.phone, email: contacts.email })
    .from(people)
    .leftJoin(contacts, eq(contacts.person, people.id))
    .where(eq(people.id, person))
    .get()
  const phone = smsToday(connection, person, account, now) < maxSecuritySms ? found?.phone : null
  return [
    ...(typeof phone === 'string' ? [{ way: 'sms', person, target: phone } as const] : []),
    ...(typeof found?.email === 'string'
      ? [{ way: 'email', person, target: found.email } as const]
      : []),
  ]
}

/** SMS about security that a person was sent today (UTC): of what is their own, and of an account. */
function smsToday({ orm }: Connection, person: PersonId, account: number, now: Ms): number {
  const sent = and(
    inArray(deliveries.account, [ownAccount, account]),
    eq(deliveries.way, 'sms'),
    gte(deliveries.created, (now - (now % dayMs)) as Ms),
    eq(deliveries.person, person),
    inArray(notices.kind, [...securityKinds]),
  )
  return (
    orm
      .select({ sent: count() })
      .from(deliveries)
      .innerJoin(notices, eq(notices.id, deliveries.notice))
      .where(sent)
      .get()?.sent ?? 0
  )
}

function webhookOf({ orm }: Connection, account: AccountId | null): Target[] {
  if (account === null) return []
  const row = orm
    .select({ url: accountWebhooks.url, secret: accountWebhooks.secret })
    .from(accountWebhooks)
    .where(eq(accountWebhooks.account, account))
    .get()
  if (row === undefined || row.secret === null) return []
  return [{ way: 'webhook', person: noPerson, target: JSON.stringify(row) }]
}
