import type { PriceCard } from '../../domain/model'
import { pricingView } from '../../gateway/metering/pricing-view'
import type { ModelMargins, RouteMargin } from './margins'

const belowView = ({ vendor, vendorModel, below }: RouteMargin) =>
  below.map(({ meter, inputAbove, cost, sale }) => ({
    route: `${vendor}:${vendorModel}`,
    meter,
    input_above: inputAbove,
    cost_usd: cost,
    sale_usd: sale,
  }))

const nextView = (card: PriceCard) => ({
  from: new Date(card.validFrom).toISOString(),
  pricing: pricingView(card),
})

/** Sale price and costs of a model, for programs. */
export const marginView = ({ sale, next, routes }: ModelMargins) => ({
  priced_by: sale === null ? null : sale.origin === 'typed' ? 'typed' : `rule ${sale.rule ?? '–'}`,
  pricing_next: next === null ? null : nextView(next),
  costs: routes.map(({ vendor, vendorModel, cost, nextCost, marginPercent }) => ({
    route: `${vendor}:${vendorModel}`,
    source: cost?.source ?? null,
    since: cost === null ? null : new Date(cost.validFrom).toISOString(),
    pricing: cost === null ? null : pricingView(cost),
    next: nextCost === null ? null : nextView(nextCost),
    least_margin_percent: marginPercent,
  })),
  below_cost: routes.flatMap(belowView),
})
