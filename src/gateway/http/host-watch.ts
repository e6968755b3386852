import { isLoopbackHost } from '../net/address'
import type { ClientAddress } from './address'

/** A service that is reached from elsewhere is so by most of its requests. */
const looksAtAll = 1000
const looksOneIn = 64

/** Longest name of a host (RFC 1035, 2.3.4). */
const maxNameLength = 253

/**
 * Looks at the hosts that requests name, until one is not this machine.
 * @param onForeign told once of its name, as the client wrote it
 */
export function watchHosts(
  address: ClientAddress,
  onForeign: (name: string) => void,
): ClientAddress {
  let watching = true
  let looks = 0
  return (peer, headers) => {
    if (watching && (++looks <= looksAtAll || looks % looksOneIn === 0)) {
      const name = URL.parse(`http://${headers.get('host') ?? ''}`)?.hostname ?? 'localhost'
      if (!isLoopbackHost(name)) {
        watching = false
        onForeign(name.slice(0, maxNameLength))
      }
    }
    return address(peer, headers)
  }
}
