import { familyOf, type PriceLine } from '../domain/model'
import { dayOf, type Ms } from '../domain/clock'
import { isComplete } from '../metering/price-card'
import { costKey, syncSource, type KnownCost } from '../pricing/cards'
import type { CostProposal, Proposal } from '../pricing/proposals'
import { sameLines } from '../pricing/rule-price'
import {
  costsWith,
  lastDecided,
  priceByRule,
  type CostLines,
  type Known,
  type PlacedModel,
} from '../pricing/settle'
import type { NewCostCard, NewSaleCard, PriceChanges, PriceState } from '../pricing/store'
import { AdminError } from './admin-error'
import { discontinuedModel } from './discontinue-model'
import { knownOf, settlePrices } from './priced-catalogue'
import { catalogueOf, type ServiceParts } from './service-parts'

/** Everything that waits for a decision, oldest first. */
export const pendingPrices = async ({ storage }: ServiceParts): Promise<readonly Proposal[]> =>
  pendingOf(await storage.prices.state())

export const pendingOf = ({
  pending,
  pendingCosts,
  pendingEnds,
}: PriceState): readonly Proposal[] =>
  [...pending.values(), ...pendingCosts.values(), ...pendingEnds.values()].toSorted(
    (a, b) => a.id - b.id,
  )

/** Which proposals are decided: those named, or all that wait. */
export type ProposalChoice = readonly number[] | 'all'

/**
 * Does what was proposed, from now or from a later date on: a cost is on record, and what is sold by
 * a rule follows it.
 * @param from null: at once
 * @throws AdminError proposal_not_pending | end_not_later; then nothing is decided
 */
export async function approvePrices(
  parts: ServiceParts,
  choice: ProposalChoice,
  { from, by }: { readonly from: Ms | null; readonly by: string },
): Promise<readonly Proposal[]> {
  const known = await knownOf(await catalogueOf(parts))
  const { prices } = parts.storage
  const ended = new Map<string, NonNullable<PriceChanges['saved']>[number]>()
  for (const { kind, id, model } of pendingOf(await prices.state()))
    if (kind === 'discontinued' && (choice === 'all' || choice.includes(id)))
      ended.set(model, await discontinuedModel(parts, model))
  let approved: readonly Proposal[] = []
  await prices.change((state) => {
    approved = chosen(state, choice)
    const validFrom = from === null || from < state.now ? state.now : from
    const saved = approved.flatMap((proposal) => {
      if (proposal.kind !== 'discontinued') return []
      const { id, model } = proposal
      if (validFrom > state.now) throw new AdminError('end_not_later', { id, model })
      const end = ended.get(model)
      // Proposed after the look at what waits: whoever approves has not read it.
      if (end === undefined) throw new AdminError('proposal_not_pending', { id })
      return end
    })
    return { ...approvalOf(state, known, approved, { validFrom, by }), saved }
  })
  // A model whose cost nobody knew may be sold now.
  await settlePrices(await catalogueOf(parts), 'price changes were approved')
  return approved
}

/** Prices that an approval would move at once; nothing is written. @throws AdminError proposal_not_pending */
export async function movedByApproval(
  parts: ServiceParts,
  choice: ProposalChoice,
): Promise<readonly NewSaleCard[]> {
  const known = await knownOf(await catalogueOf(parts))
  const state = await parts.storage.prices.state()
  const { sales = [] } = approvalOf(state, known, chosen(state, choice), {
    validFrom: state.now,
    by: '',
  })
  return sales
}

