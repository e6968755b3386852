import { changeView, type ChangeView } from '../../admin/price-change-view'
import type { PriceChange } from '../../admin/price-changes'

/** Price lines that would move, `input_per_million 2.5 → 3`. */
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
export function changeRow(view: ChangeView): readonly string[] {
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
      ['MODEL', 'SOLD (USD)', 'MARKUP', 'IF REJECTED', 'IF APPROVED', 'CALLS 30D'],
      ...models,
    ],
  }
}
