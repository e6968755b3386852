import { Type, type Static } from '@sinclair/typebox'
import type { Offer } from '../catalogue/catalogue'
import type { ModelViews } from '../catalogue/view'
import type { ModelType } from '../domain/model'

const usualLimit = 20

/** Which models a client of the Messages format asks for: so many, those behind an id or the last before one. */
export const messagesModelsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  after_id: Type.Optional(Type.String()),
  before_id: Type.Optional(Type.String()),
})
type ModelsQuery = Static<typeof messagesModelsQuery> & { readonly type?: ModelType }

/** A page of the models on sale, sorted by id; an id that is not sold any more is a place too. */
export function messagesModels(
  offers: readonly Offer[],
  asked: ModelsQuery,
  views: Pick<ModelViews, 'messagesJson'>,
): string {
  const { type, limit = usualLimit, after_id: after, before_id: before } = asked
  const all = offers.filter(({ model }) => type === undefined || model.type === type)
  const inRange = all.filter(
    ({ model: { id } }) =>
      (after === undefined || id > after) && (before === undefined || id < before),
  )
  const page = before === undefined ? inRange.slice(0, limit) : inRange.slice(-limit)
  const place = {
    has_more: page.length < inRange.length,
    first_id: page[0]?.model.id ?? null,
    last_id: page.at(-1)?.model.id ?? null,
  }
  const data = page.map((offer) => views.messagesJson(offer)).join(',')
  return `{"data":[${data}],${JSON.stringify(place).slice(1)}`
}
