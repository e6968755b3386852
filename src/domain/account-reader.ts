import type { Key, Project } from './caller'
import type { Ms } from './clock'
import type { AccountId, KeyId, PersonId, ProjectId, RequestId } from './ids'
import type { NanoUsd } from './money'
import type { RecordedCall, Span } from './report'

export interface ProjectsQuery {
  readonly account: AccountId
  /** Only those behind it; null begins with the first. */
  readonly after: ProjectId | null
  readonly max: number
}

export interface KeysQuery {
  readonly account: AccountId
  readonly project: ProjectId | null
  /** Only older ones; null begins with the newest. */
  readonly before: KeyId | null
  /** Those that are revoked, instead of all others. */
  readonly revoked: boolean
  readonly max: number
}

export interface ListedKey extends Key {
  readonly created: Ms
  readonly madeBy: PersonId | null
}

/** Null: of any. */
interface UsageFilter {
  readonly account: AccountId
  /** Days since 1970, both included. */
  readonly fromDay: number
  readonly toDay: number
  readonly project: ProjectId | null
  readonly key: KeyId | null
  readonly model: string | null
}

export type UsageDimension = 'day' | 'model' | 'key' | 'project'

export interface UsageBy extends UsageFilter {
  readonly by: readonly UsageDimension[]
}

/** Calls that ended, by whatever was asked for. */
export interface UsageRow {
  /** Days since 1970; null where it was not asked for, as the rest. */
  readonly day: number | null
  readonly model: string | null
  readonly key: KeyId | null
  readonly project: ProjectId | null
  readonly requests: number
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: NanoUsd
}

export interface CallsQuery extends Span {
  readonly account: AccountId
  readonly project: ProjectId | null
  readonly key: KeyId | null
  readonly model: string | null
  readonly status: RecordedCall['status'] | null
  /** Only older ones; null begins with the newest. */
  readonly before: RequestId | null
  readonly max: number
}

export interface CallsPage {
  readonly calls: readonly RecordedCall[]
  /** Where to go on; null when there is no more. There may be more without any call on this page. */
  readonly next: string | null
}

/** What pages show of one account. Lists come in pages, and a read lets calls go on beside it. */
export interface AccountReader {
  /** In the order in which they were made. */
  projects(query: ProjectsQuery): Promise<readonly Project[]>
  /** Newest first. */
  keys(query: KeysQuery): Promise<readonly ListedKey[]>
  /** Names of keys, revoked ones too. */
  keyNames(account: AccountId, keys: readonly KeyId[]): Promise<ReadonlyMap<KeyId, string>>
  /** Last UTC day of calls of a key, days since 1970; null without any. */
  lastUsed(project: ProjectId, key: KeyId): Promise<number | null>
  usage(query: UsageBy): Promise<readonly UsageRow[]>
  /** Newest first. */
  calls(query: CallsQuery): Promise<CallsPage>
}
