import type { Ms } from '../../domain/clock'
import type { GroupId } from '../../domain/ids'
import type { ModelEntry, PriceLine } from '../../domain/model'
import type {
  CostCard,
  GroupCard,
  GroupTerms,
  KnownCost,
  SaleCard,
  SaleOrigin,
} from '../../gateway/catalogue/cards'
import type {
  CostProposal,
  EndProposal,
  NewProposal,
  Proposal,
  ProposalStatus,
  SaleProposal,
} from './proposals'
import type { GroupRule, PricingRule } from '../../domain/pricing-rules'

/** Prices of one group of accounts. */
export interface GroupPrices {
  readonly rules: readonly GroupRule[]
  /** By model, in the order in which they were decided. */
  readonly sale: ReadonlyMap<string, readonly GroupCard[]>
}

/** Everything that prices hang on. */
export interface PriceState {
  readonly now: Ms
  /** Cards that hold, held or will hold, by model, in the order in which they were decided. */
  readonly sale: ReadonlyMap<string, readonly SaleCard[]>
  /** Cards of earlier releases that explain what was charged and hold at no time, by model. */
  readonly past: ReadonlyMap<string, readonly SaleCard[]>
  /** The cost of each vendor's model that was decided last, also one that is to begin, by `costKey`. */
  readonly costs: ReadonlyMap<string, CostCard>
  /** The costs that hold now. */
  readonly costsNow: ReadonlyMap<string, CostCard>
  readonly rules: readonly PricingRule[]
  /** Prices of groups that have rules. */
  readonly groups: ReadonlyMap<GroupId, GroupPrices>
  /** Number of the next new rule: numbers of rules that are gone stay theirs. */
  readonly nextRule: number
  /** Pending sale prices, by model. */
  readonly pending: ReadonlyMap<string, SaleProposal>
  /** Pending costs, by `costKey`. */
  readonly pendingCosts: ReadonlyMap<string, CostProposal>
  /** Pending ends, by model. */
  readonly pendingEnds: ReadonlyMap<string, EndProposal>
  /** What was rejected last, by model: the same is not proposed again. */
  readonly rejected: ReadonlyMap<string, readonly PriceLine[]>
  /** Costs that were rejected since one was approved, by `costKey`. */
  readonly rejectedCosts: ReadonlyMap<string, readonly (readonly PriceLine[])[]>
  /** Models that shall stay although no source lists them. */
  readonly rejectedEnds: ReadonlySet<string>
}

/** A cost that begins now, unless it says when. */
export interface NewCostCard extends KnownCost {
  readonly validFrom?: Ms
}

export interface NewSaleCard {
  readonly model: string
  readonly lines: readonly PriceLine[]
  readonly validFrom: Ms
  readonly origin: SaleOrigin
  readonly rule: number | null
  readonly by: string | null
}

/** A card that rules of a group make. */
export interface NewGroupCard extends NewSaleCard {
  readonly group: GroupId
  readonly base: string
  readonly terms: GroupTerms | null
}

/** Price changes to be written, all of them or none. */
export interface PriceChanges {
  readonly costs?: readonly NewCostCard[]
  readonly sales?: readonly NewSaleCard[]
  /** Cards of earlier releases that hold again from now on. */
  readonly revived?: readonly {
    readonly id: number
    readonly model: string
    readonly rule: number | null
  }[]
  readonly proposed?: readonly NewProposal[]
  /** What sources tell by now of proposals that stay. */
  readonly confirmed?: readonly Pick<CostProposal, 'id' | 'moved'>[]
  readonly decided?: readonly {
    readonly id: number
    readonly status: Exclude<ProposalStatus, 'pending'>
    readonly by: string | null
  }[]
  /** Each replaces the rule of its scope. */
  readonly rules?: readonly PricingRule[]
  readonly groupRules?: readonly GroupRule[]
  readonly groupSales?: readonly NewGroupCard[]
  readonly removedRules?: readonly number[]
  /** Models that are saved with it, their prices left as they are. */
  readonly saved?: readonly Omit<ModelEntry, 'card' | 'created' | 'aliases'>[]
}

/** Cards, rules and proposals. */
export interface PriceStore {
  /** As of now. */
  state(): Promise<PriceState>
  /**
   * Reads, decides and writes in one transaction: another process decides before or after it.
   * @param decide may be asked more than once
   * @returns what was decided
   */
  change<Changes extends PriceChanges>(decide: (state: PriceState) => Changes): Promise<Changes>
  /** Another name for a vendor in costs, rules and routes; what was charged keeps the old one. */
  renameVendor(from: string, to: string): Promise<void>
  /** Newest first. @param status null: of any */
  proposals(status: ProposalStatus | null): Promise<readonly Proposal[]>
}
