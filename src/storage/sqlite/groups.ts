import { and, count, desc, eq, isNotNull, isNull, lt, ne } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import type { GroupId } from '../../domain/ids'
import { noAccountRpm } from '../../identity/account-limits'
import type { AccountGroup, GroupStore } from '../../identity/groups'
import type { Fields } from '../../trail/trail'
import { accountGroups, accounts, pricingRules } from '../schema'
import { countCatalogue } from './catalogue-version'
import type { Connection } from './database'
import { usdFields } from './recorded-directory'
import type { Record } from './recorder'
import { groupLimitsOf } from './rows'
import { storeOf, type Rows } from './store-rows'

interface GroupRowsParts {
  readonly connection: Connection
  readonly clock: Clock
  readonly record: Record
}

const groupFields = ({ name, limits }: AccountGroup): Fields => ({
  name,
  daily_cap_usd: usdFields(limits.dailyCap),
  concurrency: limits.concurrency,
  rpm: limits.requestsPerMinute === noAccountRpm ? null : limits.requestsPerMinute,
  max_request_kb: limits.maxRequestKb,
  unverified_ceiling_usd: usdFields(limits.unverifiedCeiling),
})

/** Groups of accounts, as rows, each change with its line of the trail. */
export function openGroupRows({ connection, clock, record }: GroupRowsParts): GroupStore {
  const { orm } = connection
  const accountsIn = (id: GroupId): number =>
    orm
      .select({ many: count() })
      .from(accounts)
      .where(and(isNotNull(accounts.group), eq(accounts.group, id)))
      .get()?.many ?? 0
  const groupOf = (row: typeof accountGroups.$inferSelect): AccountGroup => ({
    id: row.id,
    name: row.name,
    limits: groupLimitsOf(row),
    created: row.created,
    accounts: accountsIn(row.id),
  })
  const find = (id: GroupId): AccountGroup | null => {
    const row = orm
      .select()
      .from(accountGroups)
      .where(and(eq(accountGroups.id, id), isNull(accountGroups.removed)))
      .get()
    return row === undefined ? null : groupOf(row)
  }
  const named = (name: string): AccountGroup | null => {
    const row = orm
      .select()
      .from(accountGroups)
      .where(and(eq(accountGroups.name, name), isNull(accountGroups.removed)))
      .get()
    return row === undefined ? null : groupOf(row)
  }
  const isTaken = (name: string, by: GroupId | null): boolean => {
    const others = by === null ? undefined : ne(accountGroups.id, by)
    const held = and(eq(accountGroups.name, name), isNull(accountGroups.removed), others)
    return orm.select({ id: accountGroups.id }).from(accountGroups).where(held).get() !== undefined
  }
  const rulesOf = (id: GroupId) =>
    orm
      .select({ kind: pricingRules.kind, name: pricingRules.name, of: pricingRules.markedUp })
      .from(pricingRules)
      .where(eq(pricingRules.group, id))
      .all()

  const rows: Rows<GroupStore> = {
    list: (before, max) =>
      orm
        .select()
        .from(accountGroups)
        .where(
          and(
            isNull(accountGroups.removed),
            before === null ? undefined : lt(accountGroups.id, before),
          ),
        )
        .orderBy(desc(accountGroups.id))
        .limit(max)
        .all()
        .map(groupOf),
    find,
    named,
    add: ({ name, limits }) =>
      record({
        what: 'group.add',
        work: () =>
          isTaken(name, null)
            ? null
            : groupOf(
                orm
                  .insert(accountGroups)
                  .values({ name, ...limits, created: clock.now() })
                  .returning()
                  .get(),
              ),
        subject: (made) => `group:${made?.id ?? name}`,
        before: () => null,
        after: (made) => (made === null ? null : groupFields(made)),
      }),
    set: (id, { name, limits }) =>
      record({
        what: 'group.set',
        work() {
          if (find(id) === null) throw new RangeError(`there is no group ${id}`)
          if (name !== undefined && isTaken(name, id)) return null
          const change = { ...limits, ...(name === undefined ? {} : { name }) }
          if (Object.keys(change).length > 0)
            orm.update(accountGroups).set(change).where(eq(accountGroups.id, id)).run()
          return find(id)
        },
        subject: () => `group:${id}`,
        before: () => fieldsOf(find(id)),
        after: () => fieldsOf(find(id)),
      }),
    remove: (id) =>
      record({
        what: 'group.remove',
        work() {
          if (find(id) === null) return false
          orm.update(accounts).set({ group: null }).where(eq(accounts.group, id)).run()
          orm.delete(pricingRules).where(eq(pricingRules.group, id)).run()
          orm
            .update(accountGroups)
            .set({ removed: clock.now() })
            .where(eq(accountGroups.id, id))
            .run()
          countCatalogue(orm)
          return true
        },
        subject: () => `group:${id}`,
        before() {
          const found = find(id)
          return found === null
            ? null
            : { ...groupFields(found), accounts: found.accounts, rules: rulesOf(id) }
        },
        after: () => null,
      }),
  }
  return storeOf<GroupStore>(rows)
}

const fieldsOf = (group: AccountGroup | null): Fields | null =>
  group === null ? null : groupFields(group)
