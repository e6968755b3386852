import { and, eq, gt, gte, isNotNull, isNull, lte, ne, notExists, sql, type SQL } from 'drizzle-orm'
import { dayMs, dayNumber, dayOf, type Ms } from '../../domain/clock'
import type { NoticeId } from '../../domain/ids'
import { zeroUsd, type NanoUsd } from '../../domain/money'
import type { DueNotice, NoticeKind, NoticeSubject, Threshold } from '../../domain/notice'
import type { UnreportedStore } from './recipients/contract'
import { maskPhone } from '../../domain/phone'
import {
  accounts,
  invitations,
  keys,
  memberships,
  notices,
  operatorDays,
  people,
  phoneMoves,
  projects,
  verifications,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openNoticeWriter } from '../../storage/sqlite/notice-writer'

/** A key that ends is told so long before, and not before half of its life is over. */
const endingMs = 7 * dayMs
const maxAtOnce = 200

/** What is to be told, as it was found. */
interface Finding {
  readonly kind: NoticeKind
  readonly subject: NoticeSubject
  /** Sets this one apart from all others of its kind and subject. */
  readonly period: string
  readonly threshold?: Threshold
  readonly limit?: NanoUsd
  readonly amount?: NanoUsd
}

/** Channels of a notice: those of the operator, or the one to the people of an account. */
interface UnreportedChannels {
  readonly operators: readonly string[]
  readonly holders: readonly string[]
}

const forOperators: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'verification_submitted',
  'staff_day',
])

const nobody: NoticeSubject = { account: null, project: null, key: null }
const iso = (time: number): string => new Date(time).toISOString()

/**
 * Notices that are read off what is kept, whoever changed it: nothing is lost where a process dies
 * between the change and its notice.
 */
export function openStateScan(
  connection: Connection,
  newId: () => NoticeId,
): (channels: UnreportedChannels) => UnreportedStore {
  const write = openNoticeWriter(connection)
  return (channels) => ({
    tell: async (now) =>
      connection.transaction(() => {
        const found = [
          ...madeKeys(connection, now),
          ...endingKeys(connection, now),
          ...openInvitations(connection, now),
          ...waitingMoves(connection, now),
          ...verificationTurns(connection, now),
          ...spentStaffDays(connection, now),
        ]
        const due = found.map((each): DueNotice => ({
          notice: {
            threshold: null,
            limit: zeroUsd,
            amount: zeroUsd,
            ...each,
            id: newId(),
            created: now,
          },
          channels: forOperators.has(each.kind) ? channels.operators : channels.holders,
        }))
        write(due)
        return due.length
      }),
  })
}

/** Nobody was told of it in this period, as the index of what was told has it. */
const untold = ({ orm }: Connection, kind: NoticeKind, subject: SQL, period: SQL) =>
  notExists(
    orm
      .select({ id: notices.id })
      .from(notices)
      .where(
        and(
          eq(notices.subject, subject),
          eq(notices.kind, kind),
          eq(notices.period, period),
          isNull(notices.recovered),
        ),
      ),
  )

const textOf = (column: SQL): SQL => sql`cast(${column} as text)`

const keyJoins = ({ orm }: Connection) =>
  orm
    .select({ key: keys, project: projects, accountName: accounts.name })
    .from(keys)
    .innerJoin(projects, eq(projects.id, keys.project))
    .innerJoin(accounts, eq(accounts.id, projects.account))

/** Accounts that nobody signs in to have nobody to tell. */
const hasPeople = sql`exists (select 1 from ${memberships} where ${memberships.account} = ${projects.account})`

type KeyRow = ReturnType<ReturnType<typeof keyJoins>['all']>[number]

const subjectOf = (
  { key, project, accountName }: KeyRow,
  facts?: Readonly<Record<string, string>>,
): NoticeSubject => ({
  account: { id: project.account, name: accountName },
  project: { id: project.id, name: project.name },
  key: { id: key.id, name: key.name, prefix: key.prefix },
  ...(facts === undefined ? {} : { facts }),
})

const madeKeys = (connection: Connection, now: Ms): Finding[] =>
  keyJoins(connection)
    .where(
      and(
        gte(keys.created, (now - dayMs) as Ms),
        hasPeople,
        untold(connection, 'key_made', sql`${keys.id}`, textOf(sql`${keys.created}`)),
      ),
    )
    .limit(maxAtOnce)
    .all()
    .map((row) => ({ kind: 'key_made', subject: subjectOf(row), period: String(row.key.created) }))

