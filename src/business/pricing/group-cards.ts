import type { Ms } from '../../domain/clock'
import type { GroupId } from '../../domain/ids'
import { familyOf, type PriceCard, type PriceLine } from '../../domain/model'
import { countedLines, isComplete } from '../../gateway/metering/price-card'
import {
  costKey,
  type GroupCard,
  type GroupTerms,
  type GroupSale,
} from '../../gateway/catalogue/cards'
import { highestOf, markedUp, sameLines } from './rule-price'
import { decidingRule, narrowestFor, type GroupRule } from '../../domain/pricing-rules'
import { heldCard, type CostLines, type Known, type PlacedModel } from './settle'
import type { GroupPrices, NewGroupCard, PriceState } from './contract'

/** What a group pays by its rules, and the rule that decides it. */
interface GroupPrice {
  readonly lines: readonly PriceLine[]
  readonly rule: GroupRule
}

/**
 * Price of a model for a group, in the place of what everybody else pays: each route under the
 * group's narrowest rule for it, then the highest of them meter by meter, or the first. A route that
 * no rule of the group is of sells for what everybody pays; so does everything whose cost a rule asks
 * for and nobody knows.
 * @param base what everybody else pays
 * @returns null where no rule of the group is of the model
 */
function groupPrice(
  model: PlacedModel,
  base: Pick<PriceCard, 'lines'>,
  costs: CostLines,
  rules: readonly GroupRule[],
): GroupPrice | null {
  if (model.isFree) return null
  const ruled = model.routes.map((route) => ({
    route,
    rule: narrowestFor(rules, model, route.vendor),
  }))
  const rule = decidingRule(ruled.flatMap((each) => each.rule ?? []))
  if (rule === null) return null
  const family = familyOf(model)
  const used = rule.basis === 'first' ? ruled.slice(0, 1) : ruled
  const cards = used.flatMap(({ route, rule: own }) => {
    if (own === null) return [base.lines]
    if (own.markedUp === 'sale') return [markedUp(base.lines, own, model)]
    const cost = countedLines(costs.get(costKey(route)) ?? [], family)
    return cost.length === 0 ? [] : [markedUp(cost, own, model)]
  })
  const lines = highestOf(cards)
  const card = { version: '', validFrom: 0 as Ms, lines }
  return { lines: isComplete(card, family, false) ? lines : base.lines, rule }
}

const termsOf = ({ id: _, group: __, ...terms }: GroupRule): GroupTerms => terms

/** Cards that a model is sold by, or will be: what prices of groups are made of. */
function basesOf({ sale, now }: PriceState, model: PlacedModel): readonly PriceCard[] {
  const held = heldCard({ sale, now }, model)
  const next = (sale.get(model.id) ?? []).filter(
    (card) => card.validFrom > now && card.version !== held?.version,
  )
  return [...(held === null ? [] : [held]), ...next]
}

/** The card of a group in the place of another, decided last; null where it was never asked. */
const inPlaceOf = ({ sale }: GroupPrices, model: string, base: string): GroupCard | null =>
  sale.get(model)?.findLast((card) => card.base === base) ?? null

interface Drafting {
  readonly state: PriceState
  readonly group: GroupId
}

const draft = (
  { state: { now }, group }: Drafting,
  model: PlacedModel,
  base: PriceCard,
  price: GroupPrice | null,
): NewGroupCard => ({
  model: model.id,
  lines: price?.lines ?? base.lines,
  validFrom: Math.max(now, base.validFrom) as Ms,
  origin: 'rule',
  rule: price?.rule.id ?? null,
  by: null,
  group,
  base: base.version,
  terms: price === null ? null : termsOf(price.rule),
})

/**
 * Cards that groups lack for what is on sale or will be. A price of a group moves with what everybody
 * pays, and when its rules are set; not by itself when a cost does.
 */
export function missingGroupCards(
  state: PriceState,
  { models }: Pick<Known, 'models'>,
  costs: CostLines,
): readonly NewGroupCard[] {
  if (state.groups.size === 0) return []
  return [...state.groups].flatMap(([group, prices]) =>
    models.flatMap((model) =>
      basesOf(state, model).flatMap((base) => {
        if (inPlaceOf(prices, model.id, base.version) !== null) return []
        const price = groupPrice(model, base, costs, prices.rules)
        return price === null ? [] : [draft({ state, group }, model, base, price)]
      }),
    ),
  )
}

/** Cards of a group that other rules make others; what they do not touch stays. */
export function movedGroupCards(
  state: PriceState,
  { models }: Pick<Known, 'models'>,
  costs: CostLines,
  { group, rules }: { readonly group: GroupId; readonly rules: readonly GroupRule[] },
): readonly NewGroupCard[] {
  const prices = state.groups.get(group) ?? { rules: [], sale: new Map<string, GroupCard[]>() }
  return models.flatMap((model) =>
    basesOf(state, model).flatMap((base) => {
      const held = inPlaceOf(prices, model.id, base.version)
      const before = groupPrice(model, base, costs, prices.rules)
      const after = groupPrice(model, base, costs, rules)
      if (held === null ? after === null : isSame(before, after)) return []
      return [draft({ state, group }, model, base, after)]
    }),
  )
}

const isSame = (a: GroupPrice | null, b: GroupPrice | null): boolean =>
  a === null || b === null
    ? a === b
    : JSON.stringify(termsOf(a.rule)) === JSON.stringify(termsOf(b.rule)) &&
      a.rule.id === b.rule.id &&
      sameLines(a.lines, b.lines)

/**
 * Prices of each group that has its own.
 * @param held what everybody pays now, by model
 * @param next and what they will
 */
export function groupSales(
  { groups }: PriceState,
  held: ReadonlyMap<string, PriceCard>,
  next: ReadonlyMap<string, PriceCard>,
): ReadonlyMap<GroupId, GroupSale> {
  return new Map(
    [...groups].map(([group, prices]): [GroupId, GroupSale] => [
      group,
      { cards: cardsInPlaceOf(prices, held), next: cardsInPlaceOf(prices, next) },
    ]),
  )
}

function cardsInPlaceOf(
  prices: GroupPrices,
  bases: ReadonlyMap<string, PriceCard>,
): ReadonlyMap<string, PriceCard> {
  const cards = new Map<string, PriceCard>()
  for (const model of prices.sale.keys()) {
    const base = bases.get(model)
    const card = base === undefined ? null : inPlaceOf(prices, model, base.version)
    if (card !== null && card.terms !== null) cards.set(model, card)
  }
  return cards
}
