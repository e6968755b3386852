import type { Proposal } from './proposals'
import type { CheckedSource } from './check-record'
import { readSourceProblem } from './source-problems'
import type { PlacedDoubt, PriceCheck } from './price-check'

const proposalView = (proposal: Proposal) => ({
  id: proposal.id,
  kind: proposal.kind,
  model: proposal.model,
  ...(proposal.kind === 'cost'
    ? { vendor: proposal.vendor, vendor_model: proposal.vendorModel }
    : {}),
})

const doubtView = ({ source, vendor, vendorModel, meter, told, reason }: PlacedDoubt) => ({
  source,
  vendor,
  vendor_model: vendorModel,
  meter,
  told,
  reason,
})

/** How a source answered, for programs. */
export function sourceView(source: CheckedSource) {
  const known = source.problem === null ? null : readSourceProblem(source.problem)
  return { ...source, problem_code: known?.code ?? null, problem_facts: known?.facts ?? {} }
}

/** A check of public prices, for programs. */
export const priceCheckView = (done: PriceCheck) => ({
  sources: done.sources.map(sourceView),
  compared: done.compared,
  proposed: done.proposed.map(proposalView),
  applied: done.applied.map(proposalView),
  withdrawn: done.withdrawn,
  not_believed: done.doubts.map(doubtView),
  vanished_not_believed: done.unbelievedEnds,
})
