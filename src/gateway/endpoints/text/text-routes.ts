import { endpoints } from '../../catalogue/endpoints'
import { defaultCredential, type Route } from '../../../domain/model'
import { unsupported } from '../../formats/schema-fault'
import type { Fields } from '../../json/fields'
import type { RequestParts } from '../../call/endpoint'
import type { TextCall } from './client-format'

/**
 * The routes of an offer that a call for text can go.
 * @throws endpoint_not_supported where none can
 */
export const textRoutes = <Raw extends Fields>(
  call: TextCall<Raw>,
  asked: RequestParts,
): readonly Route[] => readersOf(call, routesFor(call, asked), asked)

/**
 * The routes to the vendor that keeps the answer a request goes on from, by the credential that it is
 * kept for; all where there are none, since they know best what to say then.
 */
function routesFor<Raw extends Fields>(
  { format, earlier }: TextCall<Raw>,
  { offer, project, isFallback }: RequestParts,
): readonly Route[] {
  if (earlier === null || earlier.project !== project) return offer.routes
  const kept = keptBy(earlier, offer.routes)
  if (kept.length > 0) return kept
  if (isFallback !== true) return offer.routes
  // No model of another vendor can go on from it.
  throw unsupported(offer.model.id, endpoints[format.endpoint].path, 'previous_response_id')
}

function keptBy(
  { vendor, credential = defaultCredential }: NonNullable<TextCall<Fields>['earlier']>,
  routes: readonly Route[],
): readonly Route[] {
  return routesOfVendor(routes, vendor).map((route) => ({ ...route, credential }))
}

/**
 * Those of the routes whose vendor can read what is sealed in a request.
 * @throws endpoint_not_supported where none can
 */
function readersOf<Raw extends Fields>(
  { format, unsealed }: TextCall<Raw>,
  routes: readonly Route[],
  { offer }: RequestParts,
): readonly Route[] {
  const only = unsealed?.only ?? null
  if (only === null) return routes
  const readers = routesOfVendor(routes, only.vendor)
  if (readers.length === 0)
    throw unsupported(offer.model.id, endpoints[format.endpoint].path, only.param)
  return readers
}

const routesOfVendor = (routes: readonly Route[], vendor: string): readonly Route[] =>
  routes.filter((route) => route.vendor === vendor)
