import type { Clock } from '../domain/clock'
import { GatewayError } from '../errors/gateway-error'
import type { Target, VendorRequest } from '../vendors/vendor'
import { ClientLeft } from './client-left'

/** One exchange with a vendor. */
export interface Exchange {
  readonly response: Response
  /** Ends the exchange: the vendor's connection is dropped at once. */
  abort(): void
}

/**
 * Sends one vendor request and waits for its headers.
 * @param signal aborts when the client leaves
 * @throws upstream_unreachable | ClientLeft
 */
export type Send = (
  request: VendorRequest,
  target: Target,
  signal: AbortSignal,
  model: string,
) => Promise<Exchange>

/** A socket the vendor closed while it was idle fails at once; later failures are the vendor's own. */
const staleSocketMs = 1000

/** The only place that speaks to vendors. */
export function openSend(clock: Clock): Send {
  return async (request, target, signal, model) => {
    const controller = new AbortController()
    const abort = () => controller.abort()
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      abort()
    }, target.config.timeoutMs)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })

    const began = clock.now()
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await exchange(request, target, controller.signal)
        clearTimeout(timer)
        return { response, abort }
      } catch (cause) {
        const stale =
          attempt === 1 &&
          !controller.signal.aborted &&
          isReset(cause) &&
          clock.now() - began < staleSocketMs
        if (stale && target.vendor.fetch === undefined) continue
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        if (signal.aborted && !timedOut) throw new ClientLeft()
        throw new GatewayError('upstream_unreachable', { model }, { cause })
      }
    }
  }
}

function exchange(request: VendorRequest, target: Target, signal: AbortSignal): Promise<Response> {
  const headers = new Headers()
  if (request.contentType !== null) headers.set('content-type', request.contentType)
  const { config, vendor } = target
  if (config.credential !== null) vendor.sign(headers, config.credential, config)
  const url = config.baseUrl + request.path
  const init = { method: request.method, headers, body: request.body, signal }
  if (vendor.fetch !== undefined) return vendor.fetch(new Request(url, init))
  // A redirect could carry the credential elsewhere; compressed events would arrive in lumps.
  headers.set('accept-encoding', 'identity')
  return fetch(url, { ...init, redirect: 'manual' })
}

const isReset = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET'
