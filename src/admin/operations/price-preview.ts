import { Type, type Static } from '@sinclair/typebox'
import { showUsd } from '../../domain/money'
import { AdminError } from '../admin-error'
import { pricingOf } from '../price-change-view'
import { previewPrices, type PricePreview, type ThoughtPrices } from '../price-preview'
import { orNull } from './fields'
import { ModelId, Pricing, SentPrices, typedPrices } from './model-views'
import { operation } from './operation'
import { cataloguePartsOf } from './parts'
import { Choice, proposalChoice, ruleChangeOf, SentScope, scopeOf, SentRule } from './price-fields'

const text = Type.String()
const onlyThese = { additionalProperties: false } as const
const Preview = Type.Object({
  from: text,
  /** Older calls were not counted, for time; null where all of the days were. */
  since: orNull(text),
  before_usd: text,
  after_usd: text,
  /** Models whose price would move, the most charged first. */
  models: Type.Array(
    Type.Object({
      model: text,
      pricing: Pricing,
      pricing_after: Pricing,
      /** Calls of the last 30 days. */
      calls_30d: Type.Integer(),
      /** Calls that were charged once more. */
      counted: Type.Integer(),
      before_usd: text,
      after_usd: text,
      /** Counted calls with units that the new prices do not have: left out of both sums. */
      unpriced: Type.Integer(),
    }),
  ),
})

/** A preview as operators see it, by the API and by the command. */
export const previewView = ({ from, since, models, before, after }: PricePreview) => ({
  from: new Date(from).toISOString(),
  since: since === null ? null : new Date(since).toISOString(),
  before_usd: showUsd(before),
  after_usd: showUsd(after),
  models: models.map(({ model, sold, lines, calls, repriced }) => ({
    model,
    pricing: pricingOf(sold),
    pricing_after: pricingOf(lines),
    calls_30d: calls,
    counted: repriced.calls,
    before_usd: showUsd(repriced.before),
    after_usd: showUsd(repriced.after),
    unpriced: repriced.unpriced,
  })),
})

export const pricePreviewOperations = [
  operation({
    name: 'price.preview',
    method: 'POST',
    path: '/prices/preview',
    role: 'staff',
    about: 'Charge the calls of the last 30 days once more by other prices; nothing changes',
    body: {
      /** With prices, or back to its rule. */
      model: Type.Optional(ModelId),
      prices: Type.Optional(SentPrices),
      only_prices: Type.Optional(Type.Boolean()),
      default_prices: Type.Optional(Type.Boolean()),
      rule: Type.Optional(SentRule),
      removed_rule: Type.Optional(SentScope),
      proposals: Type.Optional(Type.Object(Choice, onlyThese)),
    },
    result: Preview,
    async run(parts, { body }) {
      await parts.service.flush()
      return previewView(await previewPrices(await cataloguePartsOf(parts), thoughtOf(body)))
    },
  }),
] as const

interface SentThought {
  readonly model?: string
  readonly prices?: Static<typeof SentPrices>
  readonly only_prices?: boolean
  readonly default_prices?: boolean
  readonly rule?: Static<typeof SentRule>
  readonly removed_rule?: Static<typeof SentScope>
  readonly proposals?: { ids?: number[]; all?: boolean }
}

/** @throws AdminError input_invalid for none of the changes, and for several */
function thoughtOf(body: SentThought): ThoughtPrices {
  const { model, prices, rule, removed_rule: removed, proposals } = body
  const isDefault = body.default_prices === true
  const given = [model, rule, removed, proposals].filter((each) => each !== undefined)
  if (given.length !== 1 || (model !== undefined && (prices === undefined) !== isDefault))
    throw new AdminError('input_invalid', {
      field: 'model',
      rule: 'one_of_fields',
      fields: ['model', 'rule', 'removed_rule', 'proposals'],
    })
  if (rule !== undefined) return { rule: ruleChangeOf(rule) }
  if (removed !== undefined) return { removedRule: scopeOf(removed) }
  if (proposals !== undefined) return { proposals: proposalChoice(proposals) }
  const price = isDefault ? { set: [], removed: [], toDefault: true } : typedPrices(prices ?? {})
  return { model: model ?? '', price, onlyPrices: body.only_prices === true }
}
