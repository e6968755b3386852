import { familyOf, type ModelEntry, type PriceCard, type Route } from '../../domain/model'
import { countedLines, isComplete } from '../../gateway/metering/price-card'
import {
  cardAt,
  costKey,
  heldAt,
  typedSource,
  type CostCard,
  type KnownCost,
  type SaleCard,
} from '../../gateway/catalogue/cards'
import {
  rulePrice,
  sameLines,
  type PricedModel,
  type RouteCost,
  type RulePrice,
} from './rule-price'
import type { Proposal } from './proposals'
import type { PricingRule } from '../../domain/pricing-rules'
import type { NewSaleCard, PriceChanges, PriceState } from './contract'

/** A model as prices see it. */
export interface PlacedModel extends PricedModel {
  readonly routes: readonly Route[]
  /** Of models that are no vendor's: they are sold by it as long as nobody types another. */
  readonly card: ModelEntry['card']
}

/** Catalogue data beside what is on record. */
export interface Known {
  readonly models: readonly PlacedModel[]
  /** Costs that came with the program or were found. */
  readonly costs: readonly KnownCost[]
  /** The end of the name of the card that an earlier release would sell a model by; null for none. */
  pastSuffix(model: string, rules: readonly PricingRule[]): string | null
}

/** Decisions and proposals of settling. */
export interface Settled extends PriceChanges {
  readonly costs: readonly KnownCost[]
  readonly sales: readonly NewSaleCard[]
  readonly revived: NonNullable<PriceChanges['revived']>
  readonly proposed: NonNullable<PriceChanges['proposed']>
  readonly decided: NonNullable<PriceChanges['decided']>
}

export const isUnchanged = ({ costs, sales, revived, proposed, decided }: Settled): boolean =>
  [costs, sales, revived, proposed, decided].every((each) => each.length === 0)

/**
 * Brings prices in line with what is known by now, without moving one that is on sale: what nobody
 * sold before goes on sale by its rule, what would move becomes a proposal, and one that would not
 * move any more is withdrawn.
 * @param cause of what changed, in words
 */
export function settle(state: PriceState, known: Known, cause: string): Settled {
  const { costs, decided } = settleCosts(state, known.costs)
  const ofModels = settleModels(state, known, known.models, cause)
  const stale = settleStale(state, known).decided.filter(
    ({ id }) => !decided.some((each) => each.id === id),
  )
  return { ...ofModels, costs, decided: [...decided, ...stale, ...ofModels.decided] }
}

/** A part of settling: some costs, and proposals of them that there is nothing more to decide about. */
export function settleCosts(
  state: PriceState,
  known: readonly KnownCost[],
): Pick<Settled, 'costs' | 'decided'> {
  const costs = newCosts(state, known)
  const decided = costs.flatMap((cost) => {
    const pending = state.pendingCosts.get(costKey(cost))
    return pending === undefined ? [] : withdrawn(pending)
  })
  return { costs, decided }
}

/** A part of settling: prices of some models. */
export function settleModels(
  state: PriceState,
  known: Known,
  models: readonly PlacedModel[],
  cause: string,
): Omit<Settled, 'costs'> {
  const settled = {
    sales: [] as NewSaleCard[],
    revived: [] as NonNullable<PriceChanges['revived']>[number][],
    proposed: [] as NonNullable<PriceChanges['proposed']>[number][],
    decided: [] as NonNullable<PriceChanges['decided']>[number][],
  }
  const byPlace = costsWith(state, known.costs)
  for (const model of models) {
    const price = priceByRule(model, byPlace, state.rules)
    const held = lastDecided(state, model.id)
    const pending = state.pending.get(model.id)
    const withdraw = () => {
      if (pending !== undefined) settled.decided.push(withdrawn(pending))
    }
    if (held === null) {
      const first = firstCard(state, model, price, known)
      if (first === null) continue
      if ('id' in first) settled.revived.push(first)
      else settled.sales.push(first)
      continue
    }
    if (price === null || held.origin === 'typed' || sameLines(price.lines, held.lines)) {
      withdraw()
      continue
    }
    if (pending !== undefined && sameLines(pending.lines, price.lines)) continue
    withdraw()
    const rejected = state.rejected.get(model.id)
    if (rejected === undefined || !sameLines(rejected, price.lines))
      settled.proposed.push({ kind: 'sale', model: model.id, ...price, cause })
  }
  return settled
}

