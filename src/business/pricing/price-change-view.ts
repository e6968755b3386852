import type { Ms } from '../../domain/clock'
import type { PriceLine } from '../../domain/model'
import { pricingView } from '../../gateway/metering/pricing-view'
import type { MovedCost } from './cost-vote'
import { agreeingSources, type Proposal } from './proposals'
import type { PriceChange, PriceEffect } from './price-changes'

/** Prices as the public object has them. */
export const pricingOf = (lines: readonly PriceLine[]): Record<string, string> =>
  pricingView({ version: '', validFrom: 0 as Ms, lines })

/** A change for programs. The first model of a cost stands in `model`; all of them in `models`. */
export function changeView({ proposal, cost, effects }: PriceChange) {
  const { id, kind, model, cause, created } = proposal
  const effect = effects.find((each) => each.model === model) ?? effects[0]
  return {
    object: 'price.change',
    id,
    kind,
    model,
    cause,
    created: new Date(created).toISOString(),
    ...(proposal.kind === 'cost'
      ? {
          vendor: proposal.vendor,
          vendor_model: proposal.vendorModel,
          sources: agreeingSources(proposal.moved),
          cost: pricingOf(cost?.lines ?? []),
          cost_source: cost?.source ?? null,
          cost_proposed: pricingOf(proposal.lines),
          moved: movedViews(proposal, cost?.lines ?? []),
        }
      : {}),
    pricing: pricingOf(effect?.sold ?? []),
    pricing_proposed: kind === 'discontinued' ? null : pricingOf(effect?.lines ?? []),
    margin_percent: effect?.margin ?? null,
    calls_30d: callsOf(effects),
    models: effects.map(effectView),
  }
}

const callsOf = (effects: readonly PriceEffect[]): number =>
  effects.reduce((sum, { calls }) => sum + calls, 0)

const effectView = ({ model, sold, lines, margin, calls }: PriceEffect) => ({
  model,
  pricing: pricingOf(sold),
  pricing_proposed: pricingOf(lines),
  margin_percent: margin,
  calls_30d: calls,
})

const movedViews = (
  { lines, moved }: Extract<Proposal, { kind: 'cost' }>,
  before: readonly PriceLine[],
) =>
  moved.map((each) => {
    const [was, is] = [shownPrice(before, each), shownPrice(lines, each)]
    return {
      price: is?.[0] ?? each.meter,
      before: was?.[1] ?? null,
      after: is?.[1] ?? null,
      agree: each.agree,
      differ: each.differ,
    }
  })

/** Key and price as the public object has them; of a size the plain key stands before it. */
const shownPrice = (
  lines: readonly PriceLine[],
  { meter, inputAbove }: Pick<MovedCost, 'meter' | 'inputAbove'>,
) =>
  Object.entries(
    pricingOf(
      lines.filter(
        (line) => line.meter === meter && (line.when?.inputAbove ?? null) === inputAbove,
      ),
    ),
  ).at(-1)
