import { Type, type Static } from '@sinclair/typebox'
import { wired } from '../../../domain/fields/field'
import { groupFields } from '../../../domain/fields/group-fields'
import type { AccountGroup } from '../../../gateway/identity/groups'
import { ruledPrices, type GroupRule } from '../../../domain/pricing-rules'
import { Id } from '../../operations/fields'
import { shownFields } from '../../operations/from-fields'
import { RuleView, ruleView } from '../../pricing/operations/price-fields'

export const GroupView = Type.Object({
  id: Id,
  ...shownFields(groupFields),
  /** How many are in it. */
  accounts: Type.Integer(),
  created: Type.String(),
})

export const groupView = (group: AccountGroup): Static<typeof GroupView> => ({
  id: group.id,
  ...wired(groupFields, { name: group.name, ...group.limits }),
  accounts: group.accounts,
  created: new Date(group.created).toISOString(),
})

export const MarkedUp = Type.Union(ruledPrices.map((each) => Type.Literal(each)))

export const GroupRuleView = Type.Composite([
  RuleView,
  Type.Object({
    /** What the markup is on: the cost of a route, or the price that everybody pays. */
    on: MarkedUp,
  }),
])

export const groupRuleView = (rule: GroupRule): Static<typeof GroupRuleView> => ({
  ...ruleView(rule),
  on: rule.markedUp,
})

/** A rule with the name of its group. */
export const NamedGroupRule = Type.Composite([Type.Object({ group: Type.String() }), GroupRuleView])

const GroupRepriced = Type.Object({
  /** Name of the group. */
  group: Type.String(),
  /** Models whose price moved for the group. */
  repriced: Type.Array(Type.String()),
  /** Models that it pays less for than some route of them costs. */
  below_cost: Type.Array(Type.String()),
})

export const GroupRuleSet = Type.Composite([Type.Object({ rule: GroupRuleView }), GroupRepriced])
export const GroupRuleGone = Type.Composite([Type.Object({ scope: Type.String() }), GroupRepriced])

export const GroupWithRules = Type.Composite([
  GroupView,
  Type.Object({ rules: Type.Array(GroupRuleView) }),
])

/** A group that is gone, as it was. */
export const GoneGroupView = Type.Object({
  removed: Id,
  name: Type.String(),
  accounts: Type.Integer(),
})
