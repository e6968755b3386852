import type { Command } from 'commander'
import { rulesInForce, removePricingRule, setPricingRule } from '../../admin/pricing-rules'
import { scopeText, type PricingRule } from '../../pricing/rules'
import { branch, leaf } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printJson, printLine } from '../kit/output'
import {
  listGroupRules,
  removeRuleOfGroup,
  setRuleOfGroup,
  withGroup,
  withRuledPrice,
  type GroupRuleOptions,
  type OfGroup,
} from './group-rules'
import { typedRule, typedScope, withRule, withScope, type ScopeOptions } from './rule-options'
import { withService } from './with-service'
import { counted } from '../kit/counted'

/** `price rules`: how sale prices come from costs. */
export function priceRulesCommand(price: Command): void {
  const rules = branch(price, 'rules', 'How sale prices come from costs; the narrowest rule holds')

  withCsv(withGroup(leaf(rules, 'list', 'list pricing rules', 'price rules list'))).action(list)

  withRuledPrice(
    withGroup(
      withRule(
        withScope(
          leaf(
            rules,
            'set',
            'set the rule of a scope; prices that come from it move at once',
            'price rules set --vendor openai --markup 20',
          ),
        ),
      ),
    ),
  ).action(set)

  withGroup(
    withScope(
      leaf(
        rules,
        'remove',
        'remove a rule; the next wider one holds',
        'price rules remove --vendor openai',
      ),
    ),
  ).action(remove)
}

const ruleView = (rule: PricingRule) => ({
  object: 'price.rule',
  id: rule.id,
  scope: scopeText(rule),
  markup_percent: rule.markupPercent,
  fee_per_call_usd: rule.feePerCall,
  digits: rule.digits,
  basis: rule.basis,
})

async function list(options: ListOptions & OfGroup): Promise<void> {
  if (options.group !== undefined) return await listGroupRules(options.group, options)
  const rules = await withService(options, async (parts) =>
    (await rulesInForce(parts)).map(ruleView),
  )
  await printList(options, rules, form)
}

const form: ListForm<ReturnType<typeof ruleView>> = {
  columns: ['id', 'scope', 'markup_percent', 'fee_per_call_usd', 'digits', 'basis'],
  heading: ['SCOPE', 'MARKUP', 'FEE A CALL', 'DIGITS', 'BASIS'],
  cells: (rule) => [
    rule.scope,
    `${rule.markup_percent}%`,
    rule.fee_per_call_usd === null ? '–' : `$${rule.fee_per_call_usd}`,
    rule.digits === null ? '–' : String(rule.digits),
    rule.basis,
  ],
}

async function set(options: GroupRuleOptions): Promise<void> {
  if (options.group !== undefined) return await setRuleOfGroup(options.group, options)
  if (options.on !== undefined) throw new RangeError('--on goes with --group')
  const change = typedRule(options)
  const { rule, models } = await withService(options, (parts) =>
    setPricingRule(parts, change, operator()),
  )
  if (options.json) return printJson({ ...ruleView(rule), repriced: models })
  const fees = rule.feePerCall === null ? '' : `, $${rule.feePerCall} a call`
  printLine(`${scopeText(rule)}: ${rule.markupPercent}%${fees}, basis ${rule.basis}`)
  if (rule.markupPercent.startsWith('-')) printLine('! its models are sold below cost')
  printRepriced(models)
}

async function remove(options: ScopeOptions & OfGroup): Promise<void> {
  if (options.group !== undefined) return await removeRuleOfGroup(options.group, options)
  const scope = typedScope(options)
  const { models } = await withService(options, (parts) =>
    removePricingRule(parts, scope, operator()),
  )
  if (options.json)
    return printJson({
      object: 'price.rule',
      scope: scopeText(scope),
      deleted: true,
      repriced: models,
    })
  printLine(`the rule for ${scopeText(scope)} is removed`)
  printRepriced(models)
}

const printRepriced = (models: readonly string[]): void =>
  printLine(
    models.length === 0
      ? 'no price moved'
      : `${counted(models.length, 'price')} moved, such as that of ${models[0] ?? ''}`,
  )
