import type { Static } from '@sinclair/typebox'
import { cell, type CommandForm } from '../../operations/command'
import type {
  ChangedModel,
  ModelDetail,
  ModelImported,
  ModelSummary,
  RouteView,
} from './model-views'

type Summary = Static<typeof ModelSummary>
type Detail = Static<typeof ModelDetail>

const which = { name: 'id', about: 'id of the model', as: 'place', kind: 'text' } as const
const object = 'model'

/** A route as it is written on the command line; rows of a list have it so already. */
function routeText(route: Static<typeof RouteView> | string, index: number): string {
  if (typeof route === 'string') return route
  const { vendor, vendor_model: model, priority, weight } = route
  const plain = priority === index && weight === 1 && !/:\d+$/.test(model)
  return `${vendor}:${model}${plain ? '' : `:${priority}:${weight}`}`
}

/** Members that lists are made of, as they were before they were those of the operation. */
const formerNames = ({ routes, aliases }: Summary) => ({
  routes: routes.map(routeText),
  aliases: aliases.map(({ id }) => id),
})

/** Members of one model under former names. */
const formerDetail = (model: Detail) => ({
  ...formerNames(model),
  priced_by: model.priced_by === 'rule' ? `rule ${model.rule_id ?? '–'}` : model.priced_by,
  costs: model.routes.map((route) => ({
    route: `${route.vendor}:${route.vendor_model}`,
    source: route.cost_source,
    since: route.cost_since,
    pricing: route.cost,
    next: route.cost_next,
    least_margin_percent: route.least_margin_percent,
  })),
  below_cost: model.below,
})

/** Prices on one line. */
const pricesText = (pricing: Summary['pricing'], between: string = ' · '): string =>
  Object.entries(pricing)
    .map((each) => each.join(' '))
    .join(between)

/** Without those that hold above a threshold only. */
const basePrices = (pricing: Summary['pricing']): string =>
  pricesText(
    Object.fromEntries(Object.entries(pricing).filter(([name]) => !name.includes('_above_'))),
  ) || 'none'

const list: CommandForm<{ readonly data: readonly Summary[] }> = {
  words: 'model list',
  about: 'list models on sale',
  example: 'model list --type chat',
  flags: {
    state: [{ flag: '--all', about: 'also those that are not on sale', value: 'all' }],
  },
  object,
  formerNames,
  list: {
    pages: 'before',
    isNewestFirst: true,
    isWhole: true,
    columns: [
      'id',
      'type',
      'owned_by',
      'name',
      'status',
      'is_free',
      'context_length',
      'max_output_tokens',
      'pricing',
      'pricing_unit',
      'routes',
      'fallbacks',
      'alias_of',
      'card_version',
      'created',
    ],
    heading: ['ID', 'TYPE', 'OWNED BY', 'STATUS', 'PRICES (USD)', 'ROUTES'],
    cells: (each) => [
      each.id,
      each.type,
      each.owned_by,
      each.status,
      each.is_free ? 'free' : basePrices(each.pricing),
      each.alias_of.length === 0
        ? each.routes.map(routeText).join(' ')
        : `= ${each.alias_of.join(', ')}`,
    ],
  },
}

