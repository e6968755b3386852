import { Type, type Static } from '@sinclair/typebox'
import { causeCodes, readCause } from '../causes'
import type { Proposal } from '../proposals'
import { changeView } from '../price-change-view'
import { Id, orNull } from '../../operations/fields'
import { Pricing } from '../../catalogue/operations/model-views'

const text = Type.String()
const Kind = Type.Union([Type.Literal('cost'), Type.Literal('sale'), Type.Literal('discontinued')])
const Margins = Type.Object({
  before: orNull(text),
  unchanged: orNull(text),
  after: orNull(text),
})

const effect = { pricing: Pricing, calls_30d: Type.Integer() }

/** A price change that waits for a decision. */
export const ProposalView = Type.Object({
  id: Id,
  kind: Kind,
  model: text,
  cause: text,
  /** Code of the cause, with the names in it; null for one in other words. */
  cause_code: orNull(Type.Union(causeCodes.map((code) => Type.Literal(code)))),
  cause_facts: Type.Record(Type.String(), text),
  created: text,
  /** Of a cost: whose, and what it is called there. */
  vendor: orNull(text),
  vendor_model: orNull(text),
  sources: Type.Array(text),
  cost: orNull(Pricing),
  cost_source: orNull(text),
  cost_proposed: orNull(Pricing),
  moved: Type.Array(
    Type.Object({
      price: text,
      before: orNull(text),
      after: orNull(text),
      agree: Type.Array(text),
      differ: Type.Array(text),
    }),
  ),
  /** Of `model`. */
  ...effect,
  pricing_proposed: orNull(Pricing),
  margin_percent: orNull(Margins),
  models: Type.Array(
    Type.Object({ model: text, ...effect, pricing_proposed: Pricing, margin_percent: Margins }),
  ),
})

export function proposalView(
  change: Parameters<typeof changeView>[0],
): Static<typeof ProposalView> {
  const { object: _, ...view } = changeView(change)
  const known = readCause(view.cause)
  return {
    ...view,
    cause_code: known?.code ?? null,
    cause_facts: { ...known?.facts },
    vendor: view.vendor ?? null,
    vendor_model: view.vendor_model ?? null,
    sources: [...(view.sources ?? [])],
    cost: view.cost ?? null,
    cost_source: view.cost_source ?? null,
    cost_proposed: view.cost_proposed ?? null,
    moved: (view.moved ?? []).map(({ agree, differ, ...each }) => ({
      ...each,
      agree: [...agree],
      differ: [...differ],
    })),
  }
}

const DecidedProposal = Type.Object({
  id: Id,
  kind: Kind,
  model: text,
  /** Of a cost: the vendor and its name of the model. */
  cost_of: orNull(text),
  status: Type.Union([Type.Literal('approved'), Type.Literal('rejected')]),
})

export const DecidedProposals = Type.Object({
  data: Type.Array(DecidedProposal),
  /** When what was approved begins to hold; null for at once. */
  from: orNull(text),
})

export const decidedView = (
  decided: readonly Proposal[],
  status: Static<typeof DecidedProposal>['status'],
  from: string | null = null,
): Static<typeof DecidedProposals> => ({
  data: decided.map((proposal) => ({
    id: proposal.id,
    kind: proposal.kind,
    model: proposal.model,
    cost_of: proposal.kind === 'cost' ? `${proposal.vendor}:${proposal.vendorModel}` : null,
    status,
  })),
  from,
})
