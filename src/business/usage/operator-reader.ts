import { and, asc, desc, eq, gt, inArray, lt, or, sql, type SQL } from 'drizzle-orm'
import { latinDigits } from '../../domain/digits'
import type { AccountId, KeyId } from '../../domain/ids'
import type { AccountSearch, OperatorReader } from '../../domain/reports/operator-reader'
import type { Phone } from '../../domain/phone'
import { ownLimitsOf } from '../../gateway/identity/account-limits'
import { accountGroups, accounts, keys, memberships, people, projects } from '../../storage/schema'
import { openAllCalls } from './all-calls'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { openServiceSums } from './operator-sums'
import type { ReadDeadline } from '../../storage/sqlite/read-deadline'
import { openRepricedCalls } from '../pricing/preview-query'
import { accountOf } from '../accounts/account-rows'

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
  const ofPhone = (phone: PhoneText): AccountId[] =>
    orm
      .selectDistinct({ account: memberships.account })
      .from(people)
      .innerJoin(memberships, eq(memberships.person, people.id))
      .where(
        phone.isWhole
          ? eq(people.phone, phone.start as Phone)
          : startsWith(people.phone, phone.start),
      )
      .limit(maxByKeyOrPhone)
      .all()
      .map(({ account }) => account)

  return async ({ text, byPhone, status, group, before, max }: AccountSearch) =>
    orm
      .select()
      .from(accounts)
      .leftJoin(accountGroups, eq(accountGroups.id, accounts.group))
      .where(
        and(
          gt(accounts.id, 0 as AccountId),
          before === null ? undefined : lt(accounts.id, before),
          status === null ? undefined : eq(accounts.status, status),
          group === null ? undefined : eq(accounts.group, group),
          text === null ? undefined : matching(text, { byKey, ofPhone: byPhone ? ofPhone : null }),
        ),
      )
      .orderBy(desc(accounts.id))
      .limit(max)
      .all()
      .map(({ accounts: row, account_groups: its }) => ({
        ...accountOf(row, its),
        balance: row.balance,
        created: row.created,
        ownLimits: ownLimitsOf(row),
        groupName: its?.name ?? null,
      }))
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
    const named = find(has(keys.name, text), max)
    return [...numbered, ...named.filter(({ id }) => id !== numbered[0]?.id)].slice(0, max)
  }
}

interface OtherWays {
  byKey(text: string): AccountId[]
  /** Null finds none. */
  readonly ofPhone: ((phone: PhoneText) => AccountId[]) | null
}

/** What nobody has cannot be asked for as part of a name alone. */
function matching(text: string, ways: OtherWays): SQL | undefined {
  const { byKey, ofPhone } = ways
  const digits = latinDigits(text).replaceAll(/[\s()+-]/g, '')
  const phone = phoneStart(digits)
  const ids = [
    ...(text.startsWith('sk-') ? byKey(text) : []),
    ...(phone === null || ofPhone === null ? [] : ofPhone(phone)),
    ...(/^\d{1,15}$/.test(digits) ? [Number(digits) as AccountId] : []),
  ]
  return or(has(accounts.name, text), ids.length === 0 ? undefined : inArray(accounts.id, ids))
}

/** Whether a name has a text in it, in small letters or large ones. */
const has = (column: typeof keys.name | typeof accounts.name, text: string): SQL =>
  sql`lower(${column}) like lower(${`%${escaped(text)}%`}) escape '\\'`

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** A phone as it is kept, or its beginning. */
interface PhoneText {
  readonly start: string
  readonly isWhole: boolean
}

const phoneDigits = 10

/** From four digits on: `0912…`, `912…` or `98912…`. */
function phoneStart(digits: string): PhoneText | null {
  const [, number] = /^(?:00?98|98|0)?(9\d{2,9})$/.exec(digits) ?? []
  return number === undefined
    ? null
    : { start: `+98${number}`, isWhole: number.length === phoneDigits }
}

/** As a range, which an index answers. */
const startsWith = (column: typeof keys.prefix | typeof people.phone, text: string): SQL =>
  sql`${column} >= ${text} and ${column} < ${`${text}\u{10ffff}`}`
