import { Option, type Command } from 'commander'
import {
  groupRules,
  removeGroupRule,
  setGroupRule,
  type GroupRepriced,
} from '../../admin/group-rules'
import { groupMeant } from '../../admin/groups'
import { groupRuleCells, groupRuleHeads } from '../../admin/operations/group-commands'
import { groupRuleView } from '../../admin/operations/group-view'
import { ruledPrices, scopeText, type GroupRule, type RuledPrice } from '../../pricing/rules'
import { given } from '../kit/leaf'
import { printList, type ListForm, type ListOptions } from '../kit/listing'
import { printJson, printLine } from '../kit/output'
import { typedRule, typedScope, type RuleOptions, type ScopeOptions } from './rule-options'
import { withService } from './with-service'
import { counted } from '../kit/counted'

/** Option of a command for rules that may be a group's. */
export interface OfGroup {
  readonly group?: string
}

export interface GroupRuleOptions extends RuleOptions, OfGroup {
  readonly on?: RuledPrice
}

export const withGroup = (command: Command): Command =>
  command.option('--group <group>', 'only for the accounts of this group, by its name or number')

export const withRuledPrice = (command: Command): Command =>
  command.addOption(
    new Option(
      '--on <price>',
      'with --group, what the markup is on: sale, what everybody pays (unless told), or cost',
    ).choices(ruledPrices),
  )

const view = (rule: GroupRule, group: string) => ({
  object: 'price.rule',
  group,
  ...groupRuleView(rule),
})

/** Lists the rules of a group. */
export async function listGroupRules(typed: string, options: ListOptions): Promise<void> {
  const { name, rules } = await withService(options, async (parts) => {
    const group = await groupMeant(parts.storage.groups, typed)
    return { name: group.name, rules: await groupRules(parts, group.id) }
  })
  await printList(
    options,
    rules.map((rule) => view(rule, name)),
    form,
  )
}

const form: ListForm<ReturnType<typeof view>> = {
  columns: ['id', 'group', 'scope', 'on', 'markup_percent', 'fee_per_call_usd', 'digits', 'basis'],
  heading: groupRuleHeads,
  cells: groupRuleCells,
}

/** Sets a rule of a group. */
export async function setRuleOfGroup(typed: string, options: GroupRuleOptions): Promise<void> {
  const change = { ...typedRule(options), ...given({ markedUp: options.on }) }
  const { name, rule, ...repriced } = await withService(options, async (parts) => {
    const group = await groupMeant(parts.storage.groups, typed)
    return { name: group.name, ...(await setGroupRule(parts, group.id, change)) }
  })
  if (options.json) return printJson({ ...view(rule, name), ...repricedView(repriced) })
  const fees = rule.feePerCall === null ? '' : `, $${rule.feePerCall} a call`
  const on = rule.markedUp === 'sale' ? 'the sale price' : 'the cost'
  printLine(
    `group ${name}, ${scopeText(rule)}: ${rule.markupPercent}% on ${on}${fees}, basis ${rule.basis}`,
  )
  printRepriced(repriced)
}

/** Removes a rule of a group. */
export async function removeRuleOfGroup(typed: string, options: ScopeOptions): Promise<void> {
  const scope = typedScope(options)
  const { name, ...repriced } = await withService(options, async (parts) => {
    const group = await groupMeant(parts.storage.groups, typed)
    return { name: group.name, ...(await removeGroupRule(parts, group.id, scope)) }
  })
  if (options.json)
    return printJson({
      object: 'price.rule',
      group: name,
      scope: scopeText(scope),
      deleted: true,
      ...repricedView(repriced),
    })
  printLine(`the rule of group ${name} for ${scopeText(scope)} is removed`)
  printRepriced(repriced)
}

const repricedView = ({ models, belowCost }: GroupRepriced) => ({
  repriced: models,
  below_cost: belowCost,
})

function printRepriced({ models, belowCost }: GroupRepriced): void {
  printLine(
    models.length === 0
      ? 'no price moved'
      : `${counted(models.length, 'price')} moved, such as that of ${models[0] ?? ''}`,
  )
  if (belowCost.length > 0)
    printLine(`! ${belowCost.length} are sold below cost, such as ${belowCost[0] ?? ''}`)
}
