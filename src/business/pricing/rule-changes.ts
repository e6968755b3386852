import { familyOf } from '../../domain/model'
import { isComplete } from '../../gateway/metering/price-card'
import { causeOf } from './causes'
import { sameLines } from './rule-price'
import { scopeText, type PricingRule, type RuleScope } from '../../domain/pricing-rules'
import { costsWith, lastDecided, priceByRule, type Known } from './settle'
import type { NewSaleCard, PriceChanges, PriceState } from './contract'
import { AdminError } from '../operations/admin-error'
import { knownOf, settlePrices } from './priced-catalogue'
import { catalogueOf, type ServiceParts } from '../data/service-parts'

/** Change of a price rule; what is left open stays, or is as in a new rule. */
export type RuleChange = RuleScope & Partial<Omit<PricingRule, 'id' | keyof RuleScope>>

/** Models whose price moved by a decision. */
interface Repriced {
  readonly models: readonly string[]
}

const fresh = { markupPercent: '0', feePerCall: null, digits: null, basis: 'highest' } as const

export const rulesInForce = async ({ storage }: ServiceParts): Promise<readonly PricingRule[]> =>
  (await storage.prices.state()).rules

/**
 * Sets the rule of a scope. Prices that come from rules and are others by it move at once: this is
 * the decision. Those that it does not touch stay, and what waits for a decision on them waits.
 */
export async function setPricingRule(
  parts: ServiceParts,
  change: RuleChange,
  by: string,
): Promise<Repriced & { readonly rule: PricingRule }> {
  let rule: PricingRule | null = null
  const models = await reprice(parts, by, (state) => {
    const set = ruleOf(state, change)
    rule = set
    return { rules: [set] }
  })
  if (rule === null) throw new Error('no rule was set')
  return { models, rule }
}

/** Removes a price rule. @throws AdminError rule_not_found | rule_is_last */
export async function removePricingRule(
  parts: ServiceParts,
  scope: RuleScope,
  by: string,
): Promise<Repriced> {
  if (scope.kind === 'everything') throw new AdminError('rule_is_last', {})
  const models = await reprice(parts, by, (state) => ({
    removedRules: [ruleIn(state, scope).id],
  }))
  return { models }
}

/**
 * Prices that a rule would move at once, were it set, or removed; nothing is written.
 * @throws AdminError rule_not_found | rule_is_last
 */
export async function movedByRule(
  parts: ServiceParts,
  { set, removed }: { readonly set?: RuleChange; readonly removed?: RuleScope },
): Promise<readonly NewSaleCard[]> {
  if (removed?.kind === 'everything') throw new AdminError('rule_is_last', {})
  const known = await knownOf(await catalogueOf(parts))
  const state = await parts.storage.prices.state()
  const decision = {
    rules: set === undefined ? [] : [ruleOf(state, set)],
    removedRules: removed === undefined ? [] : [ruleIn(state, removed).id],
  }
  return movedBy(state, known, rulesAfter(state.rules, decision), '')
}

function ruleOf({ rules, nextRule }: PriceState, change: RuleChange): PricingRule {
  const earlier = rules.find((each) => isOf(each, change))
  return { ...fresh, ...earlier, ...change, id: earlier?.id ?? nextRule }
}

function ruleIn({ rules }: PriceState, scope: RuleScope): PricingRule {
  const rule = rules.find((each) => isOf(each, scope))
  if (rule === undefined) throw new AdminError('rule_not_found', { scope: scopeText(scope) })
  return rule
}

const isOf = (rule: PricingRule, { kind, name }: RuleScope): boolean =>
  rule.kind === kind && rule.name === name

type RuleDecision = Pick<PriceChanges, 'rules' | 'removedRules'>

async function reprice(
  parts: ServiceParts,
  by: string,
  decide: (state: PriceState) => RuleDecision,
): Promise<readonly string[]> {
  const catalogue = await catalogueOf(parts)
  // What is on sale by the rules of before must be on record before they change.
  await settlePrices(catalogue, causeOf('before_rule'))
  const known = await knownOf(catalogue)
  const { sales } = await parts.storage.prices.change((state) => {
    const decision = decide(state)
    const moved = movedBy(state, known, rulesAfter(state.rules, decision), by)
    const decided = moved.flatMap(({ model }) => {
      const pending = state.pending.get(model)
      return pending === undefined ? [] : { id: pending.id, status: 'withdrawn' as const, by: null }
    })
    return { ...decision, sales: moved, decided }
  })
  await settlePrices(catalogue, causeOf('rule_set'))
  return sales.map(({ model }) => model)
}

function rulesAfter(
  rules: readonly PricingRule[],
  { rules: set = [], removedRules = [] }: RuleDecision,
): readonly PricingRule[] {
  const gone = new Set([...removedRules, ...set.map(({ id }) => id)])
  return [...rules.filter(({ id }) => !gone.has(id)), ...set]
}

/** Cards of models that are sold by a rule, and for something else by other rules. */
function movedBy(
  state: PriceState,
  known: Known,
  rules: readonly PricingRule[],
  by: string,
): readonly NewSaleCard[] {
  const costs = costsWith(state, known.costs)
  return known.models.flatMap((model) => {
    const held = lastDecided(state, model.id)
    if (held?.origin !== 'rule') return []
    const after = priceByRule(model, costs, rules)
    if (after === null || sameLines(after.lines, held.lines)) return []
    const before = priceByRule(model, costs, state.rules)
    if (before !== null && sameLines(before.lines, after.lines)) return []
    const { lines, rule } = after
    const card = { version: '', validFrom: state.now, lines }
    if (!isComplete(card, familyOf(model), model.isFree)) return []
    return { model: model.id, lines, validFrom: state.now, origin: 'rule' as const, rule, by }
  })
}
