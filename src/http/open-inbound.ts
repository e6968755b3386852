import type { Clock } from '../domain/clock'
import type { Ids } from '../domain/ids'
import type { ClientAddress } from './address'
import type { Inbound } from './inbound'

export interface InboundParts {
  readonly ids: Ids
  readonly clock: Clock
  readonly proxies: ClientAddress
  /** The socket's address; null once the client has left. */
  peer(request: Request): string | null
}

/** Stands for a client that left before it was looked at. */
const nobody = '0.0.0.0'

/** Makes an Inbound of a Request: plain data, since every call makes one. */
export function openInbound({ ids, clock, proxies, peer }: InboundParts) {
  return (request: Request): Inbound => {
    const { headers, url } = request
    // Without a usable `Host` the URL is the path alone.
    const pathStart = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
    const queryStart = url.indexOf('?', pathStart)
    return {
      requestId: ids.request(),
      received: clock.now(),
      method: request.method,
      path: url.slice(pathStart, queryStart < 0 ? undefined : queryStart),
      headers,
      search: queryStart < 0 ? '' : url.slice(queryStart + 1),
      // While the client is surely there.
      address: proxies(peer(request) ?? nobody, headers),
      signal: request.signal,
      request,
    }
  }
}
