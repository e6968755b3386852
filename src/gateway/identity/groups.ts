import type { Ms } from '../../domain/clock'
import type { GroupId } from '../../domain/ids'
import type { GroupLimits } from './account-limits'

/** Accounts with prices and limits of their own. An account is in one of them, or in none. */
export interface AccountGroup {
  readonly id: GroupId
  /** Of one group at a time. */
  readonly name: string
  readonly limits: GroupLimits
  readonly created: Ms
  /** How many are in it. */
  readonly accounts: number
}

/** Group of accounts to be made. */
export interface NewGroup {
  readonly name: string
  readonly limits: Partial<GroupLimits>
}

export type GroupChange = Partial<NewGroup>

/** Groups of accounts. Every change is on disk before it returns. */
export interface GroupStore {
  /** Newest first. @param before null begins with the newest */
  list(before: GroupId | null, max: number): Promise<readonly AccountGroup[]>
  find(id: GroupId): Promise<AccountGroup | null>
  named(name: string): Promise<AccountGroup | null>
  /** @returns null where another is called so */
  add(group: NewGroup): Promise<AccountGroup | null>
  /** @returns null where another is called so @throws RangeError where it is not there */
  set(id: GroupId, change: GroupChange): Promise<AccountGroup | null>
  /**
   * Removes it with its price rules; its accounts are in no group then.
   * @returns false where it was not there
   */
  remove(id: GroupId): Promise<boolean>
}
