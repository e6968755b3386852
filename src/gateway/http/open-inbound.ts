import { addressBucket } from '../net/address'
import type { Clock, Monotonic, Ticks } from '../../domain/clock'
import type { Ids } from '../../domain/ids'
import type { AddressSlot } from '../limits/address-slots'
import type { ClientAddress } from './address'
import type { Inbound } from './inbound'

/** Dependencies of making an Inbound. */
export interface InboundParts {
  readonly ids: Ids
  readonly clock: Clock
  readonly monotonic: Monotonic
  readonly proxies: ClientAddress
  /** The socket's address; null once the client has left. @param arrived as `Inbound` has it */
  peer(request: Request, arrived: Ticks): string | null
  readonly exemptFromIdleTimeout: Inbound['exemptFromIdleTimeout']
  readonly links: Inbound['links']
  /** Counts one more request in progress. @param bucket unit that is counted as one client */
  takeSlot(bucket: string): AddressSlot
}

/** Stands for a client that left before it was looked at. */
const nobody = '0.0.0.0'

/**
 * Makes an Inbound of a Request: plain data, since the request forgets what it was when it is over.
 * @returns takes the path too for static routes that read no query: reading `request.url` allocates
 */
export function openInbound(parts: InboundParts) {
  const { ids, clock, monotonic, proxies, peer, takeSlot, exemptFromIdleTimeout, links } = parts
  return (request: Request, path: string | null = null): Inbound => {
    const { headers } = request
    // While the client is surely there.
    const arrived = monotonic.ticks()
    const address = proxies(peer(request, arrived) ?? nobody, headers)
    const target = path === null ? readTarget(request.url) : { path, search: '' }
    return {
      requestId: ids.request(),
      received: clock.now(),
      arrived,
      method: request.method,
      path: target.path,
      headers,
      search: target.search,
      address,
      slot: takeSlot(addressBucket(address)),
      signal: request.signal,
      request,
      exemptFromIdleTimeout,
      links,
    }
  }
}

/** Path and query of an address, as they were sent. */
function readTarget(url: string): { readonly path: string; readonly search: string } {
  // Without a usable `Host` the URL is the path alone.
  const pathStart = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const queryStart = url.indexOf('?', pathStart)
  return {
    path: url.slice(pathStart, queryStart < 0 ? undefined : queryStart),
    search: queryStart < 0 ? '' : url.slice(queryStart + 1),
  }
}
