import { messagesModel, messagesModels, readModelsAsked } from '../catalogue/messages-models'
import { resolveAny } from '../catalogue/resolve'
import { modelTypes } from '../domain/model'
import { GatewayError } from '../errors/gateway-error'
import { addressBucket } from '../domain/address'
import type { Inbound } from '../http/inbound'
import { headersFor, speaksMessages } from '../http/refusal'
import type { Route, RouteParts } from './route'

const listPath = '/v1/models'

/** What is on sale today. Open without a key. */
export const models: Route = {
  method: 'GET',
  path: listPath,
  serve(parts, inbound) {
    parts.limits.takeAddress(addressBucket(inbound.address))
    return list(parts, inbound)
  },
}

/** One model; its id may hold slashes, raw or encoded. Open without a key. */
export const model: Route = {
  method: 'GET',
  path: `${listPath}/*`,
  serve(parts, inbound) {
    parts.limits.takeAddress(addressBucket(inbound.address))
    const id = decoded(inbound.path.slice(listPath.length + 1))
    if (id === '') return list(parts, inbound)
    const offer = resolveAny(parts.catalogue, id)
    if (speaksMessages(inbound)) return json(JSON.stringify(messagesModel(offer)), inbound)
    return json(parts.models.oneJson(offer), inbound)
  },
}

function list(parts: RouteParts, inbound: Inbound): Response {
  const query = new URLSearchParams(inbound.search)
  const asked = query.get('type')
  const type = modelTypes.find((each) => each === asked) ?? null
  if (asked !== null && type === null)
    throw new GatewayError(
      'invalid_field',
      { field: 'type', expected: modelTypes.join(' | ') },
      { param: 'type' },
    )
  if (!speaksMessages(inbound)) return json(parts.models.listJson(type), inbound)
  const page = messagesModels(parts.catalogue.onSale(), readModelsAsked(query, type))
  return json(JSON.stringify(page), inbound)
}

const json = (body: string, inbound: Inbound): Response =>
  new Response(body, {
    headers: {
      ...headersFor(inbound, null),
      // The shape is chosen by it.
      vary: 'anthropic-version',
      'content-type': 'application/json; charset=utf-8',
    },
  })

/** An id that cannot be decoded is taken as it is: no model is called so. */
function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}
