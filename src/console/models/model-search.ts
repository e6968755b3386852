import { familyOf, type ModelFamily } from '../../domain/model'
import { foldedText } from '../folded-text'
import { capabilitiesOf, modelRow, type ModelRow } from './model-view'
import type { SoldModel } from './sold-model'
import { usualPrice } from './usual-price'

const modelOrders = ['id', 'cheapest', 'dearest'] as const
type ModelOrder = (typeof modelOrders)[number]

/** Which models are looked for. */
export interface ModelQuery {
  /** Each of its words stands in id, name, owner or a capability; empty for all. */
  readonly text: string
  readonly family: ModelFamily | null
  /** One that they have, by its name; null for any. */
  readonly capability: string | null
  readonly order: ModelOrder
  /** Whether a model may be shown; by a key's list of models. */
  allows(model: SoldModel): boolean
  /** As `next` of the part before. */
  readonly after: string | null
  readonly max: number
}

/** A part of the models that were found. */
interface FoundModels {
  readonly data: readonly ModelRow[]
  /** Of all parts. */
  readonly total: number
  readonly next: string | null
}

interface ModelSearch {
  find(query: ModelQuery): FoundModels
  /** By its id, or by another that it may be called by. */
  model(id: string): SoldModel | null
}

/** Words that people look for capabilities by, besides their names. */
const words: Readonly<Record<string, string>> = {
  streaming: 'stream جریانی',
  tools: 'function calling ابزار تابع',
  json: 'structured schema ساختاریافته جیسون',
  vision: 'image input بینایی تصویر عکس',
  reasoning: 'thinking استدلال فکر',
  audio_input: 'audio sound صدا شنیدن',
  realtime: 'voice گفتگو زنده صوتی',
  translation: 'translate ترجمه',
}

interface Indexed {
  readonly model: SoldModel
  readonly text: string
  readonly usd: number
}

/** An index over the models of a moment, made once for each. */
interface Index {
  readonly of: readonly SoldModel[]
  readonly orders: Readonly<Record<ModelOrder, readonly Indexed[]>>
  readonly byId: ReadonlyMap<string, SoldModel>
}

/** Searches what is on sale. @param listed the same array as long as nothing has changed */
export function openModelSearch(listed: () => readonly SoldModel[]): ModelSearch {
  let index: Index | null = null
  const current = (): Index => {
    const models = listed()
    if (index?.of !== models) index = indexOf(models)
    return index
  }
  return {
    find(query) {
      const matching = current().orders[query.order].filter((each) => matches(each, query))
      const rest = query.after === null ? matching : behind(matching, query.after, query.order)
      const page = rest.slice(0, query.max)
      const last = page.at(-1)
      return {
        data: page.map(({ model }) => modelRow(model)),
        total: matching.length,
        next: last === undefined || page.length === rest.length ? null : placeOf(last),
      }
    },
    model: (id) => current().byId.get(id) ?? null,
  }
}

function indexOf(models: readonly SoldModel[]): Index {
  const rows = models.map((model) => ({ model, text: textOf(model), usd: usualPrice(model) }))
  const byId = new Map<string, SoldModel>()
  for (const model of models) for (const { id } of model.aliases ?? []) byId.set(id, model)
  // An id of its own is before one that it is called by.
  for (const model of models) byId.set(model.id, model)
  return {
    of: models,
    orders: {
      id: rows.toSorted(order.id),
      cheapest: rows.toSorted(order.cheapest),
      dearest: rows.toSorted(order.dearest),
    },
    byId,
  }
}

type Place = Pick<Indexed, 'usd'> & { readonly model: Pick<SoldModel, 'id'> }
type Compare = (a: Place, b: Place) => number

const byId: Compare = ({ model: a }, { model: b }) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
const order: Readonly<Record<ModelOrder, Compare>> = {
  id: byId,
  cheapest: (a, b) => a.usd - b.usd || byId(a, b),
  dearest: (a, b) => b.usd - a.usd || byId(a, b),
}

function textOf(model: SoldModel): string {
  const { id, name, ownedBy, aliases = [] } = model
  const capabilities = capabilitiesOf(model).flatMap((each) => [each, words[each] ?? ''])
  return foldedText(
    [id, name, ownedBy, ...aliases.map((each) => each.id), ...capabilities].join(' '),
  )
}

function matches({ model, text }: Indexed, query: ModelQuery): boolean {
  const { family, capability, allows } = query
  return (
    (family === null || familyOf(model) === family) &&
    (capability === null || capabilitiesOf(model).includes(capability)) &&
    foldedText(query.text)
      .split(/\s+/)
      .every((word) => text.includes(word)) &&
    allows(model)
  )
}

/** A place in any order, whether or not its model is still on sale. */
const placeOf = ({ usd, model }: Place): string => `${usd} ${model.id}`

function behind(rows: readonly Indexed[], place: string, by: ModelOrder): readonly Indexed[] {
  const [usd = '', ...id] = place.split(' ')
  const last = { usd: Number(usd), model: { id: id.join(' ') } }
  return rows.filter((each) => order[by](each, last) > 0)
}
