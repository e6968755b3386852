import type { Offer } from '../catalogue/catalogue'
import { endpoints } from '../catalogue/endpoints'
import type { EndpointName } from '../../domain/model'
import { GatewayError } from '../../errors/gateway-error'

/** Refusal of a route whose vendor lacks an endpoint: the next one may have it. */
export const notSupported = (
  endpoint: EndpointName,
  { model }: Pick<Offer, 'model'>,
): GatewayError =>
  new GatewayError('endpoint_not_supported', {
    model: model.id,
    endpoint: endpoints[endpoint].path,
  })
