import type { GroupId } from './ids'
import type { ModelEntry } from './model'

/** Scopes of rules, from the widest to the narrowest. */
export const scopeKinds = ['everything', 'vendor', 'owner', 'type', 'model'] as const
type ScopeKind = (typeof scopeKinds)[number]

/** Bases by which one sale price comes from the costs of several routes. */
export const bases = ['highest', 'first', 'typed'] as const
type Basis = (typeof bases)[number]

/** Prices that the markup of a group's rule is on: a route's cost, or what everybody else pays. */
export const ruledPrices = ['cost', 'sale'] as const
export type RuledPrice = (typeof ruledPrices)[number]

export interface RuleScope {
  readonly kind: ScopeKind
  /** Name of the vendor, owner, type or model; empty for everything. */
  readonly name: string
}

/** Rule by which sale cards come from cost cards. */
export interface PricingRule extends RuleScope {
  readonly id: number
  /** On top of what a route costs; below zero a rebate, above -100. */
  readonly markupPercent: string
  /** Dollars for each call on top; null for none. */
  readonly feePerCall: string | null
  /** Significant digits that prices are rounded up to; null leaves them exact. */
  readonly digits: number | null
  /**
   * `highest`: of the routes, meter by meter, so that none sells below cost. `first`: of the first
   * route. `typed`: no price but a typed one.
   */
  readonly basis: Basis
}

/**
 * Rule of a group of accounts: it goes before every rule of the service, however wide it is.
 * Its basis is never `typed`.
 */
export interface GroupRule extends PricingRule {
  readonly group: GroupId
  readonly markedUp: RuledPrice
}

/** Part of a model that a rule looks at. */
type RuledModel = Pick<ModelEntry, 'id' | 'type' | 'ownedBy'>

const subjects: Readonly<Record<ScopeKind, (model: RuledModel, vendor: string) => string>> = {
  everything: () => '',
  vendor: (_, vendor) => vendor,
  owner: ({ ownedBy }) => ownedBy,
  type: ({ type }) => type,
  model: ({ id }) => id,
}

const narrowness = ({ kind }: RuleScope): number => scopeKinds.indexOf(kind)

/**
 * The narrowest rule for one route to a model.
 * @throws Error without a rule for everything, which every installation has
 */
export function ruleFor(
  rules: readonly PricingRule[],
  model: RuledModel,
  vendor: string,
): PricingRule {
  const found = narrowestFor(rules, model, vendor)
  if (found === null) throw new Error('there is no pricing rule for everything')
  return found
}

/** The narrowest of these rules for one route to a model; null where none is of it. */
export function narrowestFor<Rule extends PricingRule>(
  rules: readonly Rule[],
  model: RuledModel,
  vendor: string,
): Rule | null {
  let found: Rule | null = null
  for (const rule of rules)
    if (
      subjects[rule.kind](model, vendor) === rule.name &&
      (found === null || narrowness(rule) > narrowness(found))
    )
      found = rule
  return found
}

/**
 * The rule whose basis holds for a model: the narrowest of its routes' rules; among equals the one
 * that sells dearest.
 */
export const decidingRule = <Rule extends PricingRule>(rules: readonly Rule[]): Rule | null =>
  rules.reduce<Rule | null>((held, rule) => {
    if (held === null) return rule
    const narrower = narrowness(rule) - narrowness(held)
    if (narrower !== 0) return narrower > 0 ? rule : held
    return bases.indexOf(rule.basis) < bases.indexOf(held.basis) ? rule : held
  }, null)

/** A scope as people read it. */
export const scopeText = ({ kind, name }: RuleScope): string =>
  kind === 'everything' ? kind : `${kind} ${kind === 'owner' ? `${name}/*` : name}`

/** Kinds of price proposals: another sale price, another cost, or the end of a model. */
export const proposalKinds = ['sale', 'cost', 'discontinued'] as const