const endingKeys = (connection: Connection, now: Ms): Finding[] =>
  keyJoins(connection)
    .where(
      and(
        isNotNull(keys.expiresAt),
        gt(keys.expiresAt, now),
        lte(keys.expiresAt, (now + endingMs) as Ms),
        sql`(${keys.created} + ${keys.expiresAt}) / 2 <= ${now}`,
        ne(keys.state, 'revoked'),
        hasPeople,
        untold(connection, 'key_ending', sql`${keys.id}`, textOf(sql`${keys.expiresAt}`)),
      ),
    )
    .limit(maxAtOnce)
    .all()
    .map((row) => ({
      kind: 'key_ending',
      subject: subjectOf(row, { until: iso(row.key.expiresAt ?? now) }),
      period: String(row.key.expiresAt),
    }))

/** Of those who have signed in before; to others nothing is sent that somebody else asked for. */
function openInvitations(connection: Connection, now: Ms): Finding[] {
  const { orm } = connection
  const inviter = orm.select({ id: people.id, phone: people.phone }).from(people).as('inviter')
  const period = sql`${invitations.id} || '-' || ${invitations.created}`
  return orm
    .select({ invitation: invitations, person: people.id, by: inviter.phone })
    .from(invitations)
    .innerJoin(people, eq(people.phone, invitations.phone))
    .innerJoin(inviter, eq(inviter.id, invitations.by))
    .where(
      and(
        gte(invitations.created, (now - dayMs) as Ms),
        gt(invitations.expires, now),
        untold(connection, 'invited', sql`${people.id}`, period),
      ),
    )
    .limit(maxAtOnce)
    .all()
    .map(({ invitation, person, by }) => ({
      kind: 'invited',
      subject: {
        ...nobody,
        person: { id: person },
        facts: { by: by === null ? '' : maskPhone(by) },
      },
      period: `${invitation.id}-${invitation.created}`,
    }))
}

const waitingMoves = (connection: Connection, now: Ms): Finding[] =>
  connection.orm
    .select()
    .from(phoneMoves)
    .where(
      and(
        gt(phoneMoves.due, now),
        untold(
          connection,
          'phone_moves',
          sql`${phoneMoves.person}`,
          textOf(sql`${phoneMoves.due}`),
        ),
      ),
    )
    .limit(maxAtOnce)
    .all()
    .map(({ person, due }) => ({
      kind: 'phone_moves',
      subject: { ...nobody, person: { id: person }, facts: { until: iso(due) } },
      period: String(due),
    }))

const turns = [
  ['submitted', 'verification_submitted'],
  ['approved', 'verification_approved'],
  ['rejected', 'verification_rejected'],
] as const

const verificationTurns = (connection: Connection, now: Ms): Finding[] =>
  turns.flatMap(([state, kind]) => {
    const time = state === 'submitted' ? verifications.submitted : verifications.decided
    return connection.orm
      .select({ row: verifications, name: accounts.name })
      .from(verifications)
      .innerJoin(accounts, eq(accounts.id, verifications.account))
      .where(
        and(
          eq(verifications.state, state),
          gte(time, (now - dayMs) as Ms),
          untold(connection, kind, sql`${verifications.account}`, textOf(sql`${time}`)),
        ),
      )
      .limit(maxAtOnce)
      .all()
      .map(({ row, name }): Finding => ({
        kind,
        subject: {
          ...nobody,
          account: { id: row.account, name },
          facts: {
            id: String(row.account),
            ...(row.reason === null ? {} : { reason: row.reason }),
          },
        },
        period: String(state === 'submitted' ? row.submitted : row.decided),
      }))
  })

/** Operators who gave away most of what they may in a day, also where it ended a moment ago. */
function spentStaffDays({ orm }: Connection, now: Ms): Finding[] {
  const today = dayNumber(now)
  const isTold = (period: string): boolean =>
    orm
      .select({ id: notices.id })
      .from(notices)
      .where(and(eq(notices.subject, 0), eq(notices.kind, 'staff_day'), eq(notices.period, period)))
      .limit(1)
      .get() !== undefined
  return orm
    .select()
    .from(operatorDays)
    .where(
      and(
        gte(operatorDays.day, today - 1),
        gt(operatorDays.granted, zeroUsd),
        sql`${operatorDays.granted} * 5 >= ${operatorDays.allowance} * 4`,
      ),
    )
    .limit(maxAtOnce)
    .all()
    .map(({ operator, day, granted, allowance }) => ({
      operator,
      period: dayOf((day * dayMs) as Ms),
      granted,
      allowance,
    }))
    .filter(({ operator, period }) => !isTold(`${period} ${operator}`))
    .map(({ operator, period, granted, allowance }) => ({
      kind: 'staff_day',
      subject: { ...nobody, operator: { name: operator } },
      period,
      threshold: 80,
      limit: allowance,
      amount: granted,
    }))
}
