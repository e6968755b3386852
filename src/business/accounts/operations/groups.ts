import { Type } from '@sinclair/typebox'
import { groupFields } from '../../../domain/fields/group-fields'
import type { GroupId } from '../../../domain/ids'
import type { GroupChange } from '../../../gateway/identity/groups'
import { ruledPrices, scopeText } from '../../../domain/pricing-rules'
import {
  groupRules,
  removeGroupRule,
  setGroupRule,
  type GroupRepriced,
  type GroupRuleChange,
} from '../group-rules'
import { addGroup, groupMeant, removeGroup, setGroup } from '../groups'
import { beforeId, Id, max, Name, page, pageOf, sent } from '../../operations/fields'
import { asOption, changeBy, settable } from '../../operations/from-fields'
import { groupCommands } from './group-commands'
import {
  GoneGroupView,
  GroupRuleGone,
  GroupRuleSet,
  groupRuleView,
  GroupView,
  groupView,
  GroupWithRules,
  MarkedUp,
  NamedGroupRule,
} from './group-view'
import { operation } from '../../operations/operation'
import { cataloguePartsOf } from '../../operations/parts'
import {
  ruleChangeOf,
  ruleSettings,
  ScopeKind,
  ScopeName,
  scopeOf,
} from '../../pricing/operations/price-fields'

/** A group by its number or its name. */
const Which = Type.Union([Id, Name])

const { name, ...limits } = settable(groupFields)

function changeOf(body: object): Required<Pick<GroupChange, 'limits'>> & GroupChange {
  const { name: told, ...given } = changeBy(groupFields, body)
  return { ...(told === undefined ? {} : { name: told }), limits: given }
}

const repricedView = ({ models, belowCost }: GroupRepriced) => ({
  repriced: [...models],
  below_cost: [...belowCost],
})

export const groupOperations = [
  operation({
    name: 'group.list',
    method: 'GET',
    path: '/groups',
    role: 'viewer',
    about: 'Groups of accounts with prices and limits of their own, newest first',
    query: { before: beforeId, max },
    result: pageOf(GroupView, Id),
    commands: [groupCommands.list],
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
    params: { id: Which },
    result: GroupWithRules,
    commands: [groupCommands.show],
    async run(parts, { params }) {
      const group = await groupMeant(parts.storage.groups, String(params.id))
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
    body: { ...limits, name: asOption(Name, 'name of the group', { kind: 'name' }) },
    result: GroupView,
    commands: [groupCommands.add],
    run: async ({ storage }, { body }) =>
      groupView(await addGroup(storage.groups, { ...changeOf(body), name: body.name })),
  }),
  operation({
    name: 'group.set',
    method: 'PATCH',
    path: '/groups/{id}',
    role: 'owner',
    about: 'Change the name of a group, or the limits that its accounts have unless they have own',
    params: { id: Which },
    body: { ...limits, name },
    result: GroupView,
    commands: [groupCommands.set],
    async run({ storage }, { params, body }) {
      const group = await groupMeant(storage.groups, String(params.id))
      return groupView(await setGroup(storage.groups, group, changeOf(body)))
    },
  }),
  operation({
    name: 'group.remove',
    method: 'DELETE',
    path: '/groups/{id}',
    role: 'owner',
    about: 'Remove a group with its price rules; its accounts stay, in no group',
    params: { id: Which },
    result: GoneGroupView,
    commands: [groupCommands.remove],
    async run({ storage }, { params }) {
      const gone = await groupMeant(storage.groups, String(params.id))
      await removeGroup(storage.groups, gone)
      return { removed: gone.id, name: gone.name, accounts: gone.accounts }
    },
  }),
  operation({
    name: 'group.rule.list',
    method: 'GET',
    path: '/groups/{id}/price-rules',
    role: 'viewer',
    about: 'Price rules of a group, which go before those of the service',
    params: { id: Which },
    result: Type.Object({ data: Type.Array(NamedGroupRule) }),
    async run(parts, { params }) {
      const group = await groupMeant(parts.storage.groups, String(params.id))
      const rules = await groupRules(parts, group.id)
      return { data: rules.map((rule) => ({ group: group.name, ...groupRuleView(rule) })) }
    },
  }),
  operation({
    name: 'group.rule.set',
    method: 'PUT',
    path: '/groups/{id}/price-rules',
    role: 'owner',
    about: 'Set what a group pays: its rules go before those of the service, and hold at once',
    params: { id: Which },
    body: {
      kind: ScopeKind,
      name: ScopeName,
      ...ruleSettings,
      on: asOption(
        Type.Optional(MarkedUp),
        'with --group, what the markup is on: sale, what everybody pays (unless told), or cost',
        { option: 'on <price>', choices: ruledPrices },
      ),
    },
    result: GroupRuleSet,
    async run(parts, { params, body: { on, ...body } }) {
      const { id, name: group } = await groupMeant(parts.storage.groups, String(params.id))
      const change: GroupRuleChange = { ...ruleChangeOf(body), ...sent({ markedUp: on }) }
      const { rule, ...repriced } = await setGroupRule(await cataloguePartsOf(parts), id, change)
      return { rule: groupRuleView(rule), group, ...repricedView(repriced) }
    },
  }),
  operation({
    name: 'group.rule.remove',
    method: 'DELETE',
    path: '/groups/{id}/price-rules',
    role: 'owner',
    about: 'Remove a price rule of a group; the next wider one holds, else what everybody pays',
    params: { id: Which },
    body: { kind: ScopeKind, name: ScopeName },
    result: GroupRuleGone,
    async run(parts, { params, body }) {
      const { id, name: group } = await groupMeant(parts.storage.groups, String(params.id))
      const scope = scopeOf(body)
      const repriced = await removeGroupRule(await cataloguePartsOf(parts), id, scope)
      return { scope: scopeText(scope), group, ...repricedView(repriced) }
    },
  }),
] as const
