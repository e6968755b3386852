import { Type, type Static } from '@sinclair/typebox'
import { Exact } from '../../../gateway/metering/price-card'
import {
  bases,
  scopeKinds,
  scopeText,
  type PricingRule,
  type RuleScope,
} from '../../../domain/pricing-rules'
import { AdminError } from '../../operations/admin-error'
import type { ProposalChoice } from '../proposal-decisions'
import type { RuleChange } from '../rule-changes'
import { percentOf } from '../../catalogue/vendor-address'
import { textForms } from '../../operations/refusals/text-forms'
import { Id, orNull, said, sent } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'

/* Fields of rules and choices that several operations of prices have. */

const text = Type.String()
export const ScopeKind = Type.Union(scopeKinds.map((kind) => Type.Literal(kind)))
export const ScopeName = Type.String({ maxLength: 256 })

export const RuleView = Type.Object({
  id: Id,
  kind: ScopeKind,
  /** Of the vendor, owner, type or model; empty for everything. */
  name: text,
  /** The scope as people read it. */
  scope: text,
  markup_percent: text,
  fee_per_call_usd: orNull(text),
  /** Significant digits that prices are rounded up to. */
  digits: orNull(Type.Integer()),
  basis: Type.Union(bases.map((basis) => Type.Literal(basis))),
})

export const ruleView = (rule: PricingRule): Static<typeof RuleView> => ({
  id: rule.id,
  kind: rule.kind,
  name: rule.name,
  scope: scopeText(rule),
  markup_percent: rule.markupPercent,
  fee_per_call_usd: rule.feePerCall,
  digits: rule.digits,
  basis: rule.basis,
})

const Repriced = Type.Object({
  /** Models whose price moved. */
  repriced: Type.Array(text),
})

export const RuleSet = Type.Composite([Type.Object({ rule: RuleView }), Repriced])
export const RuleGone = Type.Composite([Type.Object({ scope: text }), Repriced])

const maxDigits = 15

export const ruleSettings = {
  markup_percent: asOption(
    Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
    'added to costs; below zero a rebate',
    { option: 'markup <percent>', read: percentOf },
  ),
  fee_per_call_usd: asOption(
    Type.Optional(orNull(Type.String({ pattern: textForms.fee, maxLength: 20 }))),
    'dollars for each call on top, or null',
    { option: 'fee <usd>', nullable: true, read: feeOf },
  ),
  digits: asOption(
    Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: maxDigits }))),
    'significant digits that prices are rounded up to, or null',
    { kind: 'count', nullable: true, most: maxDigits },
  ),
  basis: asOption(
    Type.Optional(Type.Union(bases.map((basis) => Type.Literal(basis)))),
    'of several routes: highest of each price, first, or typed',
    { option: 'basis <basis>', choices: bases },
  ),
}

/** @throws RangeError */
function feeOf(typed: string): string {
  if (typed === 'none') return typed
  if (!/^\d+(\.\d+)?$/.test(typed))
    throw new RangeError('An amount in dollars is needed, from 0, or none.')
  return new Exact(typed).toFixed()
}

const onlyThese = { additionalProperties: false } as const
export const SentScope = Type.Object({ kind: ScopeKind, name: ScopeName }, onlyThese)
export const SentRule = Type.Object(
  { kind: ScopeKind, name: ScopeName, ...ruleSettings },
  onlyThese,
)

/**
 * Scope of a price rule as an operation takes it.
 * @throws AdminError input_invalid for a name of everything, or none of something
 */
export function scopeOf({ kind, name }: Static<typeof SentScope>): RuleScope {
  const trimmed = name.trim().replace(/\/\*$/, '')
  const isAll = kind === 'everything'
  if (isAll !== (trimmed === ''))
    throw new AdminError('input_invalid', { field: 'name', rule: isAll ? 'not_empty' : 'required' })
  return { kind, name: trimmed }
}

export function ruleChangeOf({ kind, name, ...rule }: Static<typeof SentRule>): RuleChange {
  const { markup_percent: markup, fee_per_call_usd: fee, digits, basis } = rule
  return {
    ...scopeOf({ kind, name }),
    ...sent({
      markupPercent:
        markup === undefined
          ? undefined
          : said('markup_percent', { rule: 'bad_form', form: 'percent' }, () => percentOf(markup)),
      feePerCall: typeof fee === 'string' ? new Exact(fee).toFixed() : fee,
      digits,
      basis,
    }),
  }
}

/** Proposals by their numbers, or all that wait. */
export const Choice = {
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1000 })),
  /** All that wait. */
  all: Type.Optional(Type.Boolean()),
}

/**
 * Choice of price proposals as an operation takes it.
 * @throws AdminError input_invalid where nothing is named, or both are
 */
export function proposalChoice({ ids, all }: { ids?: number[]; all?: boolean }): ProposalChoice {
  if ((ids === undefined) === (all !== true))
    throw new AdminError('input_invalid', {
      field: 'ids',
      rule: 'one_of_fields',
      fields: ['ids', 'all'],
    })
  return ids ?? 'all'
}
