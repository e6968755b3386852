import type { Command } from 'commander'
import { rulesInForce, removePricingRule, setPricingRule } from '../../admin/pricing-rules'
import type { TypedPrices } from '../../admin/edit-model'
import { setVendorCost } from '../../admin/vendors'
import { scopeText, type PricingRule } from '../../pricing/rules'
import { branch, leaf, type CommonOptions } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printJson, printLine } from '../kit/output'
import { readPrice } from './model-options'
import { pricePreviewCommand } from './price-preview'
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
import { printProposed } from './vendor-lines'
import { counted } from '../kit/counted'

/** `price`: how sale prices come from costs. */
export function priceCommand(program: Command): void {
  const price = branch(program, 'price', 'Manage what sale prices are made of')
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

  leaf(
    price,
    'cost',
    'set what a vendor bills for one of its models; no price on sale moves',
    'price cost openai:gpt-4o --price input_per_million=2 --price output_per_million=8',
  )
    .argument('<vendor:model>', 'vendor, and the model’s name there')
    .requiredOption(
      '--price <key=usd>',
      'repeatable; all that it bills; for a tier, speed or region of its own with that behind it, such as input_per_million@priority=5',
      readPrice,
    )
    .action(cost)

  pricePreviewCommand(price)
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

interface CostOptions extends CommonOptions {
  readonly price: TypedPrices
}

async function cost(place: string, options: CostOptions): Promise<void> {
  const [, vendor, vendorModel] = /^([^:]+):(.+)$/s.exec(place) ?? []
  if (vendor === undefined || vendorModel === undefined)
    throw new RangeError('say VENDOR:MODEL, such as openai:gpt-4o')
  const { set: lines, removed, toDefault } = options.price
  if (toDefault || removed.length > 0)
    throw new RangeError('say every price that it bills; there is no default and no none')
  const outcome = await withService(options, (parts) =>
    setVendorCost(parts, { vendor, vendorModel, lines }, operator()),
  )
  if (options.json)
    return printJson({ object: 'price.cost', vendor, vendor_model: vendorModel, ...outcome })
  printLine(`what ${vendor} bills for ${vendorModel} is kept`)
  printProposed(outcome)
}
