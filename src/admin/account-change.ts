import type { GroupId } from '../domain/ids'
import { limitNames, type LimitName } from '../identity/account-limits'
import type { AccountChange, AccountSummary } from '../identity/directory'
import type { GroupStore } from '../identity/groups'
import { AdminError } from './admin-error'
import { groupOf } from './groups'

/** Names of limits as interfaces have them. */
export const limitFields: Readonly<Record<LimitName, string>> = {
  dailyCap: 'daily_cap_usd',
  concurrency: 'concurrency',
  requestsPerMinute: 'rpm',
  maxRequestKb: 'max_request_kb',
  unverifiedCeiling: 'unverified_ceiling_usd',
}

/**
 * A change of an account after which some limits are its group's again, else the service's.
 * @throws AdminError input_invalid for a limit that is set as well
 */
export function withInherited(
  { ownLimits }: Pick<AccountSummary, 'ownLimits'>,
  change: AccountChange,
  inherited: readonly LimitName[],
): AccountChange {
  if (inherited.length === 0) return change
  const set = limitNames.filter((name) => change[name] !== undefined)
  const both = set.find((name) => inherited.includes(name))
  if (both !== undefined)
    throw new AdminError('input_invalid', {
      field: limitFields[both],
      rule: 'either set or inherited',
    })
  return {
    ...change,
    ownLimits: [...ownLimits, ...set].filter((name) => !inherited.includes(name)),
  }
}

/** Checks that a group exists. @throws AdminError group_not_found */
export async function checkGroup(
  groups: Pick<GroupStore, 'find'>,
  { group }: { readonly group?: GroupId | null },
): Promise<void> {
  if (group !== undefined && group !== null) await groupOf(groups, group)
}
