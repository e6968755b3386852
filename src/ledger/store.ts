import type { AccountId, KeyId, ProjectId, RequestId } from '../domain/ids'
import { plus, type NanoUsd } from '../domain/money'
import type { DueNotice } from '../domain/notice'
import type { CallEnding, CallOpening, AccruedCost } from '../domain/record'

/** A sum of charges that a cap is checked against. Periods: '' for ever, `YYYY-MM`, `YYYY-MM-DD`. */
export type Scope =
  | { readonly kind: 'key'; readonly id: KeyId; readonly period: '' }
  | { readonly kind: 'project-month'; readonly id: ProjectId; readonly period: string }
  | { readonly kind: 'account'; readonly id: AccountId; readonly period: '' }
  | { readonly kind: 'account-day'; readonly id: AccountId; readonly period: string }
  | { readonly kind: 'service-day'; readonly id: 0; readonly period: string }

/** Scope of a sum: an account's money, or charges that a cap is checked against. */
export type SumScope =
  Scope | { readonly kind: 'balance'; readonly id: AccountId; readonly period: '' }

/** A row of another store that is written in the commit of a call. */
export interface Carried {
  /** The store, by its name among those of the storage. */
  readonly to: string
  readonly row: object
}

/** A balance that is told of where it falls below this. */
export interface Floor {
  readonly account: AccountId
  readonly limit: NanoUsd
  /** By the commit that asks. */
  readonly charged: NanoUsd
  /** Told before, since when it was at its floor again only if this commit finds it there. */
  readonly isTold: boolean
  /** But for its amount, which is the balance. */
  readonly due: DueNotice
}

/** Whether a commit that leaves this balance is to tell of it. */
export const crossesThreshold = ({ limit, charged, isTold }: Floor, after: NanoUsd): boolean =>
  after < limit && (!isTold || plus(after, charged) >= limit)

/** Content of one commit, for many calls. */
export interface Batch {
  /** Calls that began and have not ended: rows with status `pending`. */
  readonly opened: readonly CallOpening[]
  /** Calls whose pending row names another model than answers them. */
  readonly reopened?: readonly CallOpening[]
  /** What calls that go on owe by now; their rows were opened, at the latest by this batch. */
  readonly owed?: readonly {
    readonly opening: CallOpening
    readonly owed: AccruedCost
    readonly held: NanoUsd
  }[]
  /** Calls that ended; `wasOpened` when an earlier batch wrote their pending row. */
  readonly ended: readonly {
    readonly opening: CallOpening
    readonly ending: CallEnding
    readonly held: NanoUsd
    readonly wasOpened: boolean
    readonly carried?: Carried | null
  }[]
  /** Charges per sum, of the calls that ended: written some time behind them. */
  readonly spent: readonly { readonly scope: Scope; readonly amount: NanoUsd }[]
  /** What is to be told because of it; those told before are not told again. */
  readonly notices?: readonly DueNotice[]
  readonly floors?: readonly Floor[]
}

/** Rows of the ledger. Balances and sums are written relatively: another process may write too. */
export interface LedgerStore {
  /** Committed sums, in the order of their scopes; nothing of an account that is not there. */
  sums(scopes: readonly SumScope[]): Promise<readonly NanoUsd[]>
  /**
   * One transaction: records, one charge transfer per call with a cost (unique by request id),
   * balances. All or nothing. None leaves a balance below zero, or a debt larger: the service bears what
   * somebody took out of it meanwhile.
   * @param durable synchronous=FULL
   * @returns committed balances of the accounts it charged
   */
  commit(batch: Batch, durable: boolean): Promise<ReadonlyMap<AccountId, NanoUsd>>
  /**
   * Writes sums that commits left behind, by about as many rows: a round goes once through all. Without a bound on the
   * rows nothing is left.
   * @returns true when the round is not over
   */
  sumUp(mostRows: number): Promise<boolean>
  /**
   * What an earlier process left: its spool is replayed, its sums are made up for, its pending calls
   * become `error` and cost what they owed, mostly nothing.
   * @param running calls of processes that go on; none unless told
   * @returns how many calls
   */
  recover(running?: ReadonlySet<RequestId>): Promise<number>
  find(id: RequestId): Promise<{ readonly status: string; readonly cost: NanoUsd } | null>
}

/** Store of the ledger as its journal and its book use it. */
export type JournalStore = Pick<LedgerStore, 'sums' | 'commit' | 'sumUp'>

/** Result of the audit. Every number is recomputed from the transfers alone. */
export interface AuditReport {
  readonly ok: boolean
  readonly accounts: number
  readonly transfers: number
  readonly requests: number
  /** Calls with status `pending`: running now, or left by a process that died. */
  readonly pending: number
  /** Calls whose charge waits in the spool: about to be written, or left by a process that died. */
  readonly spooled: number
  /** Their sum; no balance has it yet. */
  readonly spooledCost: NanoUsd
  /** One sentence for each difference, naming what is off and by how much. */
  readonly differences: readonly string[]
}
