import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { scopeKinds, type RuleScope } from '../../../domain/pricing-rules'
import { cell, counted, type CommandForm } from '../../operations/command'
import { asOption } from '../../operations/from-fields'
import type {
  GroupRuleView,
  GroupRuleSet,
  GroupRuleGone,
} from '../../accounts/operations/group-view'
import type { RuleGone, RuleSet, RuleView } from './price-fields'

type Typed = Readonly<Record<string, unknown>>

const scopeAbout = {
  vendor: ['vendor <name>', 'only for routes of this vendor'],
  owner: ['owner <pattern>', 'only for models of this owner, such as openai/*'],
  type: ['type <type>', 'only for models of this family'],
  model: ['model <id>', 'only for this model'],
} as const

/** Options that name the scope of a rule. */
export const scopeOptions: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries(scopeAbout).map(([kind, [option, about]]) => [
    kind,
    asOption(Type.Optional(Type.String()), about, { option }),
  ]),
)

/**
 * Splits off the scope of a rule.
 * @throws RangeError for more than one scope
 */
export function withScope(typed: Typed): { readonly scope: RuleScope; readonly rest: Typed } {
  const isScope = ([field]: [string, unknown]) => field in scopeOptions
  const named = scopeKinds.flatMap((kind) => {
    const name = typed[kind]
    return typeof name === 'string' ? [{ kind, name: name.replace(/\/\*$/, '') }] : []
  })
  if (named.length > 1)
    throw new RangeError('a rule is of one scope: --vendor, --owner, --type or --model')
  const rest = Object.fromEntries(Object.entries(typed).filter((each) => !isScope(each)))
  return { scope: named[0] ?? { kind: 'everything', name: '' }, rest }
}

const scoped = {
  options: scopeOptions,
  compose(typed: Typed) {
    const { scope, rest } = withScope(typed)
    return { ...scope, ...rest }
  },
}

const object = 'price.rule'
type GroupRule = Static<typeof GroupRuleView>

export const groupRuleHeads = ['SCOPE', 'MARKUP', 'ON', 'FEE A CALL', 'DIGITS', 'BASIS']

export const groupRuleCells = (rule: GroupRule): string[] => [
  rule.scope,
  `${rule.markup_percent}%`,
  rule.on,
  cell.usd(rule.fee_per_call_usd),
  cell.some(rule.digits),
  rule.basis,
]

const ofGroup = {
  flag: '--group <group>',
  param: 'id',
  about: 'only for the accounts of this group, by its name or number',
  conflicts: [],
} as const

interface GroupRules {
  readonly data: readonly (GroupRule & { readonly group: string })[]
}

const listOfGroup: CommandForm<GroupRules> = {
  words: 'price rules list',
  example: 'price rules list --group resellers',
  object,
  list: {
    pages: null,
    columns: [
      'id',
      'group',
      'scope',
      'on',
      'markup_percent',
      'fee_per_call_usd',
      'digits',
      'basis',
    ],
    heading: groupRuleHeads,
    cells: groupRuleCells,
  },
}

const list: CommandForm<{ readonly data: readonly Static<typeof RuleView>[] }> = {
  words: 'price rules list',
  about: 'list pricing rules',
  example: 'price rules list',
  instead: { ...ofGroup, operation: 'group.rule.list', form: listOfGroup },
  object,
  list: {
    pages: null,
    columns: ['id', 'scope', 'markup_percent', 'fee_per_call_usd', 'digits', 'basis'],
    heading: ['SCOPE', 'MARKUP', 'FEE A CALL', 'DIGITS', 'BASIS'],
    cells: (rule) => [
      rule.scope,
      `${rule.markup_percent}%`,
      cell.usd(rule.fee_per_call_usd),
      cell.some(rule.digits),
      rule.basis,
    ],
  },
}

function repricedLine(models: readonly string[]): string {
  const [first] = models
  if (first === undefined) return 'no price moved'
  return `${counted(models.length, 'price')} moved, such as that of ${first}`
}

const belowCostLines = (models: readonly string[]): readonly string[] =>
  models.length === 0 ? [] : [`! ${models.length} are sold below cost, such as ${models[0] ?? ''}`]

const feeText = ({ fee_per_call_usd: fee }: Static<typeof RuleView>): string =>
  fee === null ? '' : `, $${fee} a call`

const setOfGroup: CommandForm<Static<typeof GroupRuleSet>> = {
  words: 'price rules set',
  example: 'price rules set --group resellers --markup -10',
  object,
  subject: ({ rule, ...rest }) => ({ ...rule, ...rest }),
  said({ group, rule, repriced, below_cost: belowCost }) {
    const on = rule.on === 'sale' ? 'the sale price' : 'the cost'
    return {
      stdout: [
        `group ${group}, ${rule.scope}: ${rule.markup_percent}% on ${on}${feeText(rule)}, basis ${rule.basis}`,
        repricedLine(repriced),
        ...belowCostLines(belowCost),
      ],
    }
  },
}

const set: CommandForm<Static<typeof RuleSet>> = {
  words: 'price rules set',
  about: 'set the rule of a scope; prices that come from it move at once',
  example: 'price rules set --vendor openai --markup 20',
  ...scoped,
  instead: { ...ofGroup, operation: 'group.rule.set', adds: ['on'], form: setOfGroup },
  object,
  subject: ({ rule, repriced }) => ({ ...rule, repriced }),
  said: ({ rule, repriced }) => ({
    stdout: [
      `${rule.scope}: ${rule.markup_percent}%${feeText(rule)}, basis ${rule.basis}`,
      ...(rule.markup_percent.startsWith('-') ? ['! its models are sold below cost'] : []),
      repricedLine(repriced),
    ],
  }),
}

const removeOfGroup: CommandForm<Static<typeof GroupRuleGone>> = {
  words: 'price rules remove',
  example: 'price rules remove --group resellers',
  object,
  formerNames: () => ({ deleted: true }),
  said: ({ group, scope, repriced, below_cost: belowCost }) => ({
    stdout: [
      `the rule of group ${group} for ${scope} is removed`,
      repricedLine(repriced),
      ...belowCostLines(belowCost),
    ],
  }),
}

const remove: CommandForm<Static<typeof RuleGone>> = {
  words: 'price rules remove',
  about: 'remove a rule; the next wider one holds',
  example: 'price rules remove --vendor openai',
  ...scoped,
  instead: { ...ofGroup, operation: 'group.rule.remove', form: removeOfGroup },
  object,
  formerNames: () => ({ deleted: true }),
  said: ({ scope, repriced }) => ({
    stdout: [`the rule for ${scope} is removed`, repricedLine(repriced)],
  }),
}

/** Commands of operations on price rules, of everybody and of a group. */
export const priceRuleCommands = { list, set, remove }
