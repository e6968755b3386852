import type { PriceChange, PriceEffect } from '../../admin/price-changes'
import type { PriceLine } from '../../domain/model'
import { pricingView } from '../../metering/pricing-view'
import type { MovedCost } from '../../pricing/cost-vote'
import { agreeingSources, type Proposal } from '../../pricing/proposals'

const pricingOf = (lines: readonly PriceLine[]): Record<string, string> =>
  pricingView({ version: '', validFrom: 0 as Proposal['created'], lines })

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

type ChangeView = ReturnType<typeof changeView>

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

/** What would move, `input_per_million 2.5 → 3`. */
function movesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => before[key] !== after[key])
    .map((key) => `${key} ${before[key] ?? '–'} → ${after[key] ?? '–'}`)
    .join(' · ')
}

const percent = (value: string | null | undefined): string =>
  value === null || value === undefined ? '–' : `${value}%`

const marginText = (view: Pick<ChangeView, 'margin_percent'>): string =>
  `${percent(view.margin_percent?.before)} → ${percent(view.margin_percent?.after)}`

const isDiscontinued = ({ kind }: ChangeView): boolean => kind === 'discontinued'

/** A change as a row of the list. */
export function changeRow(change: PriceChange): readonly string[] {
  const view = changeView(change)
  const others = view.models.length - 1
  return [
    String(view.id),
    others > 0 ? `${view.model} and ${others} more` : view.model,
    whatOf(view),
    isDiscontinued(view) ? '–' : marginText(view),
    String(view.calls_30d),
    causeOf(view),
  ]
}

function whatOf(view: ChangeView): string {
  if (isDiscontinued(view)) return 'discontinued'
  const sale = movesOf(view.pricing, view.pricing_proposed ?? {})
  if (view.kind === 'sale') return sale
  const cost = movesOf(view.cost ?? {}, view.cost_proposed ?? {})
  if (cost === sale) return `cost and price ${cost}`
  return `cost ${cost}${sale === '' ? ' · sold as before' : ` · sold ${sale}`}`
}

function causeOf({ kind, cause, sources, moved = [] }: ChangeView): string {
  if (kind !== 'cost') return cause
  const agree = sources?.join(', ') ?? ''
  const differ = [...new Set(moved.flatMap((each) => each.differ))].join(', ')
  const told = agree === '' ? 'sources differ by price' : agree
  return differ === '' ? `${cause}: ${told}` : `${cause}: ${told}; not ${differ}`
}

/** A change for people: fields, what moves of its cost, and each model that it concerns. */
export function changeFields(change: PriceChange) {
  const view = changeView(change)
  const { id, kind, model, vendor, vendor_model: vendorModel, cause, created } = view
  const prices = (view.moved ?? []).map((each) => [
    each.price,
    each.before ?? '–',
    each.after ?? '–',
    each.agree.join(', '),
    each.differ.length === 0 ? '–' : each.differ.join(', '),
  ])
  const models = view.models.map((each) => [
    each.model,
    isDiscontinued(view)
      ? 'discontinued'
      : movesOf(each.pricing, each.pricing_proposed) || 'as before',
    percent(each.margin_percent.before),
    percent(each.margin_percent.unchanged),
    percent(each.margin_percent.after),
    String(each.calls_30d),
  ])
  return {
    fields:
      vendor === undefined
        ? { id, kind, model, cause, created }
        : {
            id,
            kind,
            cost_of: `${vendor}:${vendorModel}`,
            cost_source: view.cost_source,
            cause,
            created,
          },
    prices: [['COST (USD)', 'IS', 'WOULD BE', 'TOLD BY', 'NOT BY'], ...prices],
    models: [
      ['MODEL', 'SOLD (USD)', 'MARGIN', 'IF REJECTED', 'IF APPROVED', 'CALLS 30D'],
      ...models,
    ],
  }
}
