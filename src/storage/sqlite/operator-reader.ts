import { and, asc, desc, eq, gt, inArray, like, lt, or, sql, type SQL } from 'drizzle-orm'
import { latinDigits } from '../../domain/digits'
import type { AccountId, KeyId } from '../../domain/ids'
import type { AccountSearch, OperatorReader } from '../../domain/operator-reader'
import { accounts, keys, memberships, people, projects } from '../schema'
import { openAllCalls } from './all-calls'
import type { ReadConnection } from './database'
import { openServiceSums } from './operator-sums'
import type { ReadDeadline } from './read-deadline'
import { openRepricedCalls } from './repriced-calls'
import { accountOf } from './rows'

/** Reads over all accounts, by their indexes and in pages. */
export function openOperatorReader(
  connection: ReadConnection,
  deadline: ReadDeadline,
): OperatorReader {
  const { orm } = connection
  return {
    accounts: openAccountSearch(connection),
    serviceSums: openServiceSums(connection),
    repricedCalls: openRepricedCalls(connection, deadline),
    keysLike: openKeySearch(connection),
    accountPeople: async (account) =>
      orm
        .select({
          person: memberships.person,
          phone: people.phone,
          role: memberships.role,
          since: memberships.created,
        })
        .from(memberships)
        .innerJoin(people, eq(people.id, memberships.person))
        .where(eq(memberships.account, account))
        .orderBy(desc(memberships.role), asc(memberships.created))
        .all(),
    allCalls: openAllCalls(connection, deadline),
  }
}

const maxByKeyOrPhone = 200

function openAccountSearch({ orm }: ReadConnection): OperatorReader['accounts'] {
  const byKey = (text: string): AccountId[] =>
    orm
      .selectDistinct({ account: projects.account })
      .from(keys)
      .innerJoin(projects, eq(projects.id, keys.project))
      .where(startsWith(keys.prefix, text))
      .limit(maxByKeyOrPhone)
      .all()
      .map(({ account }) => account)
  const byPhone = (phone: string): AccountId[] =>
    orm
      .selectDistinct({ account: memberships.account })
      .from(people)
      .innerJoin(memberships, eq(memberships.person, people.id))
      .where(startsWith(people.phone, phone))
      .limit(maxByKeyOrPhone)
      .all()
      .map(({ account }) => account)

  return async ({ text, status, before, max }: AccountSearch) =>
    orm
      .select()
      .from(accounts)
      .where(
        and(
          gt(accounts.id, 0 as AccountId),
          before === null ? undefined : lt(accounts.id, before),
          status === null ? undefined : eq(accounts.status, status),
          text === null ? undefined : matching(text, { byKey, byPhone }),
        ),
      )
      .orderBy(desc(accounts.id))
      .limit(max)
      .all()
      .map((row) => ({ ...accountOf(row), balance: row.balance, created: row.created }))
}

/** A key is known by how it begins, its number, or a part of its name. */
function openKeySearch({ orm }: ReadConnection): OperatorReader['keysLike'] {
  const find = (where: SQL, max: number) =>
    orm
      .select({
        id: keys.id,
        name: keys.name,
        prefix: keys.prefix,
        account: projects.account,
      })
      .from(keys)
      .innerJoin(projects, eq(projects.id, keys.project))
      .where(where)
      .orderBy(desc(keys.id))
      .limit(max)
      .all()
  return async (text, max) => {
    if (text.startsWith('sk-')) return find(startsWith(keys.prefix, text), max)
    const digits = latinDigits(text)
    const numbered = /^\d{1,15}$/.test(digits) ? find(eq(keys.id, Number(digits) as KeyId), 1) : []
    const named = find(like(keys.name, sql`${`%${escaped(text)}%`} escape '\\'`), max)
    return [...numbered, ...named.filter(({ id }) => id !== numbered[0]?.id)].slice(0, max)
  }
}

interface OtherWays {
  byKey(text: string): AccountId[]
  byPhone(phone: string): AccountId[]
}

/** What nobody has cannot be asked for as part of a name alone. */
function matching(text: string, { byKey, byPhone }: OtherWays): SQL | undefined {
  const digits = latinDigits(text).replaceAll(/[\s()+-]/g, '')
  const phone = phoneStart(digits)
  const ids = [
    ...(text.startsWith('sk-') ? byKey(text) : []),
    ...(phone === null ? [] : byPhone(phone)),
    ...(/^\d{1,15}$/.test(digits) ? [Number(digits) as AccountId] : []),
  ]
  return or(
    like(accounts.name, sql`${`%${escaped(text)}%`} escape '\\'`),
    ids.length === 0 ? undefined : inArray(accounts.id, ids),
  )
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** The beginning of a kept phone, from four digits on: `0912…`, `912…` or `98912…`. */
function phoneStart(digits: string): string | null {
  const [, number] = /^(?:00?98|98|0)?(9\d{2,9})$/.exec(digits) ?? []
  return number === undefined ? null : `+98${number}`
}

/** As a range, which an index answers. */
const startsWith = (column: typeof keys.prefix | typeof people.phone, text: string): SQL =>
  sql`${column} >= ${text} and ${column} < ${`${text}\u{10ffff}`}`
