import { Type, type Static } from '@sinclair/typebox'
import { modelTypes, type ModelType, type PriceLine } from '../../domain/model'
import { priceKeys, priceLine, pricingView } from '../../metering/pricing-view'
import type { TypedPrices } from '../edit-model'
import { ownRoutes } from '../discontinue-model'
import { marginView } from '../margin-view'
import { neverCharged } from '../model-prices'
import type { ModelMargins } from '../margins'
import {
  isBelowCost,
  leastMarginOf,
  routesByPreference,
  unsoldReasons,
  vendorsByName,
  type KeptModel,
} from '../priced-models'
import { vendorView } from '../vendor-view'
import { orNull, said } from './fields'
import { cataloguePartsOf, type KeptParts } from './parts'

const text = Type.String()
/** Decimal strings in dollars by the keys of the public object. */
export const Pricing = Type.Record(Type.String(), Type.String())

export const ModelId = Type.String({ minLength: 1, maxLength: 256 })
export const ModelTypeName = Type.Union(modelTypes.map((type) => Type.Literal<ModelType>(type)))

const PricedBy = Type.Union([Type.Literal('typed'), Type.Literal('rule')])

const summary = {
  id: text,
  type: ModelTypeName,
  name: text,
  owned_by: text,
  on_sale: Type.Boolean(),
  /** Null for one on sale. */
  why_not: orNull(Type.Union(unsoldReasons.map((each) => Type.Literal(each)))),
  is_free: Type.Boolean(),
  /** What customers pay. */
  pricing: Pricing,
  /** What the first route with a known cost is billed at; null where nobody knows. */
  cost: orNull(Pricing),
  /** The least that is earned on any price of any route; null where nobody knows. */
  least_margin_percent: orNull(text),
  below_cost: Type.Boolean(),
  /** `typed`, `rule`, or null for the prices it came with. */
  priced_by: orNull(PricedBy),
  vendors: Type.Array(text),
  alias_of: Type.Array(text),
  calls_30d: Type.Integer(),
} as const
export const ModelSummary = Type.Object(summary)

const NextPrice = orNull(Type.Object({ from: text, pricing: Pricing }))

export const ModelDetail = Type.Object({
  ...summary,
  description: orNull(text),
  context_length: orNull(Type.Integer()),
  max_output_tokens: orNull(Type.Integer()),
  capabilities: Type.Record(Type.String(), Type.Unknown()),
  /** What the model accepts beyond its format. */
  traits: Type.Record(Type.String(), Type.Unknown()),
  /** The rule that its price comes from, such as `vendor openai`. */
  rule: orNull(text),
  /** Gaps of its card. */
  missing: Type.Array(text),
  pricing_next: NextPrice,
  /** Versions of its prices, the one decided last first: the newest of them. */
  history: Type.Array(
    Type.Object({ version: text, from: text, priced_by: PricedBy, pricing: Pricing }),
  ),
  /** Whether the operator gave the routes; otherwise they are the public catalogue's. */
  own_routes: Type.Boolean(),
  routes: Type.Array(
    Type.Object({
      vendor: text,
      vendor_model: text,
      /** Lower is tried first. */
      priority: Type.Integer(),
      /** Share among routes of the same priority. */
      weight: Type.Integer(),
      /** State of the vendor. */
      state: text,
      cooling_until: orNull(text),
      cost: orNull(Pricing),
      cost_source: orNull(text),
      cost_since: orNull(text),
      cost_next: NextPrice,
      least_margin_percent: orNull(text),
    }),
  ),
  /** Prices that are sold below what a route costs. */
  below: Type.Array(
    Type.Object({
      route: text,
      meter: text,
      input_above: orNull(Type.Number()),
      cost_usd: text,
      sale_usd: text,
    }),
  ),
  /** Keys of prices that no call is counted by, since it has prices of another kind too. */
  never_charged: Type.Array(text),
  aliases: Type.Array(Type.Object({ id: text, listed: Type.Boolean() })),
  fallbacks: Type.Array(text),
})

