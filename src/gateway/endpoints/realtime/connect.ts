import type { Offer } from '../../catalogue/catalogue'
import { endpoints } from '../../catalogue/endpoints'
import { ClientLeft } from '../../outbound/client-left'
import { tryRoutes, type RoutingParts, type Trial } from '../../call/try-routes'
import type { ServerSocket, SocketRequest } from '../../net/socket'
import { GatewayError } from '../../../errors/gateway-error'
import type { Inbound } from '../../http/inbound'
import { Attempt } from '../../outbound/http1/attempt'
import { NoSocket, openWebSocket } from '../../outbound/web-socket'
import type { Target } from '../../vendors/vendor'

/** A vendor's end of a conversation, and whose it is. */
interface Connected {
  readonly socket: ServerSocket
  readonly target: Target
}

export interface ConnectParts extends RoutingParts {
  /** The proxy that leads to an address; null when it is reached directly. */
  socketProxy(url: URL): string | null
}

/**
 * Routes in order, the next one when a vendor gives no socket: nothing was said by then.
 * @throws what `tryRoutes` throws | ClientLeft
 */
export function connectVendor(
  parts: ConnectParts,
  offer: Offer,
  call: { readonly inbound: Inbound; readonly safetyId: string },
): Promise<Connected> {
  const { inbound } = call
  const routed = { routes: offer.routes, offer, inbound, isOrder: false, project: null }
  return tryRoutes(parts, routed, async (target, trial) => ({
    socket: await attempt(parts, target, offer.model.id, { ...call, trial }),
    target,
  }))
}

interface OpeningParts {
  readonly inbound: Inbound
  readonly safetyId: string
  readonly trial: Trial
}

async function attempt(
  { socketProxy }: ConnectParts,
  target: Target,
  model: string,
  { inbound, safetyId, trial }: OpeningParts,
): Promise<ServerSocket> {
  const { vendor, config } = target
  const request = socketRequest(target, model, safetyId)
  trial.isAsked = true
  if (vendor.connect !== undefined) return vendor.connect(request, model)
  const signed = config.credential === null ? [] : vendor.sign(config.credential, config)
  const headers = [...request.headers, ...signed, ['user-agent', 'chapar'] as const]
  const opening = new Attempt()
  const timer = setTimeout(opening.callOff, config.timeoutMs)
  inbound.signal.addEventListener('abort', opening.callOff, { once: true })
  try {
    const proxy = socketProxy(new URL(request.url))
    return await openWebSocket({ url: request.url, headers, proxy }, opening)
  } catch (cause) {
    if (inbound.signal.aborted) throw new ClientLeft()
    if (cause instanceof NoSocket && cause.status !== null && cause.status >= 400)
      throw vendor.failure(cause.status, new Headers(), '', model)
    throw new GatewayError('upstream_unreachable', { model }, { cause })
  } finally {
    clearTimeout(timer)
    inbound.signal.removeEventListener('abort', opening.callOff)
  }
}

/** Request that opens a vendor's realtime channel. @throws endpoint_not_supported */
export function socketRequest(target: Target, model: string, safetyId: string): SocketRequest {
  const request = target.vendor.abilities.realtime?.socket(target, { safetyId }) ?? null
  if (request !== null) return request
  throw new GatewayError('endpoint_not_supported', { model, endpoint: endpoints.realtime.path })
}