/** Costs and sale prices that an approval comes to. */
export function approvalOf(
  state: PriceState,
  known: Known,
  approved: readonly Proposal[],
  { validFrom, by }: { readonly validFrom: Ms; readonly by: string },
): PriceChanges {
  const changed = approved.filter((each) => each.kind === 'cost')
  const followed = openFollowing(state, known).prices(changed)
  const told = approved.flatMap((each) =>
    each.kind === 'sale' && !followed.has(each.model) ? each : [],
  )
  const sales = [
    ...told.map(({ model, lines, rule }) => ({ model, lines, rule })),
    ...[...followed.values()].filter(({ moves }) => moves),
  ].map(({ model, lines, rule }): NewSaleCard => ({
    model,
    lines,
    rule,
    validFrom,
    by,
    origin: 'rule',
  }))
  const isApproved = new Set(approved.map(({ id }) => id))
  const overtaken = sales.flatMap(({ model }) => {
    const pending = state.pending.get(model)
    return pending === undefined || isApproved.has(pending.id) ? [] : pending.id
  })
  return {
    costs: changed.map((proposal) => costCardOf(proposal, state.now, validFrom)),
    sales,
    decided: [
      ...approved.map(({ id }) => ({ id, status: 'approved' as const, by })),
      ...overtaken.map((id) => ({ id, status: 'withdrawn' as const, by: null })),
    ],
  }
}

function costCardOf(
  { vendor, vendorModel, lines, moved }: CostProposal,
  now: Ms,
  validFrom: Ms,
): NewCostCard {
  const sources = [...new Set(moved.flatMap(({ agree }) => agree))].join(', ')
  const source = `${syncSource}${dayOf(now)} (${sources})`
  return { vendor, vendorModel, lines, source, validFrom }
}

/** What a model would be sold for, were some costs others. */
interface FollowingPrice {
  readonly model: string
  readonly lines: readonly PriceLine[]
  readonly rule: number | null
  /** False where it was typed, or its rule makes the same of it. */
  readonly moves: boolean
}

/** What models would be sold for, were some costs others. */
interface Following {
  /** Every cost as it is. */
  readonly costs: CostLines
  /** Prices of the models that have one of these routes, by model. */
  prices(changed: readonly Omit<KnownCost, 'source'>[]): ReadonlyMap<string, FollowingPrice>
}

export function openFollowing(state: PriceState, known: Known): Following {
  const costs = costsWith(state, known.costs)
  const models = new Map<string, PlacedModel[]>()
  for (const model of known.models)
    for (const key of new Set(model.routes.map(costKey)))
      models.set(key, [...(models.get(key) ?? []), model])
  return {
    costs,
    prices(changed) {
      const after = costsAfter(costs, changed)
      const touched = new Set(changed.flatMap((cost) => models.get(costKey(cost)) ?? []))
      const prices = [...touched].flatMap((model) => followingPrice(state, model, after) ?? [])
      return new Map(prices.map((price) => [price.model, price]))
    },
  }
}

/** Costs, some of them others. */
export function costsAfter(
  costs: CostLines,
  changed: readonly Omit<KnownCost, 'source'>[],
): CostLines {
  const after = new Map(changed.map((cost) => [costKey(cost), cost.lines]))
  return { get: (key) => after.get(key) ?? costs.get(key) }
}

/** Null for a model that nobody sells. */
function followingPrice(
  state: PriceState,
  model: PlacedModel,
  costs: CostLines,
): FollowingPrice | null {
  const held = lastDecided(state, model.id)
  if (held === null) return null
  const price = held.origin === 'rule' ? priceByRule(model, costs, state.rules) : null
  const { id, isFree } = model
  const stays = { model: id, lines: held.lines, rule: held.rule, moves: false }
  if (price === null || sameLines(price.lines, held.lines)) return stays
  const card = { version: '', validFrom: state.now, lines: price.lines }
  return isComplete(card, familyOf(model), isFree) ? { model: id, ...price, moves: true } : stays
}

/**
 * Leaves prices as they are; the same is not proposed again.
 * @throws AdminError proposal_not_pending; then nothing is decided
 */
export async function rejectPrices(
  { storage }: ServiceParts,
  choice: ProposalChoice,
  by: string,
): Promise<readonly Proposal[]> {
  let rejected: readonly Proposal[] = []
  await storage.prices.change((state) => {
    rejected = chosen(state, choice)
    return { decided: rejected.map(({ id }) => ({ id, status: 'rejected' as const, by })) }
  })
  return rejected
}

function chosen(state: PriceState, choice: ProposalChoice): readonly Proposal[] {
  const pending = pendingOf(state)
  if (choice === 'all') return pending
  return [...new Set(choice)].map((id) => {
    const found = pending.find((each) => each.id === id)
    if (found === undefined) throw new AdminError('proposal_not_pending', { id })
    return found
  })
}
