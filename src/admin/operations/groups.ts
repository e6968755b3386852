import { Type, type Static } from '@sinclair/typebox'
import type { GroupId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import { noAccountRpm, type GroupLimits } from '../../identity/account-limits'
import type { AccountGroup } from '../../identity/groups'
import { ruledPrices, type GroupRule } from '../../pricing/rules'
import {
  groupRules,
  removeGroupRule,
  setGroupRule,
  type GroupRepriced,
  type GroupRuleChange,
} from '../group-rules'
import { addGroup, groupOf, removeGroup, setGroup } from '../groups'
import { beforeId, Id, max, Name, orNull, page, pageOf, partial, sent, Usd, usdOf } from './fields'
import { operation } from './operation'
import { cataloguePartsOf } from './parts'
import {
  ruleChangeOf,
  ruleSettings,
  RuleView,
  ruleView,
  ScopeKind,
  ScopeName,
  scopeOf,
} from './price-fields'

const count = Type.Integer({ minimum: 1, maximum: noAccountRpm })

/** What a group gives its accounts; null where they have the service's. */
const limits = {
  daily_cap_usd: orNull(Usd),
  concurrency: orNull(count),
  /** Ceiling on the requests per minute of each key. */
  rpm: orNull(count),
  max_request_kb: orNull(count),
  /** Most that may be spent in all before verification. */
  unverified_ceiling_usd: orNull(Usd),
}

const GroupView = Type.Object({
  id: Id,
  name: Type.String(),
  ...limits,
  /** How many are in it. */
  accounts: Type.Integer(),
  created: Type.String(),
})

const usdText = (amount: GroupLimits['dailyCap']): string | null =>
  amount === null ? null : showUsd(amount)

export const groupView = (group: AccountGroup): Static<typeof GroupView> => ({
  id: group.id,
  name: group.name,
  daily_cap_usd: usdText(group.limits.dailyCap),
  concurrency: group.limits.concurrency,
  rpm: group.limits.requestsPerMinute,
  max_request_kb: group.limits.maxRequestKb,
  unverified_ceiling_usd: usdText(group.limits.unverifiedCeiling),
  accounts: group.accounts,
  created: new Date(group.created).toISOString(),
})

type SentLimits = Partial<Static<ReturnType<typeof Type.Object<typeof limits>>>>

const amountOrNull = (text: string | null | undefined) =>
  typeof text === 'string' ? usdOf(text) : text

const limitsSent = (body: SentLimits): Partial<GroupLimits> =>
  sent({
    dailyCap: amountOrNull(body.daily_cap_usd),
    concurrency: body.concurrency,
    requestsPerMinute: body.rpm,
    maxRequestKb: body.max_request_kb,
    unverifiedCeiling: amountOrNull(body.unverified_ceiling_usd),
  })

const MarkedUp = Type.Union(ruledPrices.map((each) => Type.Literal(each)))

const GroupRuleView = Type.Composite([
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

const Repriced = Type.Object({
  /** Models whose price moved for the group. */
  repriced: Type.Array(Type.String()),
  /** Models that it pays less for than some route of them costs. */
  below_cost: Type.Array(Type.String()),
})

const repricedView = ({ models, belowCost }: GroupRepriced): Static<typeof Repriced> => ({
  repriced: [...models],
  below_cost: [...belowCost],
})

const GroupWithRules = Type.Composite([
  GroupView,
  Type.Object({ rules: Type.Array(GroupRuleView) }),
])

export const groupOperations = [
  operation({
    name: 'group.list',
    method: 'GET',
    path: '/groups',
    role: 'viewer',
    about: 'Groups of accounts with prices and limits of their own, newest first',
    query: { before: beforeId, max },
    result: pageOf(GroupView, Id),
    async run({ storage }, { query }) {
      const { before = null, max } = query
      const found = await storage.groups.list(before as GroupId | null, max + 1)
      return page(found.map(groupView), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'group.get',
    method: 'GET',
    path: '/groups/{id}',
    role: 'viewer',
    about: 'One group of accounts with its price rules',
    params: { id: Id },
    result: GroupWithRules,
    async run(parts, { params }) {
      const group = await groupOf(parts.storage.groups, params.id)
      const rules = await groupRules(parts, group.id)
      return { ...groupView(group), rules: rules.map(groupRuleView) }
    },
  }),
  operation({
    name: 'group.add',
    method: 'POST',
    path: '/groups',
    role: 'owner',
    about: 'Make a group of accounts; nobody is in it, and it has no price rules',
    body: { ...partial(limits), name: Name },
    result: GroupView,
    run: async ({ storage }, { body }) =>
      groupView(await addGroup(storage.groups, { name: body.name, limits: limitsSent(body) })),
  }),
  operation({
    name: 'group.set',
    method: 'PATCH',
    path: '/groups/{id}',
    role: 'owner',
    about: 'Change the name of a group, or the limits that its accounts have unless they have own',
    params: { id: Id },
    body: partial({ name: Name, ...limits }),
    result: GroupView,
    async run({ storage }, { params, body }) {
      const group = await groupOf(storage.groups, params.id)
      const change = { ...sent({ name: body.name }), limits: limitsSent(body) }
      return groupView(await setGroup(storage.groups, group, change))
    },
  }),
  operation({
    name: 'group.remove',
    method: 'DELETE',
    path: '/groups/{id}',
    role: 'owner',
    about: 'Remove a group with its price rules; its accounts stay, in no group',
    params: { id: Id },
    result: Type.Object({ removed: Id }),
    async run({ storage }, { params }) {
      await removeGroup(storage.groups, { id: params.id as GroupId })
      return { removed: params.id }
    },
  }),
  operation({
    name: 'group.rule.set',
    method: 'PUT',
    path: '/groups/{id}/price-rules',
    role: 'owner',
    about: 'Set what a group pays: its rules go before those of the service, and hold at once',
    params: { id: Id },
    body: {
      kind: ScopeKind,
      name: ScopeName,
      ...ruleSettings,
      /** Base of the percentage; the sale price unless told. */
      on: Type.Optional(MarkedUp),
    },
    result: Type.Composite([Type.Object({ rule: GroupRuleView }), Repriced]),
    async run(parts, { params, body: { on, ...body } }) {
      const { id } = await groupOf(parts.storage.groups, params.id)
      const change: GroupRuleChange = { ...ruleChangeOf(body), ...sent({ markedUp: on }) }
      const { rule, ...repriced } = await setGroupRule(await cataloguePartsOf(parts), id, change)
      return { rule: groupRuleView(rule), ...repricedView(repriced) }
    },
  }),
  operation({
    name: 'group.rule.remove',
    method: 'DELETE',
    path: '/groups/{id}/price-rules',
    role: 'owner',
    about: 'Remove a price rule of a group; the next wider one holds, else what everybody pays',
    params: { id: Id },
    body: { kind: ScopeKind, name: ScopeName },
    result: Repriced,
    async run(parts, { params, body }) {
      const { id } = await groupOf(parts.storage.groups, params.id)
      return repricedView(await removeGroupRule(await cataloguePartsOf(parts), id, scopeOf(body)))
    },
  }),
] as const