/** A model for people: its fields, what its routes cost, and what to know about that. */
function told(model: Detail) {
  const { routes, aliases, priced_by } = formerDetail(model)
  const next = model.pricing_next
  const costed = model.routes.flatMap((route) =>
    route.cost === null
      ? []
      : [
          [
            `${route.vendor}:${route.vendor_model}`,
            pricesText(route.cost),
            cell.some(route.cost_source),
            cell.some(route.cost_since?.slice(0, 10)),
            route.least_margin_percent === null ? '–' : `${route.least_margin_percent}%`,
          ],
        ],
  )
  return {
    fields: {
      id: model.id,
      created: model.created,
      owned_by: model.owned_by,
      name: model.name,
      type: model.type,
      description: model.description,
      context_length: model.context_length,
      max_output_tokens: model.max_output_tokens,
      capabilities: model.capabilities,
      is_free: model.is_free,
      pricing: model.pricing,
      pricing_unit: model.pricing_unit,
      pricing_updated_at: model.pricing_updated_at,
      status: model.status,
      routes,
      aliases,
      fallbacks: model.fallbacks,
      alias_of: model.alias_of,
      traits: model.traits,
      card_version: model.card_version,
      priced_by,
    },
    stdout: [
      ...(next === null ? [] : [`from ${next.from} on: ${pricesText(next.pricing)}`]),
      ...(costed.length === 0
        ? []
        : ['', [['ROUTE', 'COST (USD)', 'SOURCE', 'SINCE', 'LEAST MARKUP'], ...costed]]),
      ...model.routes.flatMap(({ vendor, vendor_model: name, cost_next: later }) =>
        later === null
          ? []
          : [`from ${later.from} on ${vendor}:${name} costs ${pricesText(later.pricing)}`],
      ),
      ...belowLines(model),
      ...(model.never_charged.length === 0
        ? []
        : [
            `! never charged, since its other prices are what calls are counted by: ${model.never_charged.join(', ')}`,
          ]),
    ],
  }
}

/** One line for each route that is sold below its cost. */
const belowLines = ({ below }: Detail): string[] =>
  [...Map.groupBy(below, ({ route }) => route)].map(
    ([route, prices]) =>
      `! sold below cost by ${route}: ${prices
        .map(
          ({ meter, input_above: above, cost_usd: cost, sale_usd: sale }) =>
            `${meter}${above === null ? '' : ` above ${above} tokens`} for ${sale}, costs ${cost}`,
        )
        .join(', ')}`,
  )

const shown = { object, formerNames: formerDetail, said: told }

const show: CommandForm<Detail> = {
  ...shown,
  words: 'model show',
  about: 'show one model',
  example: 'model show gpt-4o',
  params: { id: which },
}

const add: CommandForm<Detail> = {
  ...shown,
  words: 'model add',
  about: 'put a model on sale',
  example:
    'model add --id gpt-4o --type chat --route openai:gpt-4o --price input_per_million=2.5 --price output_per_million=10',
}

const set: CommandForm<Static<typeof ChangedModel>> = {
  ...shown,
  words: 'model set',
  about: 'change a model',
  example: 'model set gpt-4o --price output_per_million=12',
  params: { id: which },
  flags: {
    status: [
      { flag: '--off', about: 'not available for the moment', value: 'off', isAlone: true },
      { flag: '--on', about: 'available again', value: 'active', isAlone: true },
    ],
  },
  said(model) {
    const { prices_dropped: dropped } = model
    const { fields, stdout } = told(model)
    if (dropped.length === 0) return { fields, stdout }
    const line = `no price of its own any more: ${dropped.join(', ')}; it is charged as what it is a case of, or not sold`
    return { fields, stdout: [line, ...stdout] }
  },
}

const remove: CommandForm<Detail> = {
  words: 'model remove',
  about: 'stop selling a model; clients are told that it was sold before',
  example: 'model remove gpt-4o',
  params: { id: which },
  object,
  subject: ({ id }) => ({ object, id, deleted: true }),
  said: ({ id }) => ({ stdout: [`model ${id} is no longer sold`] }),
}

const importing: CommandForm<Static<typeof ModelImported>> = {
  words: 'model import',
  about: 'put models that a vendor lists on sale, with costs of the public prices',
  example: 'model import openrouter "openai/*"',
  places: { vendor: '<vendor>', patterns: '[pattern...]' },
  object: 'model.import',
  said: ({ vendor, imported, known, uncosted }) => ({
    stdout: [
      imported.length === 0
        ? 'nothing new is on sale'
        : `${imported.length} on sale now: ${imported.join(', ')}`,
      ...(known.length === 0 ? [] : [`${known.length} were known before and stay as they are`]),
      ...(uncosted.length === 0
        ? []
        : [
            `not sold, since nobody knows their cost: ${uncosted.join(', ')}`,
            `chapar model add --id ID --type chat --route ${vendor}:MODEL --price …`,
          ]),
    ],
  }),
}

/** Commands of operations on models. */
export const modelCommands = { list, show, add, set, remove, importing }
