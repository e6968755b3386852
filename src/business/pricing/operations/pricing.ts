import { Type } from '@sinclair/typebox'
import { scopeText } from '../../../domain/pricing-rules'
import { rulesInForce, removePricingRule, setPricingRule } from '../rule-changes'
import { setVendorCost } from '../../catalogue/vendors'
import { billedLines, ModelId } from '../../catalogue/operations/model-views'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { cataloguePartsOf } from '../../operations/parts'
import {
  ruleChangeOf,
  ruleSettings,
  RuleGone,
  RuleSet,
  RuleView,
  ruleView,
  ScopeKind,
  ScopeName,
  scopeOf,
} from './price-fields'
import { priceRuleCommands } from './price-rule-commands'
import { readBilled, readPlace } from './price-words'
import { proposedLines } from '../../catalogue/operations/vendor-words'

const text = Type.String()
export const pricingOperations = [
  operation({
    name: 'price_rule.list',
    method: 'GET',
    path: '/price-rules',
    role: 'viewer',
    about: 'How sale prices come from costs; the narrowest rule holds',
    result: Type.Object({ data: Type.Array(RuleView) }),
    commands: [priceRuleCommands.list],
    run: async (parts) => ({
      data: (await rulesInForce(await cataloguePartsOf(parts))).map(ruleView),
    }),
  }),
  operation({
    name: 'price_rule.set',
    method: 'PUT',
    path: '/price-rules',
    role: 'owner',
    about: 'Set the rule of a scope; prices that come from it move at once',
    body: { kind: ScopeKind, name: ScopeName, ...ruleSettings },
    result: RuleSet,
    commands: [priceRuleCommands.set],
    async run(parts, { body }) {
      const { rule, models } = await setPricingRule(
        await cataloguePartsOf(parts),
        ruleChangeOf(body),
        parts.requester.actor,
      )
      return { rule: ruleView(rule), repriced: [...models] }
    },
  }),
  operation({
    name: 'price_rule.remove',
    method: 'DELETE',
    path: '/price-rules',
    role: 'owner',
    about: 'Remove a rule; the next wider one holds',
    body: { kind: ScopeKind, name: ScopeName },
    result: RuleGone,
    commands: [priceRuleCommands.remove],
    async run(parts, { body }) {
      const scope = scopeOf(body)
      const { models } = await removePricingRule(
        await cataloguePartsOf(parts),
        scope,
        parts.requester.actor,
      )
      return { scope: scopeText(scope), repriced: [...models] }
    },
  }),
  operation({
    name: 'price.cost',
    method: 'PUT',
    path: '/vendor-costs',
    role: 'owner',
    about: 'Set what a vendor bills for one of its models; no price on sale moves',
    body: {
      vendor: asOption(
        Type.String({ minLength: 1, maxLength: 64, description: 'Name of the vendor' }),
        'vendor, and the model’s name there',
        { read: readPlace, isSpread: true },
      ),
      vendor_model: ModelId,
      prices: asOption(
        Type.Record(
          Type.String({ minLength: 1, maxLength: 120 }),
          Type.String({ minLength: 1, maxLength: 30 }),
          { minProperties: 1, maxProperties: 100, description: 'All that it bills' },
        ),
        'repeatable; all that it bills; for a tier, speed or region of its own with that behind it, such as input_per_million@priority=5',
        {
          option: 'price <key=usd>',
          read: (typed, earlier) => readBilled(typed, earlier as ReturnType<typeof readBilled>),
        },
      ),
    },
    result: Type.Object({
      vendor: text,
      vendor_model: text,
      on_sale: Type.Array(text),
      proposed: Type.Array(text),
    }),
    commands: [
      {
        words: 'price cost',
        example:
          'price cost openai:gpt-4o --price input_per_million=2 --price output_per_million=8',
        places: { vendor: '<vendor:model>' },
        object: 'price.cost',
        formerNames: ({ on_sale: onSale }) => ({ onSale }),
        said: ({ vendor, vendor_model: model, proposed }) => ({
          stdout: [`what ${vendor} bills for ${model} is kept`, ...proposedLines(proposed)],
        }),
      },
    ],
    async run(parts, { body: { vendor, vendor_model: vendorModel, prices } }) {
      const { onSale, proposed } = await setVendorCost(
        await cataloguePartsOf(parts),
        { vendor, vendorModel, lines: billedLines(prices) },
        parts.requester.actor,
      )
      return { vendor, vendor_model: vendorModel, on_sale: [...onSale], proposed: [...proposed] }
    },
  }),
] as const
