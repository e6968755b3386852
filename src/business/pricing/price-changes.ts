import { dayNumber, type Ms } from '../../domain/clock'
import type { PriceLine } from '../../domain/model'
import { costKey, type KnownCost } from '../../gateway/catalogue/cards'
import type { Proposal } from './proposals'
import { heldCard, type CostLines, type Known, type PlacedModel } from './settle'
import { leastMargin } from './shortfall'
import type { PriceState } from './contract'
import { Exact } from '../../gateway/metering/price-card'
import type { Storage } from '../data/storage'
import { AdminError } from '../operations/admin-error'
import { costsAfter, openFollowing, pendingOf } from './proposal-decisions'
import { knownOf } from './priced-catalogue'
import { catalogueOf, type ServiceParts } from '../data/service-parts'

/** The least that is earned on any price of any route of a model, in percent; null where nobody knows. */
interface ChangedMargin {
  readonly before: string | null
  /** If the vendor bills the new cost, and the price stays. */
  readonly unchanged: string | null
  readonly after: string | null
}

/** Effect of a proposal on one model. */
export interface PriceEffect {
  readonly model: string
  /** Sale price now. */
  readonly sold: readonly PriceLine[]
  /** Sale price after it. */
  readonly lines: readonly PriceLine[]
  readonly margin: ChangedMargin
  /** Calls of the last 30 days. */
  readonly calls: number
}

/** A proposal with what it comes to. */
export interface PriceChange {
  readonly proposal: Proposal
  /** The cost on record, of a cost that would be another one. */
  readonly cost: KnownCost | null
  readonly effects: readonly PriceEffect[]
}

interface PriceChangeParts extends ServiceParts {
  readonly storage: ServiceParts['storage'] & Pick<Storage, 'profits'>
}

/** Days whose calls are counted beside a change of prices. */
export const countedDays = 30

/** Calls of the last 30 days by model. */
export async function callsByModel(
  { storage }: { readonly storage: Pick<Storage, 'profits'> },
  now: Ms,
): Promise<ReadonlyMap<string, number>> {
  const today = dayNumber(now)
  const sums = await storage.profits.profit({
    group: 'model',
    fromDay: today - countedDays + 1,
    toDay: today,
  })
  return new Map(sums.map((sum) => [sum.key, sum.calls]))
}

/** Everything that waits for a decision and what it comes to, oldest first. */
export async function priceChanges(parts: PriceChangeParts): Promise<readonly PriceChange[]> {
  const known = await knownOf(await catalogueOf(parts))
  const state = await parts.storage.prices.state()
  const calls = await callsByModel(parts, state.now)
  const weigh = openWeighing(state, known, calls)
  return pendingOf(state).map(weigh)
}

/** A price proposal that waits for a decision. @throws AdminError proposal_not_pending */
export async function priceChange(parts: PriceChangeParts, id: number): Promise<PriceChange> {
  const found = (await priceChanges(parts)).find(({ proposal }) => proposal.id === id)
  if (found === undefined) throw new AdminError('proposal_not_pending', { id })
  return found
}

function openWeighing(
  state: PriceState,
  known: Known,
  calls: ReadonlyMap<string, number>,
): (proposal: Proposal) => PriceChange {
  const following = openFollowing(state, known)
  const { costs } = following
  const models = new Map(known.models.map((model) => [model.id, model]))
  const soldFor = (id: string) =>
    heldCard(state, { id, card: models.get(id)?.card ?? null })?.lines ?? []
  const effect = (model: string, lines: readonly PriceLine[], after: CostLines): PriceEffect => {
    const sold = soldFor(model)
    const marginOf = (price: readonly PriceLine[], by: CostLines) =>
      leastOf(models.get(model), price, by)
    const margin = {
      before: marginOf(sold, costs),
      unchanged: marginOf(sold, after),
      after: marginOf(lines, after),
    }
    return { model, sold, lines, margin, calls: calls.get(model) ?? 0 }
  }
  return (proposal) => {
    if (proposal.kind !== 'cost') {
      const { model } = proposal
      const lines = proposal.kind === 'sale' ? proposal.lines : soldFor(model)
      return { proposal, cost: null, effects: [effect(model, lines, costs)] }
    }
    const after = costsAfter(costs, [proposal])
    const prices = [...following.prices([proposal]).values()]
    const effects = prices.map(({ model, lines }) => effect(model, lines, after))
    return { proposal, cost: state.costs.get(costKey(proposal)) ?? null, effects }
  }
}

function leastOf(
  model: PlacedModel | undefined,
  price: readonly PriceLine[],
  costs: CostLines,
): string | null {
  const margins = (model?.routes ?? []).flatMap(
    (route) => leastMargin(price, costs.get(costKey(route)) ?? []) ?? [],
  )
  return margins.length === 0 ? null : Exact.min(...margins).toFixed()
}
