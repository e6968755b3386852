import type { Static } from '@sinclair/typebox'
import type { CommandForm } from '../../operations/command'
import type { DecidedProposals, ProposalView } from './price-proposal-view'

type ChangeView = Static<typeof ProposalView>

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
function changeRow(view: ChangeView): readonly string[] {
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

function causeOf({ kind, cause, sources, moved }: ChangeView): string {
  if (kind !== 'cost') return cause
  const agree = sources.join(', ')
  const differ = [...new Set(moved.flatMap((each) => each.differ))].join(', ')
  const told = agree === '' ? 'sources differ by price' : agree
  return differ === '' ? `${cause}: ${told}` : `${cause}: ${told}; not ${differ}`
}

/** A change for people: fields, what moves of its cost, and each model that it concerns. */
function changeFields(view: ChangeView) {
  const { id, kind, model, vendor, vendor_model: vendorModel, cause, created } = view
  const prices = view.moved.map((each) => [
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
      vendor === null
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

const object = 'price.change'

const list: CommandForm<{ readonly data: readonly ChangeView[] }> = {
  words: 'prices list',
  about: 'list changes that wait for a decision',
  example: 'prices list',
  object,
  list: {
    pages: null,
    none: 'no price change waits for a decision',
    columns: [
      'id',
      'kind',
      'model',
      'cause',
      'created',
      'vendor',
      'vendor_model',
      'sources',
      'cost',
      'cost_proposed',
      'pricing',
      'pricing_proposed',
      'margin_percent',
      'calls_30d',
    ],
    heading: ['ID', 'MODEL', 'CHANGE (USD)', 'MARKUP', 'CALLS 30D', 'CAUSE'],
    cells: changeRow,
  },
}

const show: CommandForm<ChangeView> = {
  words: 'prices show',
  about: 'show one change and what it comes to',
  example: 'prices show 12',
  params: { id: { name: 'id', about: 'number of the change', as: 'place' } },
  object,
  said(view) {
    const { fields, prices, models } = changeFields(view)
    const tables = [prices, models].filter(({ length }) => length > 1)
    return { fields, stdout: tables.flatMap((table) => ['', table]) }
  },
}

type DecidedView = Static<typeof DecidedProposals>

const deciding = (
  done: (decided: DecidedView) => string,
): Pick<CommandForm<DecidedView>, 'places' | 'object' | 'subject' | 'said'> => ({
  places: { ids: '[id...]' },
  object: 'list',
  subject: ({ data }) => ({ data: data.map((each) => ({ ...each, object })) }),
  said: (decided) => ({
    stdout:
      decided.data.length === 0
        ? ['no price change waits for a decision']
        : decided.data.map((each) => `${decidedText(each)}: ${each.status}, ${done(decided)}`),
  }),
})

function decidedText({ kind, model, cost_of: cost }: DecidedView['data'][number]): string {
  if (cost !== null) return `cost of ${cost}`
  return kind === 'sale' ? model : `end of ${model}`
}

const approve: CommandForm<DecidedView> = {
  ...deciding(({ from }) => (from === null ? 'from now on' : `from ${from} on`)),
  words: 'prices approve',
  about: 'do what is proposed',
  example: 'prices approve 12 13 --from 2030-01-01',
}

const reject: CommandForm<DecidedView> = {
  ...deciding(() => 'and not proposed again as they were'),
  words: 'prices reject',
  about: 'leave prices as they are',
  example: 'prices reject 12',
}

/** Commands of operations on price changes that wait. */
export const proposalCommands = { list, show, approve, reject }
