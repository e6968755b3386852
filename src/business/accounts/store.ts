import { and, desc, eq, gt, isNull, max, sql } from 'drizzle-orm'
import { accountFields } from '../../domain/fields/account-fields'
import type { AccountLimits } from '../../domain/caller'
import type { Clock } from '../../domain/clock'
import { presetsOf } from '../../domain/fields/field'
import type { AccountId, KeyId, ProjectId } from '../../domain/ids'
import { keyFields } from '../../domain/fields/key-fields'
import { nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import { projectFields } from '../../domain/fields/project-fields'
import {
  limitNames,
  ownLimitsOf,
  serviceLimits,
  type KeptLimits,
} from '../../gateway/identity/account-limits'
import type {
  AccountChange,
  AccountSummary,
  Directory,
  KeySummary,
} from '../../gateway/identity/account-directory'
import { accountGroups, accounts, keys, projects, spent } from '../../storage/schema'
import { openMoveMoney } from '../../ledger/store/transfers'
import { refuseClosed } from './refuse-closed-sql'
import type { Connection } from '../../storage/sqlite/connection'
import { freshOfKey, freshSpent } from '../../ledger/sums/unaggregated'
import { accountOf, keyOf, projectOf } from './account-rows'
import type { Rows } from '../../storage/sqlite/sync-store'

const accountDefaults = { ...presetsOf(accountFields), ...serviceLimits, closed: null } as const
const projectDefaults = presetsOf(projectFields)
const keyDefaults = { ...presetsOf(keyFields), state: 'active' } as const

/** Accounts, projects and keys, as rows. */
export function openDirectory(connection: Connection, clock: Clock): Rows<Directory> {
  const { orm } = connection
  const nextId = <Id extends number>(
    table: typeof accounts | typeof projects | typeof keys,
  ): Id => {
    const row = orm.select({ id: table.id }).from(table).orderBy(desc(table.id)).limit(1).get()
    return (Math.max(0, row?.id ?? 0) + 1) as Id
  }

  const summaryOf = ({
    accounts: row,
    account_groups: group,
  }: {
    readonly accounts: typeof accounts.$inferSelect
    readonly account_groups: typeof accountGroups.$inferSelect | null
  }): AccountSummary => ({
    ...accountOf(row, group),
    ownLimits: ownLimitsOf(row),
    groupName: group?.name ?? null,
    balance: row.balance,
    created: row.created,
    isClosed: row.closed !== null,
  })
  const summaries = () =>
    orm.select().from(accounts).leftJoin(accountGroups, eq(accountGroups.id, accounts.group))
  const findAccount = (id: AccountId) => {
    const row = summaries().where(eq(accounts.id, id)).limit(1).get()
    return row === undefined || id < 0 ? null : summaryOf(row)
  }
  const refuseGoneGroup = ({ group }: AccountChange) => {
    if (group === undefined || group === null) return
    const held = and(eq(accountGroups.id, group), isNull(accountGroups.removed))
    const found = orm.select({ id: accountGroups.id }).from(accountGroups).where(held).get()
    needed(found ?? null, 'group', group)
  }
  const keptLimits = (id: AccountId): KeptLimits =>
    orm.select().from(accounts).where(eq(accounts.id, id)).get() ?? noneOwn
  const findProject = (id: ProjectId) => {
    const row = orm.select().from(projects).where(eq(projects.id, id)).limit(1).get()
    return row === undefined ? null : projectOf(row)
  }
  const freshByKey = connection.raw.prepare<{ id: number; amount: number }, []>(
    `SELECT id, sum(amount) AS amount FROM (${freshSpent}) AS found WHERE kind = 'key' GROUP BY id`,
  )
  const freshOfOne = connection.raw.prepare<{ amount: number }, [number]>(freshOfKey)
  const keyRows = (
    project?: ProjectId,
    id?: KeyId,
    { after, max: most }: { after: KeyId; max: number } = { after: 0 as KeyId, max: -1 },
  ): KeySummary[] => {
    const waiting =
      id === undefined ? freshByKey.all() : [{ id, amount: freshOfOne.get(id)?.amount ?? 0 }]
    const fresh = new Map<number, NanoUsd>(waiting.map((row) => [row.id, nanoUsd(row.amount)]))
    return orm
      .select({ key: keys, account: projects.account, spent: spent.amount })
      .from(keys)
      .innerJoin(projects, eq(projects.id, keys.project))
      .leftJoin(
        spent,
        sql`${spent.kind} = 'key' and ${spent.id} = ${keys.id} and ${spent.period} = ''`,
      )
      .where(
        id !== undefined
          ? eq(keys.id, id)
          : project !== undefined
            ? and(eq(keys.project, project), gt(keys.id, after))
            : gt(keys.id, after),
      )
      .orderBy(keys.id)
      .limit(most)
      .all()
      .map((row) => ({
        ...keyOf(row.key),
        account: row.account,
        spent: plus(row.spent ?? zeroUsd, fresh.get(row.key.id) ?? zeroUsd),
        created: row.key.created,
        madeBy: row.key.madeBy,
      }))
  }
  const findKey = (id: KeyId) => keyRows(undefined, id)[0] ?? null

  return {
    createAccount: (account) =>
      connection.transaction(() => {
        refuseGoneGroup(account)
        const id = nextId<AccountId>(accounts)
        const row = {
          ...accountDefaults,
          ...account,
          ...changedLimits(noneOwn, account),
          id,
          balance: zeroUsd,
          created: clock.now(),
        }
        orm.insert(accounts).values(row).run()
        return needed(findAccount(id), 'account', id)
      }),
    listAccounts: () =>
      summaries()
        .where(gt(accounts.id, 0 as AccountId))
        .orderBy(accounts.id)
        .all()
        .map(summaryOf),
    findAccount,
    largestRequestKb: () =>
      Math.max(
        accountDefaults.maxRequestKb,
        orm
          .select({ most: max(accounts.maxRequestKb) })
          .from(accounts)
          .get()?.most ?? 0,
        orm
          .select({ most: max(accountGroups.maxRequestKb) })
          .from(accountGroups)
          .where(isNull(accountGroups.removed))
          .get()?.most ?? 0,
      ),
    setAccount: (id, change) =>
      connection.transaction(() => {
        needed(findAccount(id), 'account', id)
        refuseClosed(connection, id)
        refuseGoneGroup(change)
        const limits = changedLimits(keptLimits(id), change)
        if (Object.keys(change).length > 0)
          orm
            .update(accounts)
            .set({ ...change, ...limits })
            .where(eq(accounts.id, id))
            .run()
        return needed(findAccount(id), 'account', id)
      }),
    createProject: (project) =>
      connection.transaction(() => {
        needed(findAccount(project.account), 'account', project.account)
        refuseClosed(connection, project.account)
        const row = {
          ...projectDefaults,
          ...project,
          id: nextId<ProjectId>(projects),
          created: clock.now(),
        }
        orm.insert(projects).values(row).run()
        return projectOf(row)
      }),
    listProjects: (account, { after, max: most } = { after: 0 as ProjectId, max: -1 }) =>
      orm
        .select()
        .from(projects)
        .where(
          and(
            gt(projects.id, after),
            account === undefined ? undefined : eq(projects.account, account),
          ),
        )
        .orderBy(projects.id)
        .limit(most)
        .all()
        .map(projectOf),
    findProject,
    setProject: (id, change) =>
      connection.transaction(() => {
        needed(findProject(id), 'project', id)
        if (Object.keys(change).length > 0)
          orm.update(projects).set(change).where(eq(projects.id, id)).run()
        return needed(findProject(id), 'project', id)
      }),
    createKey: (key, hash) =>
      connection.transaction(() => {
        const { account } = needed(findProject(key.project), 'project', key.project)
        refuseClosed(connection, account)
        const id = nextId<KeyId>(keys)
        orm
          .insert(keys)
          .values({ ...keyDefaults, ...key, id, hash, created: clock.now() })
          .run()
        return needed(findKey(id), 'key', id)
      }),
    listKeys: (project, page) => keyRows(project, undefined, page),
    findKey,
    setKey: (id, change) =>
      connection.transaction(() => {
        const key = needed(findKey(id), 'key', id)
        if (key.state === 'revoked' && change.state !== undefined && change.state !== 'revoked')
          throw new RangeError(`key ${id} is revoked for good: create a new one`)
        if (Object.keys(change).length > 0)
          orm.update(keys).set(change).where(eq(keys.id, id)).run()
        return needed(findKey(id), 'key', id)
      }),
    deposit: openDeposit(connection, clock),
  }
}

function needed<T>(found: T | null, what: string, id: number): T {
  if (found === null) throw new RangeError(`there is no ${what} ${id}`)
  return found
}

/** Limits of an account that has none of its own. */
const noneOwn: KeptLimits = { ...serviceLimits, ownLimits: [] }

/** Limits of an account after a change, as they are kept: what is not its own is the service's there. */
function changedLimits(kept: KeptLimits, change: AccountChange): KeptLimits {
  const set = limitNames.filter((name) => change[name] !== undefined)
  const own = new Set(change.ownLimits ?? [...ownLimitsOf(kept), ...set])
  const limits = Object.fromEntries(
    limitNames.map((name) => [
      name,
      own.has(name)
        ? change[name] === undefined
          ? kept[name]
          : change[name]
        : serviceLimits[name],
    ]),
  ) as unknown as AccountLimits
  return { ...limits, ownLimits: limitNames.filter((name) => own.has(name)) }
}

/** Money that a person moves: on disk before it is acknowledged, once per reference. */
function openDeposit(connection: Connection, clock: Clock): Rows<Directory>['deposit'] {
  const moveMoney = openMoveMoney(connection, clock)
  return (movement) =>
    connection.transaction(() => {
      // An adjustment may still take out what came too late.
      if (movement.kind === 'topup') refuseClosed(connection, movement.account)
      const { balance, repeated } = moveMoney(movement)
      return { balance, repeated }
    }, 'durable')
}
