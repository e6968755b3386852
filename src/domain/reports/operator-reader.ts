import type { Role } from '../fields/member-fields'
import type { Account, AccountLimits } from '../caller'
import type { Ms } from '../clock'
import type { AccountId, GroupId, KeyId, PersonId, ProjectId, RequestId } from '../ids'
import type { PriceLine } from '../model'
import type { NanoUsd } from '../money'
import type { CallsPage } from './account-reader'
import type { RecordedCall, Span } from './report'

/** Search terms for accounts. */
export interface AccountSearch {
  /** Part of a name, a number of the account, the beginning of a key, or a phone; null for all. */
  readonly text: string | null
  /** Whether a phone finds it, or its beginning: not for who may not read phones, since tries tell all of a number. */
  readonly byPhone: boolean
  readonly status: Account['status'] | null
  /** Those of one group; null for all. */
  readonly group: GroupId | null
  /** Only older ones; null begins with the newest. */
  readonly before: AccountId | null
  readonly max: number
}

interface FoundAccount extends Account {
  /** Limits that were set for it alone. */
  readonly ownLimits: readonly (keyof AccountLimits)[]
  /** Null for one in no group. */
  readonly groupName: string | null
  readonly balance: NanoUsd
  readonly created: Ms
}

interface FoundKey {
  readonly id: KeyId
  readonly name: string
  readonly prefix: string
  readonly account: AccountId
}

/** Somebody who signs in for an account. */
interface AccountPerson {
  readonly person: PersonId
  readonly phone: string | null
  readonly role: Role
  readonly since: Ms
}

/** Query over the calls of all accounts. Null: of any. */
export interface AllCallsQuery extends Span {
  readonly account: AccountId | null
  readonly project: ProjectId | null
  readonly key: KeyId | null
  readonly model: string | null
  readonly status: RecordedCall['status'] | null
  /** Only older ones; null begins with the newest. */
  readonly before: RequestId | null
  readonly max: number
}

/** UTC days since 1970, both included. */
export interface UtcDayRange {
  readonly fromDay: number
  readonly toDay: number
}

/** Sums of the whole service. */
export interface ServiceSums {
  /** Calls that ended. */
  readonly calls: number
  readonly charged: NanoUsd
  readonly refunded: NanoUsd
  readonly vendorCost: NanoUsd
  /** Calls that a vendor answered whose cost nobody knows. */
  readonly uncosted: number
  /** Among the calls. */
  readonly errors: number
  readonly activeAccounts: number
  readonly moneyIn: NanoUsd
}

/** A model by two cards of prices. */
export interface RepricedCard {
  readonly model: string
  readonly before: readonly PriceLine[]
  readonly after: readonly PriceLine[]
}

interface RepricedQuery extends Span {
  readonly cards: readonly RepricedCard[]
}

/** Cost of a model's calls by two cards. */
export interface RepricedSum {
  readonly model: string
  readonly calls: number
  readonly before: NanoUsd
  readonly after: NanoUsd
  /** Calls with units that the second card has no price for: they are left out of both sums. */
  readonly unpriced: number
}

interface RepricedCalls {
  readonly sums: readonly RepricedSum[]
  /** Older calls were not looked at, for time; null where all of the span were. */
  readonly since: Ms | null
}

/**
 * Reads over all accounts, for operators. Lists come in pages by the last row's id, and no read stops
 * the event loop for longer than a few milliseconds.
 * @throws ReadRefused from each
 */
export interface OperatorReader {
  /** Newest first. */
  accounts(query: AccountSearch): Promise<readonly FoundAccount[]>
  /** By a part of the name, the number or the beginning of the key, newest first. */
  keysLike(text: string, max: number): Promise<readonly FoundKey[]>
  /** Owners first. */
  accountPeople(account: AccountId): Promise<readonly AccountPerson[]>
  /** Newest first, of one account or of all. */
  allCalls(query: AllCallsQuery): Promise<CallsPage>
  /** Newest calls first, as far as one read may last. */
  repricedCalls(query: RepricedQuery): Promise<RepricedCalls>
  /** Of each range, in their order. */
  serviceSums(ranges: readonly UtcDayRange[]): Promise<readonly ServiceSums[]>
}
