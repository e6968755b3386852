import { accountFields } from '../../domain/fields/account-fields'
import type { Account, Key, Project } from '../../domain/caller'
import { only } from '../../domain/fields/field'
import { groupLimitFields } from '../../domain/fields/group-fields'
import { keyFields } from '../../domain/fields/key-fields'
import { projectFields } from '../../domain/fields/project-fields'
import { limitsOf, type GroupLimits } from '../../gateway/identity/account-limits'
import type { accountGroups, accounts, keys, projects } from '../../storage/schema'

/** Limits that a group gives its accounts. */
export const groupLimitsOf = (row: typeof accountGroups.$inferSelect): GroupLimits =>
  only(groupLimitFields, row)

/** Rows as the domain speaks of them: what belongs to the database alone stays behind. */
export const accountOf = (
  row: typeof accounts.$inferSelect,
  group: typeof accountGroups.$inferSelect | null,
): Account => ({
  id: row.id,
  ...only(accountFields, row),
  ...limitsOf(row, group === null ? null : groupLimitsOf(group)),
})

export const projectOf = (row: typeof projects.$inferSelect): Project => ({
  id: row.id,
  account: row.account,
  ...only(projectFields, row),
})

export const keyOf = (row: typeof keys.$inferSelect): Key => ({
  id: row.id,
  project: row.project,
  prefix: row.prefix,
  state: row.state,
  ...only(keyFields, row),
})
