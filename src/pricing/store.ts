import type { Ms } from '../domain/clock'
import type { PriceLine } from '../domain/model'
import type { CostCard, KnownCost, SaleCard, SaleOrigin } from './cards'
import type { PricingRule } from './rules'

export type ProposalStatus = 'pending' | 'approved' | 'rejected' | 'withdrawn'

/** A sale price that would be another one by now, if its rule alone decided. */
export interface Proposal {
  readonly id: number
  readonly model: string
  /** What it would be sold for. */
  readonly lines: readonly PriceLine[]
  readonly rule: number
  /** What it came from, in words. */
  readonly cause: string
  readonly created: Ms
  readonly status: ProposalStatus
  /** Who decided and when; null while it is pending, and where nobody had to. */
  readonly by: string | null
  readonly decided: Ms | null
}

/** Everything that prices hang on. */
export interface PriceState {
  readonly now: Ms
  /** Cards that hold, held or will hold, by model, in the order in which they were decided. */
  readonly sale: ReadonlyMap<string, readonly SaleCard[]>
  /** Cards of earlier releases that explain what was charged and hold at no time, by model. */
  readonly past: ReadonlyMap<string, readonly SaleCard[]>
  /** The newest cost of each vendor's model, by `costKey`. */
  readonly costs: ReadonlyMap<string, CostCard>
  readonly rules: readonly PricingRule[]
  /** Number of the next new rule: numbers of rules that are gone stay theirs. */
  readonly nextRule: number
  /** Pending, by model. */
  readonly pending: ReadonlyMap<string, Proposal>
  /** What was rejected last, by model: the same is not proposed again. */
  readonly rejected: ReadonlyMap<string, readonly PriceLine[]>
}

export interface NewSaleCard {
  readonly model: string
  readonly lines: readonly PriceLine[]
  readonly validFrom: Ms
  readonly origin: SaleOrigin
  readonly rule: number | null
  readonly by: string | null
}

/** What is to be written, all of it or nothing. */
export interface PriceChanges {
  readonly costs?: readonly KnownCost[]
  readonly sales?: readonly NewSaleCard[]
  /** Cards of earlier releases that hold again from now on. */
  readonly revived?: readonly {
    readonly id: number
    readonly model: string
    readonly rule: number | null
  }[]
  readonly proposed?: readonly Pick<Proposal, 'model' | 'lines' | 'rule' | 'cause'>[]
  readonly decided?: readonly {
    readonly id: number
    readonly status: Exclude<ProposalStatus, 'pending'>
    readonly by: string | null
  }[]
  /** Each replaces the rule of its scope. */
  readonly rules?: readonly PricingRule[]
  readonly removedRules?: readonly number[]
}

/**
 * Cards, rules and proposals. Synchronous, since a catalogue is loaded between two requests; what
 * is asked by people alone is a promise.
 */
export interface PriceStore {
  /** As of now. */
  state(): PriceState
  /**
   * Reads, decides and writes in one transaction: another process decides before or after it.
   * @returns what was decided
   */
  change<Changes extends PriceChanges>(decide: (state: PriceState) => Changes): Changes
  /** Another name for a vendor in costs, rules and routes; what was charged keeps the old one. */
  renameVendor(from: string, to: string): void
  /** Newest first. @param status null: of any */
  proposals(status: ProposalStatus | null): Promise<readonly Proposal[]>
}
