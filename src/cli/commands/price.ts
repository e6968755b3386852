import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  pricingRules,
  removePricingRule,
  setPricingRule,
  type RuleChange,
} from '../../admin/pricing-rules'
import { setVendorCost } from '../../admin/vendors'
import { Exact } from '../../metering/price-card'
import { bases, scopeText, type Basis, type PricingRule, type RuleScope } from '../../pricing/rules'
import { branch, given, leaf, read, refusing, type CommonOptions } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printJson, printLine, printTable } from '../kit/output'
import { readPrice, type PriceOption } from './model-options'
import { withService } from './with-service'
import { percentOf } from './vendor-config'
import { printProposed } from './vendor-view'

interface ScopeOptions extends CommonOptions {
  readonly vendor?: string
  readonly owner?: string
  readonly type?: string
  readonly model?: string
}

interface RuleOptions extends ScopeOptions {
  readonly markup?: string
  /** Dollars, or `none`. */
  readonly fee?: string
  readonly digits?: number | 'none'
  readonly basis?: Basis
}

/** `price`: how sale prices come from costs. */
export function priceCommand(program: Command): void {
  const price = branch(program, 'price', 'Manage what sale prices are made of')
  const rules = branch(price, 'rules', 'How sale prices come from costs; the narrowest rule holds')

  leaf(rules, 'list', 'list pricing rules', 'price rules list').action(list)

  withScope(
    leaf(
      rules,
      'set',
      'set the rule of a scope; prices that come from it move at once',
      'price rules set --vendor openai --markup 20',
    ),
  )
    .option('--markup <percent>', 'added to costs; below zero a rebate', (text) =>
      refusing(() => percentOf(text)),
    )
    .option('--fee <usd>', 'dollars for each call on top, or none', feeOf)
    .option(
      '--digits <n>',
      'significant digits that prices are rounded up to, or none',
      read.countOrNone,
    )
    .addOption(
      new Option(
        '--basis <basis>',
        'of several routes: highest of each price, first, or typed',
      ).choices(bases),
    )
    .action(set)

  withScope(
    leaf(
      rules,
      'remove',
      'remove a rule; the next wider one holds',
      'price rules remove --vendor openai',
    ),
  ).action(remove)

  leaf(
    price,
    'cost',
    'set what a vendor bills for one of its models; no price on sale moves',
    'price cost openai:gpt-4o --price input_per_million=2 --price output_per_million=8',
  )
    .argument('<vendor:model>', 'vendor, and the model’s name there')
    .requiredOption('--price <key=usd>', 'repeatable; all that it bills', readPrice)
    .action(cost)
}

const withScope = (command: Command): Command =>
  command
    .option('--vendor <name>', 'only for routes of this vendor')
    .option('--owner <pattern>', 'only for models of this owner, such as openai/*')
    .option('--type <type>', 'only for models of this family')
    .option('--model <id>', 'only for this model')

/** @throws RangeError for more than one scope */
function scopeOf({ vendor, owner, type, model }: ScopeOptions): RuleScope {
  const named = Object.entries(given({ vendor, owner: owner?.replace(/\/\*$/, ''), type, model }))
  const [scope, second] = named
  if (second !== undefined)
    throw new RangeError('a rule is of one scope: --vendor, --owner, --type or --model')
  if (scope === undefined) return { kind: 'everything', name: '' }
  const [kind, name] = scope
  return { kind: kind as RuleScope['kind'], name: String(name) }
}

function feeOf(text: string): string {
  if (text === 'none') return text
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new InvalidArgumentError('An amount in dollars is needed, from 0, or none.')
  return new Exact(text).toFixed()
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

async function list(options: CommonOptions): Promise<void> {
  const rules = await withService(options, async (parts) =>
    (await pricingRules(parts)).map(ruleView),
  )
  if (options.json) return printJson({ object: 'list', data: rules })
  printTable([
    ['SCOPE', 'MARKUP', 'FEE A CALL', 'DIGITS', 'BASIS'],
    ...rules.map((rule) => [
      rule.scope,
      `${rule.markup_percent}%`,
      rule.fee_per_call_usd === null ? '–' : `$${rule.fee_per_call_usd}`,
      rule.digits === null ? '–' : String(rule.digits),
      rule.basis,
    ]),
  ])
}

async function set(options: RuleOptions): Promise<void> {
  const { markup: markupPercent, fee, digits, basis } = options
  const change: RuleChange = {
    ...scopeOf(options),
    ...given({ markupPercent, basis }),
    ...(fee === undefined ? {} : { feePerCall: fee === 'none' ? null : fee }),
    ...(digits === undefined ? {} : { digits: digits === 'none' ? null : digits }),
  }
  const { rule, models } = await withService(options, (parts) =>
    setPricingRule(parts, change, operator()),
  )
  if (options.json) return printJson({ ...ruleView(rule), repriced: models })
  const fees = rule.feePerCall === null ? '' : `, $${rule.feePerCall} a call`
  printLine(`${scopeText(rule)}: ${rule.markupPercent}%${fees}, basis ${rule.basis}`)
  if (rule.markupPercent.startsWith('-')) printLine('! its models are sold below cost')
  printRepriced(models)
}

async function remove(options: ScopeOptions): Promise<void> {
  const scope = scopeOf(options)
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
      : `${models.length} prices moved, such as that of ${models[0] ?? ''}`,
  )

interface CostOptions extends CommonOptions {
  readonly price: PriceOption
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