/** A part of settling: proposals of costs and ends that nothing is left of. */
export function settleStale(
  { pendingCosts, pendingEnds }: PriceState,
  { models }: Pick<Known, 'models'>,
): Pick<Settled, 'decided'> {
  if (pendingCosts.size + pendingEnds.size === 0) return { decided: [] }
  const places = new Set(models.flatMap(({ routes }) => routes.map(costKey)))
  const ids = new Set(models.map(({ id }) => id))
  const stale = [
    ...[...pendingCosts.values()].filter((cost) => !places.has(costKey(cost))),
    ...[...pendingEnds.values()].filter(({ model }) => !ids.has(model)),
  ]
  return { decided: stale.map(withdrawn) }
}

const withdrawn = ({ id }: Pick<Proposal, 'id'>) =>
  ({ id, status: 'withdrawn', by: null }) as const satisfies Settled['decided'][number]

/** The card decided last for a model, also one that is to begin. */
export const lastDecided = (state: PriceState, model: string): SaleCard | null =>
  state.sale.get(model)?.at(-1) ?? null

/** The card that a model is sold by now: its own where it came with one that no other has replaced yet. */
export function heldCard(
  { sale, now }: Pick<PriceState, 'sale' | 'now'>,
  { id, card }: Pick<PlacedModel, 'id' | 'card'>,
): PriceCard | null {
  const cards = sale.get(id) ?? []
  return card === null ? heldAt(cards, now) : (cardAt(cards, now) ?? card)
}

/** The card that a model is sold by now, and without one what it would go on sale for. */
export function cardOnSale(
  state: PriceState,
  model: PlacedModel,
  costs: ReadonlyMap<string, KnownCost['lines']>,
): PriceCard | null {
  const held = heldCard(state, model)
  if (held !== null) return held
  const price = priceByRule(model, costs, state.rules)
  return price === null ? null : { version: 'new', validFrom: state.now, lines: price.lines }
}

/** Lines of every cost: what is on record, and what is known and newer. */
export const costsWith = (
  state: Pick<PriceState, 'costs'>,
  known: readonly KnownCost[],
): ReadonlyMap<string, KnownCost['lines']> =>
  new Map(
    [...state.costs.values(), ...newCosts(state, known)].map(
      (cost): [string, KnownCost['lines']] => [costKey(cost), cost.lines],
    ),
  )

/** Lines of costs by `costKey`. */
export type CostLines = Pick<ReadonlyMap<string, KnownCost['lines']>, 'get'>

/** Price by a rule; null where no route's cost is known, or the price must be typed. */
export function priceByRule(
  model: PlacedModel,
  costs: CostLines,
  rules: readonly PricingRule[],
): RulePrice | null {
  const family = familyOf(model)
  const known = model.routes.flatMap((route): RouteCost[] => {
    const lines = countedLines(costs.get(costKey(route)) ?? [], family)
    return lines.length === 0 ? [] : [{ vendor: route.vendor, lines }]
  })
  return model.card === null ? rulePrice(model, known, rules) : null
}

/** First card of a model: what an earlier release sold it for, else its rule. */
function firstCard(
  state: PriceState,
  model: PlacedModel,
  price: RulePrice | null,
  known: Known,
): NewSaleCard | NonNullable<PriceChanges['revived']>[number] | null {
  if (model.card !== null) return null
  const past = state.past.get(model.id)
  if (past !== undefined) {
    const suffix = known.pastSuffix(model.id, state.rules)
    const sold = past.findLast(({ version }) => suffixOf(version) === suffix) ?? past.at(-1)
    if (sold !== undefined) return { id: sold.id, model: model.id, rule: price?.rule ?? null }
  }
  if (price === null) return null
  const { lines, rule } = price
  const card = { version: '', validFrom: state.now, lines }
  if (!isComplete(card, familyOf(model), model.isFree)) return null
  return { model: model.id, lines, validFrom: state.now, origin: 'rule', rule, by: null }
}

/** Earlier releases named a card by the seed's date and the margin: `seed-2026-08-01+20%`. */
const suffixOf = (version: string): string | null =>
  /^seed-\d{4}-\d\d-\d\d(.*)$/.exec(version)?.[1] ?? null

/** Costs that are not on record as they are known; what was typed stays, and so does what is newer. */
function newCosts(
  { costs }: Pick<PriceState, 'costs'>,
  known: readonly KnownCost[],
): readonly KnownCost[] {
  const fresh = new Map<string, KnownCost | null>()
  for (const cost of known) {
    const key = costKey(cost)
    // One model may be sold under two names: the first tells what its vendor bills.
    if (!fresh.has(key)) fresh.set(key, stays(costs.get(key), cost) ? null : cost)
  }
  return [...fresh.values()].filter((cost) => cost !== null)
}

const stays = (held: CostCard | undefined, cost: KnownCost): boolean =>
  held !== undefined &&
  (held.source.startsWith(typedSource) ||
    held.source > cost.source ||
    sameLines(held.lines, cost.lines))
