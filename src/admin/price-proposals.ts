import type { Ms } from '../domain/clock'
import type { PriceLine } from '../domain/model'
import { cardAt } from '../pricing/cards'
import type { NewSaleCard, Proposal } from '../pricing/store'
import { AdminError } from './admin-error'
import type { ServiceParts } from './service-parts'

/** A proposal beside what the model is sold for by now. */
export interface PriceChange extends Proposal {
  readonly sold: readonly PriceLine[]
}

/** Prices that wait for a decision, oldest first. */
export function pendingPrices({ storage }: ServiceParts): readonly PriceChange[] {
  const { pending, sale, now } = storage.prices.state()
  return [...pending.values()].map((proposal) => ({
    ...proposal,
    sold: cardAt(sale.get(proposal.model) ?? [], now)?.lines ?? [],
  }))
}

/** @throws AdminError proposal_not_pending */
export function pendingPrice(parts: ServiceParts, id: number): PriceChange {
  const found = pendingPrices(parts).find((each) => each.id === id)
  if (found === undefined) throw new AdminError('proposal_not_pending', { id })
  return found
}

/** Which proposals are decided: those named, or all that wait. */
export type ProposalChoice = readonly number[] | 'all'

/**
 * Sells by what was proposed, from now or from a later date on.
 * @param from null: at once
 * @throws AdminError proposal_not_pending; then nothing is decided
 */
export function approvePrices(
  { storage }: ServiceParts,
  choice: ProposalChoice,
  { from, by }: { readonly from: Ms | null; readonly by: string },
): readonly Proposal[] {
  let approved: readonly Proposal[] = []
  storage.prices.change(({ pending, now }) => {
    approved = chosen([...pending.values()], choice)
    const validFrom = from === null || from < now ? now : from
    return {
      sales: approved.map(({ model, lines, rule }): NewSaleCard => ({
        model,
        lines,
        rule,
        validFrom,
        origin: 'rule',
        by,
      })),
      decided: approved.map(({ id }) => ({ id, status: 'approved' as const, by })),
    }
  })
  return approved
}

/**
 * Leaves prices as they are; the same is not proposed again.
 * @throws AdminError proposal_not_pending; then nothing is decided
 */
export function rejectPrices(
  { storage }: ServiceParts,
  choice: ProposalChoice,
  by: string,
): readonly Proposal[] {
  let rejected: readonly Proposal[] = []
  storage.prices.change(({ pending }) => {
    rejected = chosen([...pending.values()], choice)
    return { decided: rejected.map(({ id }) => ({ id, status: 'rejected' as const, by })) }
  })
  return rejected
}

function chosen(pending: readonly Proposal[], choice: ProposalChoice): readonly Proposal[] {
  if (choice === 'all') return pending
  return [...new Set(choice)].map((id) => {
    const found = pending.find((each) => each.id === id)
    if (found === undefined) throw new AdminError('proposal_not_pending', { id })
    return found
  })
}
