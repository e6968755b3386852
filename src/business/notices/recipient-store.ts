import { and, asc, count, desc, eq, gt, gte, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { dayMs, type Ms } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import type { Notice } from '../../domain/notice'
import type {
  Audience,
  BellOf,
  DeliveryPlace,
  Holder,
  HolderDelivery,
  HolderNoticeStore,
  SpreadPlan,
} from './recipients/contract'
import type { TopicChoices, SentWay } from './recipients/topics'
import type { Vault } from '../../storage/files/vault'
import {
  accountWebhooks,
  bellNotices,
  contacts,
  holderDeliveries as deliveries,
  keys,
  memberships,
  notices,
  people,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { choicesOf, webhookPurpose } from './preference-store'
import { noPerson, ownAccount } from '../../storage/sqlite/notice-receivers'
import { noticeOf } from './store'

// As the index has it: a bound value would not find it.
const isPending = sql`${deliveries.state} = 'pending'`

/** Notices of people and their outbox, as rows. */
export function openHolderNoticeRows(connection: Connection, vault: Vault): HolderNoticeStore {
  return {
    spread: async (notice, decide, now) =>
      connection.transaction(() => {
        const audience = audienceOf(connection, notice, now)
        writePlan(connection, notice, decide(audience), now)
      }),
    ...openDeliveryRows(connection, vault),
    ...openBellRows(connection),
  }
}

type DeliveryQueries = 'due' | 'nextDue' | 'delivered' | 'postpone' | 'giveUp'

function openDeliveryRows(
  connection: Connection,
  vault: Vault,
): Pick<HolderNoticeStore, DeliveryQueries> {
  const { orm, transaction } = connection
  const change = (
    { notice, way, person }: DeliveryPlace,
    values: Partial<Omit<typeof deliveries.$inferInsert, 'attempts'>>,
  ) =>
    transaction(() => {
      orm
        .update(deliveries)
        .set({ ...values, attempts: sql`${deliveries.attempts} + 1` })
        .where(
          and(
            eq(deliveries.notice, notice.id),
            eq(deliveries.way, way),
            eq(deliveries.person, person ?? noPerson),
          ),
        )
        .run()
    }, 'brief')
  return {
    due: async (way, now, latest, max) =>
      orm
        .select({ delivery: deliveries, notice: notices, phone: people.phone, contact: contacts })
        .from(deliveries)
        .innerJoin(notices, eq(notices.id, deliveries.notice))
        .leftJoin(people, eq(people.id, sql`${deliveries.person}`))
        .leftJoin(contacts, eq(contacts.person, sql`${deliveries.person}`))
        .where(
          and(
            eq(deliveries.way, way),
            isPending,
            or(lte(deliveries.due, now), gt(deliveries.due, latest)),
          ),
        )
        .orderBy(asc(deliveries.due))
        .limit(max)
        .all()
        .map(({ delivery, notice, phone, contact }): HolderDelivery => {
          const { person, account, attempts, target } = delivery
          return {
            notice: noticeOf(notice),
            way,
            person: person === noPerson ? null : (person as PersonId),
            account: account === ownAccount ? null : (account as AccountId),
            attempts,
            language: contact?.language ?? 'fa',
            phone: way === 'sms' ? (target ?? phone) : null,
            email: way === 'email' ? (target ?? contact?.email ?? null) : null,
            webhook: way === 'webhook' ? webhookOf(connection, vault, account, target) : null,
          }
        }),
    nextDue: async (way: SentWay) =>
      orm
        .select({ due: deliveries.due })
        .from(deliveries)
        .where(and(eq(deliveries.way, way), isPending))
        .orderBy(asc(deliveries.due))
        .limit(1)
        .get()?.due ?? null,
    delivered: async (place, now) =>
      change(place, { state: 'delivered', due: now, error: null, target: null }),
    postpone: async (place, next, error) => change(place, { due: next, error }),
    giveUp: async (place, now, error) =>
      change(place, { state: 'failed', due: now, error, target: null }),
  }
}

function openBellRows({
  orm,
  transaction,
}: Connection): Pick<HolderNoticeStore, 'bell' | 'unread' | 'seen'> {
  const ofBell = ({ person, account }: BellOf) =>
    and(
      eq(bellNotices.person, person),
      or(eq(bellNotices.account, ownAccount), eq(bellNotices.account, account)),
    )
  return {
    bell: async (of, { before, max }) =>
      orm
        .select({ notice: notices, seen: bellNotices.seen })
        .from(bellNotices)
        .innerJoin(notices, eq(notices.id, bellNotices.notice))
        .where(and(ofBell(of), before === null ? undefined : lt(bellNotices.notice, before)))
        .orderBy(desc(bellNotices.notice))
        .limit(max)
        .all()
        .map(({ notice, seen }) => ({ notice: noticeOf(notice), seen: seen !== null })),
    unread: async (of) =>
      orm
        .select({ unread: count() })
        .from(bellNotices)
        .where(and(ofBell(of), isNull(bellNotices.seen)))
        .get()?.unread ?? 0,
    seen: async (of, upTo, now) =>
      transaction(() => {
        orm
          .update(bellNotices)
          .set({ seen: now })
          .where(and(ofBell(of), isNull(bellNotices.seen), lte(bellNotices.notice, upTo)))
          .run()
      }),
  }
}

/** Whoever a notice is about; else owners of its account, and who made its key. */
function audienceOf(connection: Connection, { subject }: Notice, now: Ms): Audience {
  const { orm } = connection
  const { person, account, key } = subject
  const ids = new Set<PersonId>(person === undefined ? [] : [person.id])
  let maker: PersonId | null = null
  if (person === undefined && account !== null) {
    const members = orm
      .select({ person: memberships.person, role: memberships.role })
      .from(memberships)
      .where(eq(memberships.account, account.id))
      .all()
    maker =
      key === null
        ? null
        : (orm.select({ by: keys.madeBy }).from(keys).where(eq(keys.id, key.id)).get()?.by ?? null)
    for (const each of members)
      if (each.role === 'owner' || each.person === maker) ids.add(each.person)
  }
  const accountId = person === undefined ? (account?.id ?? null) : null
  return {
    people: [...ids].map((id) => ({ ...holderOf(connection, id), hasMadeKey: id === maker })),
    webhook: accountId === null ? null : webhookChoices(connection, accountId),
    smsToday: smsSince(connection, accountId ?? ownAccount, [...ids], (now - (now % dayMs)) as Ms),
  }
}

function holderOf(connection: Connection, person: PersonId): Omit<Holder, 'hasMadeKey'> {
  const { orm } = connection
  const found = orm
    .select({ phone: people.phone, email: contacts.email })
    .from(people)
    .leftJoin(contacts, eq(contacts.person, people.id))
    .where(eq(people.id, person))
    .get()
  return {
    person,
    hasPhone: isThere(found?.phone),
    hasEmail: isThere(found?.email),
    choices: choicesOf(connection, person),
  }
}

/** Of an account; of what is people's own, those that these people got. */
function smsSince(
  { orm }: Connection,
  account: number,
  ids: readonly PersonId[],
  since: Ms,
): number {
  const sent = and(
    eq(deliveries.account, account),
    eq(deliveries.way, 'sms'),
    gte(deliveries.created, since),
    sql`(${deliveries.error} is null or ${deliveries.attempts} > 0)`,
    account === ownAccount ? inArray(deliveries.person, ids) : undefined,
  )
  return orm.select({ sent: count() }).from(deliveries).where(sent).get()?.sent ?? 0
}

const isThere = (text: string | null | undefined): boolean => text !== null && text !== undefined

const webhookRow = ({ orm }: Connection, account: number) =>
  orm
    .select()
    .from(accountWebhooks)
    .where(eq(accountWebhooks.account, account as AccountId))
    .get()

const webhookChoices = (connection: Connection, account: AccountId): TopicChoices | null => {
  const row = webhookRow(connection, account)
  return row === undefined || row.secret === null ? null : row.choices
}

/** @param target the webhook of before a change, as it was kept */
function webhookOf(connection: Connection, vault: Vault, account: number, target: string | null) {
  const row =
    target === null
      ? webhookRow(connection, account)
      : (JSON.parse(target) as Pick<typeof accountWebhooks.$inferSelect, 'url' | 'secret'>)
  if (row === undefined || row.secret === null) return null
  const secret = vault.open(row.secret, webhookPurpose(account))
  return secret === null ? null : { url: row.url, secret }
}

function writePlan(
  { orm }: Connection,
  { id, subject, created }: Notice,
  { bell, deliveries: planned }: SpreadPlan,
  now: Ms,
): void {
  const account = subject.person === undefined ? (subject.account?.id ?? ownAccount) : ownAccount
  orm.update(notices).set({ about: subject }).where(eq(notices.id, id)).run()
  for (const person of bell)
    orm.insert(bellNotices).values({ person, account, notice: id }).onConflictDoNothing().run()
  for (const { way, person, error } of planned)
    orm
      .insert(deliveries)
      .values({
        notice: id,
        way,
        person: person ?? noPerson,
        account,
        state: error === null ? 'pending' : 'failed',
        attempts: 0,
        due: created,
        created: now,
        error,
      })
      .onConflictDoNothing()
      .run()
}
