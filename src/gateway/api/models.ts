import { shownAs } from '../catalogue/aliases'
import { Type, type Static } from '@sinclair/typebox'
import { resolveAny } from '../catalogue/resolve'
import { modelTypes, type ModelType } from '../../domain/model'
import type { GroupId } from '../../domain/ids'
import { isGatewayError } from '../../errors/gateway-error'
import { readSecret } from '../http/credential'
import { checkAddress } from '../identity/access'
import { addressBucket } from '../net/address'
import type { Inbound } from '../http/inbound'
import { headersFor, speaksMessages } from '../http/refusal'
import { decodeSegment } from '../http/request-target'
import { openErrors, openHeaders } from './reference/doc'
import { ModelListReply, ModelReply } from './reference/schemas'
import { readQuery, refuseQuery } from './query'
import type { ApiRoute, RouteParts } from './route'
import type { Offer } from '../catalogue/catalogue'
import type { ModelViews } from '../catalogue/view'

const usualLimit = 20

/** Which models a client of the Messages format asks for: so many, those behind an id or the last before one. */
const messagesModelsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  after_id: Type.Optional(Type.String()),
  before_id: Type.Optional(Type.String()),
})
type ModelsQuery = Static<typeof messagesModelsQuery> & { readonly type?: ModelType }

/** A page of the models on sale, sorted by id; an id that is not sold any more is a place too. */
function messagesModels(
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

const listPath = '/v1/models'

const query = Type.Object({
  type: Type.Optional(
    Type.Union(
      modelTypes.map((each) => Type.Literal(each)),
      { description: 'only models of this family' },
    ),
  ),
})

/** Clients ask for pages of either list; that of the reference format is one page. */
const listQuery = Type.Composite([query, messagesModelsQuery])

/** Models on sale today. Open without a key. */
export const models: ApiRoute = {
  method: 'GET',
  path: listPath,
  doc: {
    group: 'Models',
    summary: 'Every model on sale, with its prices.',
    description:
      'A model may be called by other ids too; where the operator lists one, it has a row of its own. With a key, prices are those of its account.',
    keyed: false,
    query,
    answers: [
      {
        status: 200,
        description: 'The models.',
        headers: openHeaders,
        content: { 'application/json': { schema: ModelListReply } },
      },
    ],
    errors: [...openErrors, 'invalid_field'],
  },
  async serve(parts, inbound) {
    await parts.limits.takeAddress(addressBucket(inbound.address))
    return list(parts, inbound, await groupOf(parts, inbound))
  },
}

/** One model; its id may hold slashes, raw or encoded. Open without a key. */
export const model: ApiRoute = {
  method: 'GET',
  path: `${listPath}/*`,
  doc: {
    group: 'Models',
    summary: 'One model.',
    description: 'With a key, prices are those of its account.',
    keyed: false,
    rest: { name: 'id', description: 'its id; may hold slashes, raw or encoded' },
    answers: [
      {
        status: 200,
        description: 'The model.',
        headers: openHeaders,
        content: { 'application/json': { schema: ModelReply } },
      },
    ],
    errors: [...openErrors, 'invalid_field', 'model_not_found', 'model_discontinued'],
  },
  async serve(parts, inbound) {
    await parts.limits.takeAddress(addressBucket(inbound.address))
    const id = decodeSegment(inbound.path.slice(listPath.length + 1))
    const group = await groupOf(parts, inbound)
    if (id === '') return list(parts, inbound, group)
    refuseQuery(inbound)
    const offer = shownAs(resolveAny(parts.catalogue.of(group), id), id)
    const models = parts.models.of(group)
    if (speaksMessages(inbound)) return json(models.messagesJson(offer), inbound)
    return json(models.oneJson(offer), inbound)
  },
}

/** The group of whoever sends a key that may call; a key is not needed, and another one is none. */
async function groupOf({ identity }: RouteParts, inbound: Inbound): Promise<GroupId | null> {
  try {
    const secret = readSecret(inbound.headers)
    if (secret === null) return null
    const caller = await identity.identify(secret, 'any')
    checkAddress(caller, inbound.address)
    return caller.account.group
  } catch (thrown) {
    if (isGatewayError(thrown)) return null
    throw thrown
  }
}

function list(parts: RouteParts, inbound: Inbound, group: GroupId | null): Response {
  const models = parts.models.of(group)
  const page = readQuery(inbound, listQuery)
  if (!speaksMessages(inbound)) return json(models.listJson(page.type ?? null), inbound)
  return json(messagesModels(parts.catalogue.of(group).listed(), page, models), inbound)
}

const json = (body: string, inbound: Inbound): Response =>
  new Response(body, {
    headers: {
      ...headersFor(inbound, null),
      // The shape is chosen by the first, whether pages may read it by the second, prices by a key.
      vary: 'anthropic-version, origin, authorization, x-api-key',
      'content-type': 'application/json; charset=utf-8',
    },
  })
