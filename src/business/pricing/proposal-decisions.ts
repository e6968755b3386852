import { familyOf, type PriceLine } from '../../domain/model'
import { dayOf, type Ms } from '../../domain/clock'
import { isComplete } from '../../gateway/metering/price-card'
import { causeOf } from './causes'
import { costKey, syncSource, type KnownCost } from '../../gateway/catalogue/cards'
import type { CostProposal, Proposal } from './proposals'
import { sameLines } from './rule-price'
import {
  costsWith,
  lastDecided,
  priceByRule,
  type CostLines,
  type Known,
  type PlacedModel,
} from './settle'
import type { NewCostCard, NewSaleCard, PriceChanges, PriceState } from './contract'
import { AdminError } from '../operations/admin-error'
import { discontinuedModel } from '../catalogue/discontinue-model'
import { rowsOfApproval, rowsOfRejection, slicesByModel } from './price-slices'
import { knownOf, settlePrices } from './priced-catalogue'
import { catalogueOf, type ServiceParts } from '../data/service-parts'

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
  const waiting = await prices.state()
  const asked = chosen(waiting, choice)
  const ended = new Map<string, NonNullable<PriceChanges['saved']>[number]>()
  for (const { kind, id, model } of asked)
    if (kind === 'discontinued') {
      if (from !== null && from > waiting.now) throw new AdminError('end_not_later', { id, model })
      ended.set(model, await discontinuedModel(parts, model))
    }
  const approved = await decideInSlices(parts, asked, rowsOfApproval, (state, some) => {
    const validFrom = from === null || from < state.now ? state.now : from
    const saved = some.flatMap(({ kind, model }) =>
      kind === 'discontinued' ? (ended.get(model) ?? []) : [],
    )
    return { ...approvalOf(state, known, some, { validFrom, by }), saved }
  })
  // A model whose cost nobody knew may be sold now.
  await settlePrices(await catalogueOf(parts), causeOf('approved'))
  return approved
}

/**
 * Decides about proposals, thousands of them in several transactions.
 * @throws AdminError proposal_not_pending where somebody decided about one meanwhile, and it was one of few
 */
async function decideInSlices(
  { storage: { prices } }: ServiceParts,
  asked: readonly Proposal[],
  rowsOfEach: number,
  decide: (state: PriceState, some: readonly Proposal[]) => PriceChanges,
): Promise<readonly Proposal[]> {
  const slices = slicesByModel(asked, rowsOfEach)
  const decided: Proposal[] = []
  for (const slice of slices) {
    let some: readonly Proposal[] = []
    await prices.change((state) => {
      some = slices.length === 1 ? chosen(state, idsOf(slice)) : stillPending(state, slice)
      return decide(state, some)
    })
    decided.push(...some)
  }
  return decided.toSorted((a, b) => a.id - b.id)
}

const idsOf = (proposals: readonly Proposal[]): readonly number[] => proposals.map(({ id }) => id)

function stillPending(state: PriceState, some: readonly Proposal[]): readonly Proposal[] {
  const ids = new Set(idsOf(some))
  return pendingOf(state).filter(({ id }) => ids.has(id))
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

/** Sale price of a model by other costs. */
interface FollowingPrice {
  readonly model: string
  readonly lines: readonly PriceLine[]
  readonly rule: number | null
  /** False where it was typed, or its rule makes the same of it. */
  readonly moves: boolean
}

/** Models whose sale prices follow costs. */
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
  parts: ServiceParts,
  choice: ProposalChoice,
  by: string,
): Promise<readonly Proposal[]> {
  const asked = chosen(await parts.storage.prices.state(), choice)
  return await decideInSlices(parts, asked, rowsOfRejection, (_, some) => ({
    decided: some.map(({ id }) => ({ id, status: 'rejected' as const, by })),
  }))
}

function chosen(state: PriceState, choice: ProposalChoice): readonly Proposal[] {
  const pending = pendingOf(state)
  if (choice === 'all') return pending
  const byId = new Map(pending.map((each) => [each.id, each]))
  return [...new Set(choice)].map((id) => {
    const found = byId.get(id)
    if (found === undefined) throw new AdminError('proposal_not_pending', { id })
    return found
  })
}
