import type { Key, Project } from '../caller'
import type { Ms } from '../clock'
import type { AccountId, KeyId, PersonId, ProjectId, RequestId } from '../ids'
import type { NanoUsd } from '../money'
import type { LedgerPage, LedgerQuery, RecordedCall, Span, UsageQuery, UsageSum } from './report'
import type { StatementPage, StatementQuery } from './statement'

interface ProjectsQuery {
  readonly account: AccountId
  /** Only those behind it; null begins with the first. */
  readonly after: ProjectId | null
  /** Only those whose name has it; null for all. */
  readonly text: string | null
  readonly max: number
}

interface KeysQuery {
  readonly account: AccountId
  readonly project: ProjectId | null
  /** Only older ones; null begins with the newest. */
  readonly before: KeyId | null
  /** Revoked keys, instead of all others. */
  readonly revoked: boolean
  readonly max: number
}

/** A key in a list, with its maker. */
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

export type UsageDimension = 'model' | 'key' | 'project'

interface UsageSummaryQuery extends UsageFilter {
  readonly by: UsageDimension
  /** The dearest groups that are told with their sums. */
  readonly maxGroups: number
  /** The dearest groups that are told day by day. */
  readonly maxDrawn: number
}

/** Sums of calls that ended. */
export interface UsageFigures {
  readonly requests: number
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: NanoUsd
}

/** Usage of one day. */
export interface UsageDay extends UsageFigures {
  /** Days since 1970. */
  readonly day: number
  readonly groups: readonly { readonly group: string; readonly cost: NanoUsd }[]
}

/** Usage of one group of calls. */
export interface UsageGroup extends UsageFigures {
  /** The model, or the number of the key or project. */
  readonly group: string
}

/** All of one moment. */
interface UsageSummary {
  readonly total: UsageFigures
  /** Those with calls, in their order. */
  readonly days: readonly UsageDay[]
  /** The dearest first. */
  readonly groups: readonly UsageGroup[]
  readonly groupCount: number
}

/** Where a row of usage stands: rows are in the order of these. */
interface UsagePlace {
  readonly project: ProjectId
  /** Days since 1970. */
  readonly day: number
  readonly key: KeyId
  readonly model: string
}

/** Usage of one day, key and model, as a row of an export. */
export interface UsageRow extends UsagePlace, UsageFigures {}

export interface UsageRowsQuery extends UsageFilter {
  /** Only those behind it; null begins with the first. */
  readonly after: UsagePlace | null
  readonly max: number
}

/** Query over an account's calls. */
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

/** A page of an account's calls. */
export interface CallsPage {
  readonly calls: readonly RecordedCall[]
  /** Where to go on; null when there is no more. There may be more without any call on this page. */
  readonly next: string | null
}

/**
 * Reads of one account, for pages and reports. Days are those of the service's zone but where it is
 * said. Lists come in pages, and no read stops the event loop for longer than a few milliseconds.
 * @throws ReadRefused from each
 */
export interface AccountReader {
  /** In the order in which they were made. */
  projects(query: ProjectsQuery): Promise<readonly Project[]>
  /** Newest first. */
  keys(query: KeysQuery): Promise<readonly ListedKey[]>
  /** Names of keys, revoked ones too. */
  keyNames(account: AccountId, keys: readonly KeyId[]): Promise<ReadonlyMap<KeyId, string>>
  projectNames(
    account: AccountId,
    projects: readonly ProjectId[],
  ): Promise<ReadonlyMap<ProjectId, string>>
  /** Last days of calls of keys, days since 1970; without those that have none. */
  lastDays(keys: readonly KeyPlace[]): Promise<ReadonlyMap<KeyId, number>>
  usage(query: UsageSummaryQuery): Promise<UsageSummary>
  usageRows(query: UsageRowsQuery): Promise<readonly UsageRow[]>
  /** Of one project, by UTC days: as `Reports.usage`. */
  projectUsage(query: UsageQuery): Promise<readonly UsageSum[]>
  /** Newest first. */
  calls(query: CallsQuery): Promise<CallsPage>
  /** Every movement of money in a range of days, newest first. */
  statement(query: StatementQuery): Promise<StatementPage>
  /**
   * Every movement of an account in the order of writing. All pages are of the moment of the first one.
   * Scans the charges since the beginning of the span; a page that took long ends early, even without lines.
   */
  ledger(query: LedgerQuery): Promise<LedgerPage>
}

type KeyPlace = Pick<ListedKey, 'id' | 'project' | 'created'>

/** `too_long`: it was ended, as it would have lasted. `too_many`: others wait already. */
export type ReadRefusal = 'too_long' | 'too_many'

/** A read that was not made, or not to its end. It may be asked for again. */
export class ReadRefused extends Error {
  constructor(readonly reason: ReadRefusal) {
    super(reason === 'too_long' ? 'the read took too long' : 'too many reads wait')
  }
}
