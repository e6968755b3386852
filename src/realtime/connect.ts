import type { Offer } from '../catalogue/catalogue'
import { endpoints } from '../catalogue/endpoints'
import { ClientLeft } from '../call/client-left'
import { targetOf, type DispatchParts } from '../call/dispatch'
import type { ServerSocket } from '../domain/socket'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import type { Inbound } from '../http/inbound'
import { openAttempt } from '../outbound/attempt'
import { NoSocket, openWebSocket } from '../outbound/web-socket'
import type { Target } from '../vendors/vendor'

/** A vendor's end of a conversation, and whose it is. */
export interface Connected {
  readonly socket: ServerSocket
  readonly target: Target
}

export interface ConnectParts extends DispatchParts {
  /** The proxy that leads to an address; null when it is reached directly. */
  socketProxy(url: URL): string | null
}

/**
 * Routes in order, the next one when a vendor gives no socket: nothing was said by then.
 * @throws the last vendor's failure | ClientLeft
 */
export async function connect(
  parts: ConnectParts,
  offer: Offer,
  call: { readonly inbound: Inbound; readonly safetyId: string },
): Promise<Connected> {
  const { inbound } = call
  let failure: GatewayError | null = null
  let instead: Target['route'] | null = null
  for (const route of parts.routeOrder.order(offer.routes)) {
    const target = targetOf(parts, route, offer)
    if (target === null) continue
    const tried = { route, config: target.config, instead, began: parts.clock.now() }
    try {
      const socket = await attempt(parts, target, offer.model.id, call)
      parts.routeOrder.succeeded(route)
      parts.observer.attempted({ ...tried, failed: null, error: null }, inbound)
      return { socket, target }
    } catch (thrown) {
      const error = isGatewayError(thrown) ? thrown : null
      parts.observer.attempted({ ...tried, failed: parts.clock.now(), error }, inbound)
      if (error?.row.nextRoute !== true) throw thrown
      if (error.code !== 'endpoint_not_supported')
        parts.routeOrder.failed(route, error.retryAfterSeconds)
      failure = error
      instead = route
    }
  }
  throw failure ?? new GatewayError('model_temporarily_unavailable', { model: offer.model.id })
}

async function attempt(
  { socketProxy }: ConnectParts,
  target: Target,
  model: string,
  { inbound, safetyId }: { readonly inbound: Inbound; readonly safetyId: string },
): Promise<ServerSocket> {
  const { vendor, config } = target
  const request = vendor.abilities.realtime?.socket(target, { safetyId }) ?? null
  if (request === null)
    throw new GatewayError('endpoint_not_supported', { model, endpoint: endpoints.realtime.path })
  if (vendor.connect !== undefined) return vendor.connect(request, model)
  const signed = config.credential === null ? [] : vendor.sign(config.credential, config)
  const headers = [...request.headers, ...signed, ['user-agent', 'chapar'] as const]
  const opening = openAttempt()
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
