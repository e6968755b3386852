import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AccountId, GroupId, KeyId, PersonId, ProjectId } from '../../domain/ids'
import type { Ms } from '../../domain/clock'
import { money, words } from './columns'

/** Accounts with prices and limits of their own. A row stays when its group is removed: receipts name it. */
export const accountGroups = sqliteTable(
  'account_groups',
  {
    id: integer().primaryKey().$type<GroupId>(),
    name: text().notNull(),
    dailyCap: money('daily_cap'),
    concurrency: integer(),
    requestsPerMinute: integer('requests_per_minute'),
    maxRequestKb: integer('max_request_kb'),
    unverifiedCeiling: money('unverified_ceiling'),
    created: integer().notNull().$type<Ms>(),
    /** Null while it is there. */
    removed: integer().$type<Ms>(),
  },
  (table) => [
    uniqueIndex('account_groups_name')
      .on(table.name)
      .where(sql`${table.removed} is null`),
  ],
)

/** Who owns money. The house's own accounts have negative ids, so that every transfer has two sides. */
export const accounts = sqliteTable(
  'accounts',
  {
    id: integer().primaryKey().$type<AccountId>(),
    name: text().notNull(),
    status: text({ enum: ['active', 'suspended'] }).notNull(),
    verified: integer({ mode: 'boolean' }).notNull(),
    dailyCap: money('daily_cap'),
    concurrency: integer().notNull(),
    requestsPerMinute: integer('requests_per_minute').notNull(),
    maxRequestKb: integer('max_request_kb').notNull(),
    balance: money().notNull(),
    created: integer().notNull().$type<Ms>(),
    noticeFloor: money('notice_floor'),
    /** When its people closed it; null while it is theirs. */
    closed: integer().$type<Ms>(),
    /** One of `account_groups`; null for none. */
    group: integer('account_group').$type<GroupId>(),
    unverifiedCeiling: money('unverified_ceiling'),
    /**
     * Limits that were set for this account alone. Null in rows of before there were groups: those
     * that are not the service's own.
     */
    ownLimits: words('own_limits'),
  },
  (table) => [
    check('accounts_status', sql`${table.status} in ('active', 'suspended')`),
    index('accounts_group')
      .on(table.group, table.id)
      .where(sql`${table.group} is not null`),
  ],
)

export const projects = sqliteTable(
  'projects',
  {
    id: integer().primaryKey().$type<ProjectId>(),
    account: integer()
      .notNull()
      .references(() => accounts.id)
      .$type<AccountId>(),
    name: text().notNull(),
    active: integer({ mode: 'boolean' }).notNull(),
    allowedModels: words('allowed_models'),
    monthlyBudget: money('monthly_budget'),
    created: integer().notNull().$type<Ms>(),
  },
  (table) => [index('projects_account').on(table.account)],
)

export const keys = sqliteTable(
  'keys',
  {
    id: integer().primaryKey().$type<KeyId>(),
    project: integer()
      .notNull()
      .references(() => projects.id)
      .$type<ProjectId>(),
    name: text().notNull(),
    /** HMAC-SHA-256 of the secret, hexadecimal. */
    hash: text().notNull(),
    prefix: text().notNull(),
    state: text({ enum: ['active', 'disabled', 'revoked'] }).notNull(),
    requestsPerMinute: integer('requests_per_minute'),
    spendLimit: money('spend_limit'),
    allowedModels: words('allowed_models'),
    allowedAddresses: words('allowed_addresses'),
    expiresAt: integer('expires_at').$type<Ms>(),
    created: integer().notNull().$type<Ms>(),
    /** Who made it in the web app; null where a command did. */
    madeBy: integer('made_by').$type<PersonId>(),
  },
  (table) => [
    uniqueIndex('keys_hash').on(table.hash),
    index('keys_project').on(table.project),
    // Who is told of keys asks for what was made of late, and what ends soon.
    index('keys_created').on(table.created),
    index('keys_expires')
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null`),
    index('keys_prefix').on(table.prefix),
    // Pages list those that are not revoked, or those that are: both newest first.
    index('keys_kept')
      .on(table.project)
      .where(sql`${table.state} <> 'revoked'`),
    index('keys_revoked')
      .on(table.project)
      .where(sql`${table.state} = 'revoked'`),
  ],
)
