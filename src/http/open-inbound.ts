import type { Clock } from '../domain/clock'
import type { Ids } from '../domain/ids'
import type { Secret } from '../domain/secret'
import type { Language } from '../errors/gateway-error'
import type { ClientAddress } from './address'
import { readSecret } from './credential'
import type { Inbound } from './inbound'
import { readLanguage } from './language'

export interface InboundParts {
  readonly ids: Ids
  readonly clock: Clock
  readonly proxies: ClientAddress
  /** The socket's address; null once the client has left. */
  peer(request: Request): string | null
}

/** Stands for a client that left before it was looked at. */
const nobody = '0.0.0.0'

/** Makes an Inbound of a Request. What not every call needs is read when it is asked for. */
export function openInbound({ ids, clock, proxies, peer }: InboundParts) {
  return (request: Request): Inbound => {
    const { headers, url } = request
    const pathStart = url.indexOf('/', url.indexOf('//') + 2)
    const queryStart = url.indexOf('?', pathStart)
    return {
      requestId: ids.request(),
      received: clock.now(),
      method: request.method,
      path: url.slice(pathStart, queryStart < 0 ? undefined : queryStart),
      headers,
      // While the client is surely there.
      address: proxies(peer(request) ?? nobody, headers.get('x-forwarded-for')),
      signal: request.signal,
      request,
      get query(): URLSearchParams {
        return new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart + 1))
      },
      get secret(): Secret | null {
        return readSecret(headers)
      },
      get language(): Language {
        return readLanguage(headers.get('accept-language'))
      },
    }
  }
}
