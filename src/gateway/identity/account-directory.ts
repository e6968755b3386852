import type { Account, Key, Project } from '../../domain/caller'
import type { Ms } from '../../domain/clock'
import type { AccountId, KeyId, PersonId, ProjectId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import type { Movement } from '../../domain/reports/movement'
import type { LimitName } from './account-limits'

/** Change of an account; what is left open stays. */
export interface AccountChange extends Partial<Omit<Account, 'id'>> {
  /**
   * Limits that are its own by now; the others are those of its group. Left out, those that are set
   * join the ones that were.
   */
  readonly ownLimits?: readonly LimitName[]
}
export type ProjectChange = Partial<Omit<Project, 'id' | 'account'>>
export type KeyChange = Partial<Omit<Key, 'id' | 'project' | 'prefix'>>

/** An account as operators see it. */
export interface AccountSummary extends Account {
  /** Limits that were set for it alone. */
  readonly ownLimits: readonly LimitName[]
  /** Null for one in no group. */
  readonly groupName: string | null
  readonly balance: NanoUsd
  readonly created: Ms
  /** For good: nothing of it changes, and nobody calls by it, any more. */
  readonly isClosed: boolean
}

/** A part of a long list. */
interface PageOf<Id> {
  readonly after: Id
  readonly max: number
}

/** A key as operators see it. */
export interface KeySummary extends Key {
  readonly account: AccountId
  readonly spent: NanoUsd
  readonly created: Ms
  /** Its maker in the web app; null where a command made it. */
  readonly madeBy: PersonId | null
}

/**
 * Accounts, projects and keys as an operator manages them; every change is committed before it
 * returns, and a running gateway sees it on its next call. Reads that find nothing return null,
 * changes of what does not exist throw RangeError with a sentence for a person.
 */
export interface Directory {
  createAccount(account: { readonly name: string } & AccountChange): Promise<AccountSummary>
  listAccounts(): Promise<readonly AccountSummary[]>
  findAccount(id: AccountId): Promise<AccountSummary | null>
  /** The largest body that any account may send. */
  largestRequestKb(): Promise<number>
  setAccount(id: AccountId, change: AccountChange): Promise<AccountSummary>
  createProject(project: { account: AccountId; name: string } & ProjectChange): Promise<Project>
  listProjects(account?: AccountId, page?: PageOf<ProjectId>): Promise<readonly Project[]>
  findProject(id: ProjectId): Promise<Project | null>
  setProject(id: ProjectId, change: ProjectChange): Promise<Project>
  /** @param hash HMAC-SHA-256 of the secret, hexadecimal; @param key.prefix for display */
  createKey(
    key: { project: ProjectId; name: string; prefix: string; madeBy?: PersonId } & KeyChange,
    hash: string,
  ): Promise<KeySummary>
  /** By number. */
  listKeys(project?: ProjectId, page?: PageOf<KeyId>): Promise<readonly KeySummary[]>
  findKey(id: KeyId): Promise<KeySummary | null>
  setKey(id: KeyId, change: KeyChange): Promise<KeySummary>
  /**
   * Money that comes in or is corrected by a person; durable before it returns. Double entry:
   * topups against `payments`, adjustments against `adjustments`.
   * @param reference counts once: a second deposit with it changes nothing and returns `repeated`
   * @throws RangeError when the reference was counted with another account or amount
   */
  deposit(movement: Movement): Promise<{ readonly balance: NanoUsd; readonly repeated: boolean }>
}
