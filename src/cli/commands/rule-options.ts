import { InvalidArgumentError, Option, type Command } from 'commander'
import type { RuleChange } from '../../admin/pricing-rules'
import { percentOf } from '../../admin/vendor-address'
import { Exact } from '../../metering/price-card'
import { bases, type Basis, type RuleScope } from '../../pricing/rules'
import { given, read, refusing, type CommonOptions } from '../kit/leaf'

/** Options that name the scope of a pricing rule. */
interface ScopeOptions extends CommonOptions {
  readonly vendor?: string
  readonly owner?: string
  readonly type?: string
  readonly model?: string
}

/** Options of a pricing rule. */
export interface RuleOptions extends ScopeOptions {
  readonly markup?: string
  /** Dollars, or `none`. */
  readonly fee?: string
  readonly digits?: number | 'none'
  readonly basis?: Basis
}

export const withScope = (command: Command): Command =>
  command
    .option('--vendor <name>', 'only for routes of this vendor')
    .option('--owner <pattern>', 'only for models of this owner, such as openai/*')
    .option('--type <type>', 'only for models of this family')
    .option('--model <id>', 'only for this model')

/** Scope of a price rule by the options of a command. @throws RangeError for more than one scope */
export function typedScope({ vendor, owner, type, model }: ScopeOptions): RuleScope {
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

export const withRule = (command: Command): Command =>
  command
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

/** Price rule by the options of a command. @throws RangeError for more than one scope */
export function typedRule(options: RuleOptions): RuleChange {
  const { markup: markupPercent, fee, digits, basis } = options
  return {
    ...typedScope(options),
    ...given({ markupPercent, basis }),
    ...(fee === undefined ? {} : { feePerCall: fee === 'none' ? null : fee }),
    ...(digits === undefined ? {} : { digits: digits === 'none' ? null : digits }),
  }
}
