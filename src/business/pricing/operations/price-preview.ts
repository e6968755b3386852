import { isoOf } from '../../../domain/clock'
import { Type, type Static } from '@sinclair/typebox'
import { showUsd } from '../../../domain/money'
import { AdminError } from '../../operations/admin-error'
import { pricingOf } from '../price-change-view'
import { previewPrices, type PricePreview, type ThoughtPrices } from '../price-preview'
import type { CommandForm } from '../../operations/command'
import { Id, orNull, sent } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { ModelId, Pricing, SentPrices, typedPrices } from '../../catalogue/operations/model-views'
import { operation } from '../../operations/operation'
import { cataloguePartsOf } from '../../operations/parts'
import {
  Choice,
  proposalChoice,
  ruleChangeOf,
  ruleSettings,
  SentScope,
  scopeOf,
  SentRule,
} from './price-fields'
import { scopeOptions, withScope } from './price-rule-commands'
import { readPrices } from './price-words'

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

const previewView = ({ from, since, models, before, after }: PricePreview) => ({
  from: new Date(from).toISOString(),
  since: isoOf(since),
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

const priceText = (prices: Readonly<Record<string, string>>): string =>
  Object.entries(prices)
    .map((each) => each.join(' '))
    .join(' · ')

function previewLines({ from, since, before_usd, after_usd, models }: Static<typeof Preview>) {
  if (models.length === 0) return ['no price would move']
  const unpriced = models.reduce((sum, each) => sum + each.unpriced, 0)
  return [
    [
      ['MODEL', 'CALLS', 'COST NOW', 'WOULD COST', 'PRICES (USD)'],
      ...models.map((each) => [
        each.model,
        String(each.counted),
        `$${each.before_usd}`,
        `$${each.after_usd}`,
        priceText(each.pricing_after),
      ]),
    ],
    '',
    `calls since ${since ?? from}: $${before_usd} now, $${after_usd} then`,
    ...(unpriced > 0 ? [`! ${unpriced} of them have units without a price then: left out`] : []),
  ]
}

const preview: CommandForm<Static<typeof Preview>> = {
  words: 'price preview',
  example:
    'price preview --vendor openai --markup 20\n  chapar price preview --model gpt-4o --price output_per_million=12',
  options: {
    ...scopeOptions,
    ...ruleSettings,
    price: asOption(
      Type.Optional(SentPrices),
      'a price of --model, as in chapar model set; repeatable, KEY=none, or default',
      {
        option: 'price <key=usd>',
        read: (typed, earlier) => readPrices(typed, earlier as ReturnType<typeof readPrices>),
      },
    ),
    only_prices: asOption(Type.Optional(Type.Boolean()), 'the prices given are all it has'),
    remove: asOption(Type.Optional(Type.Boolean()), 'as if the rule of this scope were removed'),
    proposal: asOption(
      Type.Optional(Type.Array(Id)),
      'as if a change that waits were approved; repeatable',
      { option: 'proposal <id>', kind: 'count', isRepeated: true },
    ),
  },
  compose: bodyOf,
  object: 'price.preview',
  said: (found) => ({ stdout: previewLines(found) }),
}

/** One change of several flat options. @throws RangeError where it is not one */
function bodyOf({
  price,
  only_prices,
  remove,
  proposal,
  ...typed
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if ([price, proposal, remove].filter((each) => each !== undefined).length > 1)
    throw new RangeError('preview one change: --price, --proposal, --remove, or a rule')
  if (proposal !== undefined) return { proposals: { ids: proposal } }
  const { model } = typed
  if (price !== undefined && model === undefined)
    throw new RangeError('say whose prices: --model ID')
  if (price === 'default') return { model, default_prices: true }
  if (price !== undefined) return { model, prices: price, ...sent({ only_prices }) }
  const { scope, rest } = withScope(typed)
  return remove === undefined ? { rule: { ...scope, ...rest } } : { removed_rule: scope }
}

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
    commands: [preview],
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
