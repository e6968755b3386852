import type { Account, Key, Project } from '../../domain/caller'
import { limitsOf, type GroupLimits } from '../../identity/account-limits'
import type { accountGroups, accounts, keys, projects } from '../schema'

/** Limits that a group gives its accounts. */
export const groupLimitsOf = (row: typeof accountGroups.$inferSelect): GroupLimits => ({
  dailyCap: row.dailyCap,
  concurrency: row.concurrency,
  requestsPerMinute: row.requestsPerMinute,
  maxRequestKb: row.maxRequestKb,
  unverifiedCeiling: row.unverifiedCeiling,
})

/** Rows as the domain speaks of them: what belongs to the database alone stays behind. */
export const accountOf = (
  row: typeof accounts.$inferSelect,
  group: typeof accountGroups.$inferSelect | null,
): Account => ({
  ...limitsOf(row, group === null ? null : groupLimitsOf(group)),
  id: row.id,
  name: row.name,
  status: row.status,
  verified: row.verified,
  group: row.group,
  noticeFloor: row.noticeFloor,
})

export const projectOf = (row: typeof projects.$inferSelect): Project => ({
  id: row.id,
  account: row.account,
  name: row.name,
  active: row.active,
  allowedModels: row.allowedModels,
  monthlyBudget: row.monthlyBudget,
})

export const keyOf = (row: typeof keys.$inferSelect): Key => ({
  id: row.id,
  project: row.project,
  name: row.name,
  prefix: row.prefix,
  state: row.state,
  requestsPerMinute: row.requestsPerMinute,
  spendLimit: row.spendLimit,
  allowedModels: row.allowedModels,
  allowedAddresses: row.allowedAddresses,
  expiresAt: row.expiresAt,
})
