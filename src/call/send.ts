import type { Clock, Ms } from '../domain/clock'
import { GatewayError } from '../errors/gateway-error'
import type { Target, VendorRequest } from '../vendors/vendor'
import { ClientLeft } from './client-left'
import { openDeadlines } from './deadlines'

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
  const deadlines = openDeadlines(clock)
  return async (request, target, signal, model) => {
    const controller = new AbortController()
    const abort = () => controller.abort()
    let timedOut = false
    const began = clock.now()
    const deadline = deadlines.add((began + target.config.timeoutMs) as Ms, () => {
      timedOut = true
      abort()
    })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    try {
      return { response: await exchange(request, target, controller.signal), abort }
    } catch (cause) {
      // Nothing came back and nobody gave up: the vendor had closed an idle connection.
      const stale =
        !controller.signal.aborted && isReset(cause) && clock.now() - began < staleSocketMs
      try {
        if (stale && target.vendor.fetch === undefined)
          return { response: await exchange(request, target, controller.signal), abort }
      } catch {
        // Twice is an answer.
      }
      signal.removeEventListener('abort', abort)
      if (signal.aborted && !timedOut) throw new ClientLeft()
      throw new GatewayError('upstream_unreachable', { model }, { cause })
    } finally {
      deadline.cancel()
    }
  }
}

function exchange(request: VendorRequest, target: Target, signal: AbortSignal): Promise<Response> {
  const { config, vendor } = target
  // Compressed events would arrive in lumps.
  const headers: Record<string, string> = { 'accept-encoding': 'identity' }
  if (request.contentType !== null) headers['content-type'] = request.contentType
  if (config.credential !== null)
    for (const [name, value] of vendor.sign(config.credential, config)) headers[name] = value
  const url = config.baseUrl + request.path
  // A redirect could carry the credential elsewhere.
  const redirect = 'manual'
  const init = { method: request.method, headers, body: request.body, signal, redirect } as const
  if (vendor.fetch !== undefined) return vendor.fetch(new Request(url, init))
  return fetch(url, init)
}

const isReset = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET'
