import type { AccountId, GroupId } from '../../domain/ids'
import { limitNames, type LimitName } from '../../gateway/identity/account-limits'
import type {
  AccountChange,
  AccountSummary,
  Directory,
} from '../../gateway/identity/account-directory'
import type { GroupStore } from '../../gateway/identity/groups'
import type { Requester } from '../operators/requester'
import { checkRole } from './access-rules'
import { openAccountIn } from './find-account'
import { AdminError } from '../operations/admin-error'
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
function withInherited(
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
      rule: 'not_beside',
      fields: ['inherit'],
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

interface AccountParts {
  readonly storage: {
    readonly directory: Directory
    readonly groups: Pick<GroupStore, 'find'>
  }
  readonly requester: Requester
}

/** As an account is before anything is set. */
const asMade = { group: null, verified: false, unverifiedCeiling: null } as const

/**
 * Fields that decide about prices or lift the ceiling before verification require an owner: no allowance bounds them.
 * @throws AdminError role_too_low
 */
function checkOwnersFields(
  requester: Requester,
  now: Pick<AccountSummary, keyof typeof asMade>,
  { group, verified, unverifiedCeiling }: AccountChange,
): void {
  const isOwners =
    (group !== undefined && group !== now.group) ||
    (verified === true && !now.verified) ||
    (unverifiedCeiling !== undefined && unverifiedCeiling !== now.unverifiedCeiling)
  if (isOwners) checkRole(requester, 'owner')
}

/** Makes an account. @throws AdminError role_too_low | group_not_found */
export async function createAccount(
  { storage, requester }: AccountParts,
  wanted: Parameters<Directory['createAccount']>[0],
): Promise<AccountSummary> {
  checkOwnersFields(requester, asMade, wanted)
  await checkGroup(storage.groups, wanted)
  return await storage.directory.createAccount(wanted)
}

/**
 * Changes an account.
 * @param inherited limits that are those of its group from now on, else the service's
 * @throws AdminError account_not_found | account_closed | role_too_low | group_not_found | input_invalid
 */
export async function setAccount(
  parts: AccountParts,
  id: AccountId,
  change: AccountChange,
  inherited: readonly LimitName[],
): Promise<AccountSummary> {
  const { storage, requester } = parts
  const account = await openAccountIn(parts, id)
  checkOwnersFields(requester, account, change)
  if (inherited.includes('unverifiedCeiling') && account.ownLimits.includes('unverifiedCeiling'))
    checkRole(requester, 'owner')
  await checkGroup(storage.groups, change)
  const whole = withInherited(account, change, inherited)
  return await storage.directory.setAccount(account.id, whole)
}
