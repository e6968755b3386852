import { dayMs, type Ms } from '../../domain/clock'
import type { PriceLine } from '../../domain/model'
import { plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { RepricedSum } from '../../domain/reports/operator-reader'
import { heldAt } from '../../gateway/catalogue/cards'
import type { RuleScope } from '../../domain/pricing-rules'
import type { Storage } from '../data/storage'
import type { TypedPrices } from '../catalogue/edit-model'
import { checkModelPrices, defaultPrice, modelNamed, planPrices } from './model-prices'
import { callsByModel, countedDays } from './price-changes'
import { movedByApproval, type ProposalChoice } from './proposal-decisions'
import { movedByRule, type RuleChange } from './rule-changes'
import type { ServiceParts } from '../data/service-parts'

interface PricePreviewParts extends ServiceParts {
  readonly storage: ServiceParts['storage'] & Pick<Storage, 'operatorReader' | 'profits'>
}

/** A change of prices that is thought of. */
export type ThoughtPrices =
  | { readonly model: string; readonly price: TypedPrices; readonly onlyPrices: boolean }
  | { readonly rule: RuleChange }
  | { readonly removedRule: RuleScope }
  | { readonly proposals: ProposalChoice }

/** Sale price of one model after a change, and what its past calls would have cost by it. */
interface PreviewedModel {
  readonly model: string
  readonly sold: readonly PriceLine[]
  readonly lines: readonly PriceLine[]
  /** Calls of the last 30 days; those that were counted are in `repriced`. */
  readonly calls: number
  readonly repriced: RepricedSum
}

/** Effect of a change of prices on the calls of the last 30 days. Nothing is written. */
export interface PricePreview {
  readonly from: Ms
  /** Older calls were not looked at, for time; null where all of the days were. */
  readonly since: Ms | null
  /** The most charged first. */
  readonly models: readonly PreviewedModel[]
  readonly before: NanoUsd
  readonly after: NanoUsd
}

/**
 * Charges calls of the last 30 days once more, by prices as they are and as they would be.
 * @throws AdminError model_not_found | uncounted_prices | incomplete_prices | no_price_by_rule
 * @throws AdminError rule_not_found | rule_is_last | proposal_not_pending
 */
export async function previewPrices(
  parts: PricePreviewParts,
  thought: ThoughtPrices,
): Promise<PricePreview> {
  const moved = await movedPrices(parts, thought)
  const state = await parts.storage.prices.state()
  const soldFor = (model: string) => heldAt(state.sale.get(model) ?? [], state.now)?.lines ?? []
  const cards = moved.map(({ model, before, lines }) => ({
    model,
    before: before ?? soldFor(model),
    after: lines,
  }))
  const from = (state.now - countedDays * dayMs) as Ms
  // Up to now: calls of this very moment count too.
  const to = (state.now + 1) as Ms
  const { sums, since } =
    cards.length === 0
      ? { sums: [], since: null }
      : await parts.storage.operatorReader.repricedCalls({ from, to, cards })
  const calls = await callsByModel(parts, state.now)
  const models = sums.map((repriced, at) => ({
    model: repriced.model,
    sold: cards[at]?.before ?? [],
    lines: cards[at]?.after ?? [],
    calls: calls.get(repriced.model) ?? 0,
    repriced,
  }))
  return {
    from,
    since,
    models: models.toSorted((a, b) => b.repriced.before - a.repriced.before || b.calls - a.calls),
    before: sums.reduce((sum, each) => plus(sum, each.before), zeroUsd),
    after: sums.reduce((sum, each) => plus(sum, each.after), zeroUsd),
  }
}

interface MovedPrice {
  readonly model: string
  /** Left out where a card on record says it. */
  readonly before?: readonly PriceLine[]
  readonly lines: readonly PriceLine[]
}

async function movedPrices(
  parts: PricePreviewParts,
  thought: ThoughtPrices,
): Promise<readonly MovedPrice[]> {
  if ('rule' in thought) return await movedByRule(parts, { set: thought.rule })
  if ('removedRule' in thought) return await movedByRule(parts, { removed: thought.removedRule })
  if ('proposals' in thought) return await movedByApproval(parts, thought.proposals)
  const entry = await modelNamed(parts, thought.model)
  const before = entry.card?.lines ?? []
  if (thought.price.toDefault) {
    const { lines } = await defaultPrice(parts, entry.id)
    return [{ model: entry.id, before, lines }]
  }
  const { lines } = planPrices(entry, { ...thought.price, only: thought.onlyPrices })
  checkModelPrices(entry, lines, false)
  return [{ model: entry.id, before, lines }]
}
