import type { Ms } from '../clock'
import type { AccountId, KeyId, ProjectId } from '../ids'
import type { CallOpening, Unpaid } from '../record'
import type { NanoUsd } from '../money'
import type { Units } from '../usage'

/** A call as it is on record. */
export interface RecordedCall extends CallOpening {
  readonly status: 'pending' | 'success' | 'error' | 'cancelled'
  readonly units: Units
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly reasoningTokens: number
  /** Counted by us because the vendor did not tell. */
  readonly estimated: boolean
  /** Accrued cost, as long as it runs. */
  readonly cost: NanoUsd
  /** Amount refunded later. */
  readonly refunded: NanoUsd
  /** Amount held when it ended; unknown while it runs. */
  readonly held: NanoUsd
  /** Vendor's count, where not all of it could be charged; for the operator alone. */
  readonly unpaid: Unpaid | null
  readonly vendor: string | null
  readonly vendorModel: string | null
  /** The vendor's name of the answer, where it keeps it and a later request can go on from it. */
  readonly vendorAnswer: string | null
  /** Vendors' bill for it; null where unknown. */
  readonly vendorCost: NanoUsd | null
  /** Number of the cost card that it is by. */
  readonly costCard: number | null
  /** Counted by us, or billed although nothing was answered. */
  readonly vendorCostEstimated: boolean
  readonly error: string | null
  readonly latencyMs: number | null
  readonly firstByteMs: number | null
}

/** Sums of calls, over a day or for a model. */
export interface UsageSum {
  /** The day, `YYYY-MM-DD`, the model, or a number: of the key, project or account. */
  readonly key: string
  readonly requests: number
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: NanoUsd
}

/** Query over usage. */
export interface UsageQuery {
  readonly project: ProjectId
  /** Days since 1970, both included. */
  readonly fromDay: number
  readonly toDay: number
  readonly group: 'day' | 'model' | 'key'
}

/** Groupings of the service's usage. */
export const serviceUsageGroups = ['day', 'model', 'key', 'project', 'account'] as const
export type ServiceUsageGroup = (typeof serviceUsageGroups)[number]

interface ServiceUsageQuery extends Omit<UsageQuery, 'project' | 'group'> {
  /** Null: of any. */
  readonly account: AccountId | null
  readonly group: ServiceUsageGroup
}

/** One movement of an account's money. */
export interface LedgerLine {
  readonly created: Ms
  readonly kind: 'charge' | 'topup' | 'adjustment' | 'refund'
  /** Negative: it left the account. */
  readonly amount: NanoUsd
  /** Of the account once this line is counted. */
  readonly balance: NanoUsd
  /** The request of a charge; of the others what they are for. */
  readonly reference: string
  /** Of a person, in their words. */
  readonly note: string | null
  readonly by: string | null
}

/** Range of time: from the one moment on, up to the other one. */
export interface Span {
  readonly from: Ms
  readonly to: Ms
}

/** Query over an account's movements. */
export interface LedgerQuery extends Span {
  readonly account: AccountId
  /** `next` of the page before, which keeps the span of the first page; null begins. */
  readonly after: string | null
  readonly max: number
}

/** A page of an account's movements. */
export interface LedgerPage {
  readonly lines: readonly LedgerLine[]
  /** Null behind the last page. */
  readonly next: string | null
  /** Balance before the first line; null while it is still summed up, in pages without lines. */
  readonly opening: NanoUsd | null
  /** Balance behind the last line. */
  readonly closing: NanoUsd | null
}

/** Which calls are wanted; null: of any. */
export interface CallFilter {
  readonly account: AccountId | null
  readonly project: ProjectId | null
  readonly key: KeyId | null
  readonly model: string | null
  readonly status: RecordedCall['status'] | null
}

/** Query over calls. */
export interface CallQuery extends Span, CallFilter {
  readonly most: number
}

/** Reports on the past. Cold reads, each by an index. */
export interface Reports {
  /**
   * Null when there is no such call on record.
   * @param project of this project alone; null of any
   */
  call(id: string, project: ProjectId | null): Promise<RecordedCall | null>
  /** Calls that ended and are written: days in their order, others with the dearest first. */
  usage(query: UsageQuery): Promise<readonly UsageSum[]>
  /** Same, of all projects or those of one account. Keys of sums are numbers of what they are of. */
  serviceUsage(query: ServiceUsageQuery): Promise<readonly UsageSum[]>
  /** When the newest call, transfer or change is of; null for none. */
  newest(): Promise<Ms | null>
  /** Newest first. Looks at every call of the span until there are enough, in several reads. */
  calls(query: CallQuery): Promise<readonly RecordedCall[]>
  /** Same, read as they are taken: a span may hold more calls than fit into memory. */
  eachCall(query: CallQuery): AsyncIterable<RecordedCall>
  /** Looks at every call of the span. */
  countCalls(query: Span & CallFilter): Promise<number>
}

/** Profit of calls, over a day, or for a model, vendor or account. */
export interface ProfitSum {
  /** The day, `YYYY-MM-DD`, the model, the vendor, or the number of the account. */
  readonly key: string
  readonly calls: number
  readonly charged: NanoUsd
  readonly refunded: NanoUsd
  readonly vendorCost: NanoUsd
  /** Calls that a vendor answered whose cost nobody knows. */
  readonly uncosted: number
}

/** Groupings of profit. */
export const profitGroups = ['day', 'model', 'vendor', 'account'] as const
export type ProfitGroup = (typeof profitGroups)[number]

/** Sort keys of accounts: charges, or the margin left of them when refunds and vendors are paid. */
export const profitOrders = ['charged', 'margin'] as const
export type ProfitOrder = (typeof profitOrders)[number]

type Scored = Readonly<Record<'charged' | 'refunded' | 'vendorCost', number>>

/** What comes first has most of it. */
export const profitScores: Readonly<Record<ProfitOrder, (sum: Scored) => number>> = {
  charged: ({ charged }) => charged,
  margin: ({ charged, refunded, vendorCost }) => charged - refunded - vendorCost,
}

export interface ProfitQuery {
  /** Days since 1970, both included. */
  readonly fromDay: number
  readonly toDay: number
  readonly group: ProfitGroup
}

export interface TopAccountsQuery extends Omit<ProfitQuery, 'group'> {
  readonly order: ProfitOrder
  readonly max: number
}

/** Profit from sums of days: as long as the range, whatever the history. */
export interface ProfitReports {
  /** Days in their order, others with the dearest first. */
  profit(query: ProfitQuery): Promise<readonly ProfitSum[]>
  /** The accounts with most of something, as many as are asked for, however many there are. */
  topAccounts(query: TopAccountsQuery): Promise<readonly ProfitSum[]>
}