/** A model in a list. */
export function summaryOf({
  entry,
  unsold,
  margins,
  calls,
}: KeptModel): Static<typeof ModelSummary> {
  const { id, type, name, ownedBy, isFree, card, aliasOf = [] } = entry
  const cost = margins.routes.find((route) => route.cost !== null)?.cost ?? null
  return {
    id,
    type,
    name,
    owned_by: ownedBy,
    on_sale: unsold === null,
    why_not: unsold,
    is_free: isFree,
    pricing: card === null ? {} : pricingView(card),
    cost: cost === null ? null : pricingView(cost),
    least_margin_percent: leastMarginOf(margins),
    below_cost: isBelowCost(margins),
    priced_by: margins.sale?.origin ?? null,
    vendors: [...new Set(entry.routes.map(({ vendor }) => vendor))],
    alias_of: [...aliasOf],
    calls_30d: calls,
  }
}

const maxVersions = 20

const historyOf = ({ cards }: ModelMargins): Static<typeof ModelDetail>['history'] =>
  cards
    .slice(-maxVersions)
    .toReversed()
    .map((card) => ({
      version: card.version,
      from: new Date(card.validFrom).toISOString(),
      priced_by: card.origin,
      pricing: pricingView(card),
    }))

/** A model whole. */
export async function detailOf(
  parts: KeptParts,
  row: KeptModel,
): Promise<Static<typeof ModelDetail>> {
  const { entry, margins } = row
  const given = await cataloguePartsOf(parts)
  const { pricing_next, costs, below_cost: below } = marginView(margins)
  const vendors = await vendorsByName(given)
  const routes = routesByPreference(row).map(async (route) => {
    const vendor = vendors.get(route.vendor)
    const state = vendor === undefined ? null : await vendorView(given, vendor)
    const cost = costs.find((each) => each.route === `${route.vendor}:${route.vendorModel}`)
    return {
      vendor: route.vendor,
      vendor_model: route.vendorModel,
      priority: route.priority,
      weight: route.weight,
      state: state?.state ?? 'gone',
      cooling_until: state?.cooling_until ?? null,
      cost: cost?.pricing ?? null,
      cost_source: cost?.source ?? null,
      cost_since: cost?.since ?? null,
      cost_next: cost?.next ?? null,
      least_margin_percent: cost?.least_margin_percent ?? null,
    }
  })
  return {
    ...summaryOf(row),
    description: entry.description,
    context_length: entry.contextLength,
    max_output_tokens: entry.maxOutputTokens,
    capabilities: { ...entry.capabilities },
    traits: { ...entry.traits },
    rule: row.rule,
    missing: [...row.missing],
    pricing_next,
    history: historyOf(margins),
    own_routes: (await ownRoutes(given, entry.id)).length > 0,
    routes: await Promise.all(routes),
    below,
    never_charged: neverCharged(entry),
    aliases: (entry.aliases ?? []).map(({ id, listed }) => ({ id, listed })),
    fallbacks: [...(entry.fallbacks ?? [])],
  }
}

/** Prices as they are sent: dollars by key, null to take one away. */
export const SentPrices = Type.Record(
  Type.String({ minLength: 1, maxLength: 120 }),
  orNull(Type.String({ minLength: 1, maxLength: 30 })),
  { maxProperties: 100 },
)

/**
 * Price lines of prices as operations take them.
 * @throws AdminError input_invalid for a key or an amount that is none
 */
export function typedPrices(prices: Static<typeof SentPrices>): TypedPrices {
  const all = Object.entries(prices).map(([key, usd]) => {
    said('prices', { rule: 'not_one_of', choices: priceKeys }, () => priceLine(key, '0'))
    const read = () => priceLine(key, usd ?? '0')
    return [said(`prices.${key}`, { rule: 'bad_form', form: 'price' }, read), usd !== null] as const
  })
  return {
    set: all.flatMap(([line, isSet]) => (isSet ? line : [])),
    removed: all.flatMap(([line, isSet]) => (isSet ? [] : line)),
    toDefault: false,
  }
}

/** Every price that a vendor bills. @throws AdminError input_invalid */
export const billedLines = (prices: Readonly<Record<string, string>>): readonly PriceLine[] =>
  typedPrices(prices).set
