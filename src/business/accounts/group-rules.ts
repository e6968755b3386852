import type { GroupId } from '../../domain/ids'
import type { PriceLine } from '../../domain/model'
import { causeOf } from '../pricing/causes'
import { costKey } from '../../gateway/catalogue/cards'
import { movedGroupCards } from '../pricing/group-cards'
import { scopeText, type GroupRule, type RuleScope } from '../../domain/pricing-rules'
import { costsWith, type CostLines, type Known, type PlacedModel } from '../pricing/settle'
import { dearerThan } from '../pricing/shortfall'
import type { NewGroupCard, PriceState } from '../pricing/contract'
import { AdminError } from '../operations/admin-error'
import type { Storage } from '../data/storage'
import { knownOf, pricedCatalogue, settlePrices } from '../pricing/priced-catalogue'
import { catalogueOf, type ServiceParts } from '../data/service-parts'

/** Change of a group's price rule; what is left open stays, or is as in a new rule. */
export type GroupRuleChange = RuleScope & Partial<Omit<GroupRule, 'id' | 'group' | keyof RuleScope>>

/** Models whose price moved for a group by a decision. */
export interface GroupRepriced {
  readonly models: readonly string[]
  /** Models that the group pays less for than some route of them costs. */
  readonly belowCost: readonly string[]
}

const fresh = {
  markupPercent: '0',
  feePerCall: null,
  digits: null,
  basis: 'highest',
  markedUp: 'sale',
} as const

/** Price rules of a group, the oldest first. */
export const groupRules = async (
  { storage }: Pick<ServiceParts, 'storage'>,
  group: GroupId,
): Promise<readonly GroupRule[]> => (await storage.prices.state()).groups.get(group)?.rules ?? []

/**
 * Sets the rule of a scope for the accounts of a group. What they pay by it moves at once; running
 * calls keep the price that they began with.
 * @throws AdminError input_invalid for a basis of typed prices, which are everybody's
 */
export async function setGroupRule(
  parts: ServiceParts,
  group: GroupId,
  change: GroupRuleChange,
): Promise<GroupRepriced & { readonly rule: GroupRule }> {
  if (change.basis === 'typed')
    throw new AdminError('input_invalid', {
      field: 'basis',
      rule: 'not_one_of',
      choices: ['highest', 'first'],
    })
  let rule: GroupRule | null = null
  const repriced = await reprice(parts, group, (state) => {
    const rules = rulesIn(state, group)
    const earlier = rules.find((each) => isOf(each, change))
    const set = { ...fresh, ...earlier, ...change, group, id: earlier?.id ?? state.nextRule }
    rule = set
    return { rules: [...rules.filter(({ id }) => id !== set.id), set], set: [set], removed: [] }
  })
  if (rule === null) throw new Error('no rule was set')
  return { ...repriced, rule }
}

/** Removes a price rule of a group. @throws AdminError rule_not_found */
export async function removeGroupRule(
  parts: ServiceParts,
  group: GroupId,
  scope: RuleScope,
): Promise<GroupRepriced> {
  return await reprice(parts, group, (state) => {
    const rules = rulesIn(state, group)
    const gone = rules.find((each) => isOf(each, scope))
    if (gone === undefined) throw new AdminError('rule_not_found', { scope: scopeText(scope) })
    return { rules: rules.filter((each) => each !== gone), set: [], removed: [gone.id] }
  })
}

const rulesIn = ({ groups }: PriceState, group: GroupId): readonly GroupRule[] =>
  groups.get(group)?.rules ?? []

const isOf = (rule: GroupRule, { kind, name }: RuleScope): boolean =>
  rule.kind === kind && rule.name === name

interface RuleDecision {
  /** Rules of the group from now on. */
  readonly rules: readonly GroupRule[]
  readonly set: readonly GroupRule[]
  readonly removed: readonly number[]
}

async function reprice(
  parts: ServiceParts,
  group: GroupId,
  decide: (state: PriceState) => RuleDecision,
): Promise<GroupRepriced> {
  const catalogue = await catalogueOf(parts)
  // What everybody pays must be on record before a group pays something else.
  await settlePrices(catalogue, causeOf('before_rule'))
  const known = await knownOf(catalogue)
  let belowCost: readonly string[] = []
  const { groupSales } = await parts.storage.prices.change((state) => {
    const { rules, set, removed } = decide(state)
    const costs = costsWith(state, known.costs)
    const moved = movedGroupCards(state, known, costs, { group, rules })
    belowCost = soldBelowCost(moved, known, costs)
    return { groupRules: set, removedRules: removed, groupSales: moved }
  })
  return { models: [...new Set(groupSales.map(({ model }) => model))], belowCost }
}

function soldBelowCost(
  cards: readonly NewGroupCard[],
  { models }: Known,
  costs: CostLines,
): readonly string[] {
  const byId = new Map(models.map((model) => [model.id, model]))
  const below = cards.filter(
    ({ model, lines, terms }) => terms !== null && isBelowCost(lines, byId.get(model), costs),
  )
  return [...new Set(below.map(({ model }) => model))]
}

/** Models that some group pays less for than a route of them costs, each with the group's name. */
export async function soldToGroupsBelowCost(
  parts: ServiceParts & { readonly storage: Pick<Storage, 'groups'> },
): Promise<readonly string[]> {
  const catalogue = await catalogueOf(parts)
  const { groups, state } = await pricedCatalogue(catalogue)
  if (groups.size === 0) return []
  const known = await knownOf(catalogue)
  const costs = costsWith(state, known.costs)
  const below: string[] = []
  for (const [id, { cards }] of groups) {
    const name = (await parts.storage.groups.find(id))?.name ?? String(id)
    for (const model of known.models) {
      const card = cards.get(model.id)
      if (card !== undefined && isBelowCost(card.lines, model, costs))
        below.push(`${model.id} (${name})`)
    }
  }
  return below
}

const isBelowCost = (
  lines: readonly PriceLine[],
  model: PlacedModel | undefined,
  costs: CostLines,
): boolean =>
  model?.routes.some(
    (route) => dearerThan(lines, costs.get(costKey(route)) ?? [], model).length > 0,
  ) === true
