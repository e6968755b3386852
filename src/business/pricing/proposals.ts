import type { Ms } from '../../domain/clock'
import type { PriceLine } from '../../domain/model'
import type { CostPlace } from '../../gateway/catalogue/cards'
import type { MovedCost } from './cost-vote'

export type ProposalStatus = 'pending' | 'approved' | 'rejected' | 'withdrawn'

interface ProposalState {
  readonly id: number
  /** Cause, in words. */
  readonly cause: string
  readonly created: Ms
  readonly status: ProposalStatus
  /** Person who decided, and when; null while it is pending, and where nobody had to. */
  readonly by: string | null
  readonly decided: Ms | null
}

/** A sale price that would be another one by now, if its rule alone decided. */
interface NewSaleProposal {
  readonly kind: 'sale'
  readonly model: string
  /** Proposed sale prices. */
  readonly lines: readonly PriceLine[]
  readonly rule: number
}

/** A cost that public sources tell otherwise. */
interface NewCostProposal extends CostPlace {
  readonly kind: 'cost'
  /** The first model that it is a route of. */
  readonly model: string
  /** The whole cost card as it would be. */
  readonly lines: readonly PriceLine[]
  readonly moved: readonly MovedCost[]
}

/** A model that no source lists any more. */
interface NewEndProposal {
  readonly kind: 'discontinued'
  readonly model: string
}

export type NewProposal = (NewSaleProposal | NewCostProposal | NewEndProposal) &
  Pick<ProposalState, 'cause'>

export type SaleProposal = NewSaleProposal & ProposalState
export type CostProposal = NewCostProposal & ProposalState
export type EndProposal = NewEndProposal & ProposalState

/** A change that somebody has to decide on. */
export type Proposal = SaleProposal | CostProposal | EndProposal

/** Sources that tell every price that moves. */
export function agreeingSources(moved: readonly MovedCost[]): readonly string[] {
  const [first, ...others] = moved.map(({ agree }) => agree)
  return (first ?? []).filter((source) => others.every((agree) => agree.includes(source)))
}
