import { Type, type Static } from '@sinclair/typebox'
import { modelView } from '../../../gateway/catalogue/view'
import {
  modelTypes,
  type ModelEntry,
  type ModelType,
  type PriceLine,
  type Route,
} from '../../../domain/model'
import { modelFields } from '../../../domain/fields/model-fields'
import { priceKeys, priceLine, pricingView } from '../../../gateway/metering/pricing-view'
import type { TypedPrices } from '../edit-model'
import { ownRoutes } from '../discontinue-model'
import { marginView } from '../../pricing/margin-view'
import { neverCharged } from '../../pricing/model-prices'
import type { ModelMargins } from '../../pricing/margins'
import {
  isBelowCost,
  leastMarginOf,
  routesByPreference,
  unsoldReasons,
  vendorsByName,
  type KeptModel,
} from '../../pricing/priced-models'
import { vendorView } from '../vendor-view'
import { orNull, said } from '../../operations/fields'
import { shownFields } from '../../operations/from-fields'
import { cataloguePartsOf, type KeptParts } from '../../operations/parts'

const text = Type.String()
/** Decimal strings in dollars by the keys of the public object. */
export const Pricing = Type.Record(Type.String(), Type.String())

export const ModelId = Type.String({ minLength: 1, maxLength: 256 })
export const ModelTypeName = Type.Union(modelTypes.map((type) => Type.Literal<ModelType>(type)))

const PricedBy = Type.Union([Type.Literal('typed'), Type.Literal('rule')])

export const RouteView = Type.Object({
  vendor: text,
  vendor_model: text,
  /** Lower is tried first. */
  priority: Type.Integer(),
  /** Share among routes of the same priority. */
  weight: Type.Integer(),
})
const AliasView = Type.Object({ id: text, listed: Type.Boolean() })

const facts = shownFields(modelFields)

const summary = {
  id: text,
  created: text,
  type: ModelTypeName,
  name: facts.name,
  owned_by: facts.owned_by,
  description: orNull(facts.description),
  context_length: orNull(facts.context_length),
  max_output_tokens: orNull(facts.max_output_tokens),
  /** Capabilities, as clients read them. */
  capabilities: Type.Record(Type.String(), Type.Unknown()),
  /** Traits: properties that its format does not tell. */
  traits: Type.Record(Type.String(), Type.Unknown()),
  status: Type.Union(
    (['active', 'off', 'discontinued'] as const).map((each) => Type.Literal(each)),
  ),
  on_sale: Type.Boolean(),
  /** Null for one on sale. */
  why_not: orNull(Type.Union(unsoldReasons.map((each) => Type.Literal(each)))),
  is_free: Type.Boolean(),
  /** What customers pay. */
  pricing: Pricing,
  pricing_unit: text,
  /** Unix seconds; null for prices that it came with. */
  pricing_updated_at: orNull(Type.Integer()),
  /** Version of its prices. */
  card_version: text,
  /** What the first route with a known cost is billed at; null where nobody knows. */
  cost: orNull(Pricing),
  /** The least that is earned on any price of any route; null where nobody knows. */
  least_margin_percent: orNull(text),
  below_cost: Type.Boolean(),
  /** `typed`, `rule`, or null for the prices it came with. */
  priced_by: orNull(PricedBy),
  vendors: Type.Array(text),
  routes: Type.Array(RouteView),
  aliases: Type.Array(AliasView),
  fallbacks: Type.Array(text),
  alias_of: Type.Array(text),
  calls_30d: Type.Integer(),
} as const
export const ModelSummary = Type.Object(summary)

/** Outcome of importing the models that a vendor lists. */
export const ModelImported = Type.Object({
  vendor: text,
  imported: Type.Array(text),
  known: Type.Array(text),
  /** Not sold: nobody knows what they cost. */
  uncosted: Type.Array(text),
})

const NextPrice = orNull(Type.Object({ from: text, pricing: Pricing }))

export const ModelDetail = Type.Object({
  ...summary,
  /** The rule that its price comes from, such as `vendor openai`. */
  rule: orNull(text),
  /** Its number; null for prices of no rule. */
  rule_id: orNull(Type.Integer()),
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
      ...RouteView.properties,
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
})

/** A model that was changed. */
export const ChangedModel = Type.Object({
  ...ModelDetail.properties,
  /** Keys of prices that it had of its own before, and has no more. */
  prices_dropped: Type.Array(text),
})

/** A model in a list. */
export function summaryOf({
  entry,
  unsold,
  margins,
  calls,
}: KeptModel): Static<typeof ModelSummary> {
  const { id, type, isFree, card, aliases = [], fallbacks = [], aliasOf = [] } = entry
  const cost = margins.routes.find((route) => route.cost !== null)?.cost ?? null
  const shown = modelView({ model: entry, card: card ?? noPrices(entry) })
  return {
    id,
    created: new Date(entry.created).toISOString(),
    type,
    name: shown.name,
    owned_by: shown.owned_by,
    description: shown.description,
    context_length: shown.context_length,
    max_output_tokens: shown.max_output_tokens,
    capabilities: shown.capabilities,
    traits: { ...entry.traits },
    status: entry.status,
    on_sale: unsold === null,
    why_not: unsold,
    is_free: isFree,
    pricing: { ...shown.pricing },
    pricing_unit: shown.pricing_unit,
    pricing_updated_at: shown.pricing_updated_at,
    card_version: card?.version ?? '',
    cost: cost === null ? null : pricingView(cost),
    least_margin_percent: leastMarginOf(margins),
    below_cost: isBelowCost(margins),
    priced_by: margins.sale?.origin ?? null,
    vendors: [...new Set(entry.routes.map(({ vendor }) => vendor))],
    routes: entry.routes.map(routeView),
    aliases: aliases.map(({ id, listed }) => ({ id, listed })),
    fallbacks: [...fallbacks],
    alias_of: [...aliasOf],
    calls_30d: calls,
  }
}

const noPrices = ({ created }: ModelEntry) => ({ version: '', validFrom: created, lines: [] })

const routeView = ({ vendor, vendorModel, priority, weight }: Route) => ({
  vendor,
  vendor_model: vendorModel,
  priority,
  weight,
})

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
      ...routeView(route),
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
    rule: row.rule,
    rule_id: margins.sale?.rule ?? null,
    missing: [...row.missing],
    pricing_next,
    history: historyOf(margins),
    own_routes: (await ownRoutes(given, entry.id)).length > 0,
    routes: await Promise.all(routes),
    below,
    never_charged: neverCharged(entry),
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

/** Keys of price lines, as the public object has them. */
export const priceKeysOf = (lines: readonly PriceLine[]): string[] =>
  Object.keys(pricingView({ version: '', validFrom: 0 as ModelEntry['created'], lines }))
