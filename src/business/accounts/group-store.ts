import { and, count, desc, eq, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { GroupId } from '../../domain/ids'
import type { AccountGroup, GroupStore } from '../../gateway/identity/groups'
import { scopeText, type RuleScope } from '../../domain/pricing-rules'
import type { TrailFields } from '../../domain/audit-log'
import { accountGroups, accounts, pricingRules } from '../../storage/schema'
import { countCatalogue } from '../catalogue/version-store'
import type { Connection } from '../../storage/sqlite/connection'
import { groupTrail } from '../audit-log/audit-fields'
import type { WriteAudit } from '../audit-log/audit-log-sql'
import { groupLimitsOf } from './account-rows'
import { storeOf, type Rows } from '../../storage/sqlite/sync-store'

interface GroupRowsParts {
  readonly connection: Connection
  readonly clock: Clock
  readonly record: WriteAudit
}

/** Reads of groups that are there. */
function openGroups({ orm }: Connection) {
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
  const one = (which: SQL): AccountGroup | null => {
    const held = and(which, isNull(accountGroups.removed))
    const row = orm.select().from(accountGroups).where(held).get()
    return row === undefined ? null : groupOf(row)
  }
  return {
    groupOf,
    find: (id: GroupId) => one(eq(accountGroups.id, id)),
    named: (name: string) => one(eq(accountGroups.name, name)),
    list: (before: GroupId | null, max: number) =>
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
  }
}

/** Groups of accounts, as rows, each change with its line of the trail. */
export function openGroupRows({ connection, clock, record }: GroupRowsParts): GroupStore {
  const { orm } = connection
  const { groupOf, find, named, list } = openGroups(connection)
  const rows: Rows<GroupStore> = {
    list,
    find,
    named,
    add: ({ name, limits }) =>
      record({
        what: 'group.add',
        work() {
          if (named(name) !== null) return null
          const row = { name, ...limits, created: clock.now() }
          return groupOf(orm.insert(accountGroups).values(row).returning().get())
        },
        subject: (made) => `group:${made?.id ?? name}`,
        before: () => null,
        after: fieldsOf,
      }),
    set: (id, { name, limits }) =>
      record({
        what: 'group.set',
        work() {
          if (find(id) === null) throw new RangeError(`there is no group ${id}`)
          if (name !== undefined && (named(name)?.id ?? id) !== id) return null
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
        work: () => find(id) !== null && remove(connection, id, clock.now()),
        subject: () => `group:${id}`,
        before() {
          const found = find(id)
          return found === null
            ? null
            : {
                ...groupTrail(found),
                accounts: found.accounts,
                rules: rulesOf(connection, id).map(scopeText),
              }
        },
        after: () => null,
      }),
  }
  return storeOf<GroupStore>(rows)
}

/** Inside of a transaction. */
function remove({ orm }: Connection, id: GroupId, now: Ms): true {
  orm.update(accounts).set({ group: null }).where(eq(accounts.group, id)).run()
  orm.delete(pricingRules).where(eq(pricingRules.group, id)).run()
  orm.update(accountGroups).set({ removed: now }).where(eq(accountGroups.id, id)).run()
  countCatalogue(orm)
  return true
}

const rulesOf = ({ orm }: Connection, id: GroupId): readonly RuleScope[] =>
  orm
    .select({ kind: pricingRules.kind, name: pricingRules.name })
    .from(pricingRules)
    .where(eq(pricingRules.group, id))
    .orderBy(pricingRules.id)
    .all()

const fieldsOf = (group: AccountGroup | null): TrailFields | null =>
  group === null ? null : groupTrail(group)
