import type { ModelType } from '../domain/model'
import { GatewayError } from '../errors/gateway-error'
import type { Offer } from '../catalogue/catalogue'
import type { ModelViews } from '../catalogue/view'

/** Which models a client of the Messages format asks for, in its own words. */
interface ModelsQuery {
  readonly type: ModelType | null
  readonly limit: number
  /** Those behind this id. */
  readonly after: string | null
  /** Those before this id; the last of them. */
  readonly before: string | null
}

const usualLimit = 20
const maxLimit = 1000

/** Page of a model list as a query asks for it. @throws invalid_field */
export function readModelsQuery(query: URLSearchParams, type: ModelType | null): ModelsQuery {
  const told = query.get('limit')
  const limit = told === null ? usualLimit : Number(told)
  if (told === '' || !Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw new GatewayError(
      'invalid_field',
      { field: 'limit', expected: `a whole number from 1 to ${maxLimit}` },
      { param: 'limit' },
    )
  return { type, limit, after: query.get('after_id'), before: query.get('before_id') }
}

/** A page of the models on sale, sorted by id; an id that is not sold any more is a place too. */
export function messagesModels(
  offers: readonly Offer[],
  asked: ModelsQuery,
  views: Pick<ModelViews, 'messagesJson'>,
): string {
  const { type, limit, after, before } = asked
  const all = offers.filter(({ model }) => type === null || model.type === type)
  const inRange = all.filter(
    ({ model: { id } }) => (after === null || id > after) && (before === null || id < before),
  )
  const page = before === null ? inRange.slice(0, limit) : inRange.slice(-limit)
  const place = {
    has_more: page.length < inRange.length,
    first_id: page[0]?.model.id ?? null,
    last_id: page.at(-1)?.model.id ?? null,
  }
  const data = page.map((offer) => views.messagesJson(offer)).join(',')
  return `{"data":[${data}],${JSON.stringify(place).slice(1)}`
}
