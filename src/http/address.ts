import { canonicalAddress, socketAddress } from '../domain/address'
import { openAddressList } from '../domain/address-list'

/** The client's address, from the socket's and what proxies say. */
export type ClientAddress = (peer: string, headers: Headers) => string

/**
 * The socket's address, unless that is a trusted proxy: then the last address in
 * `X-Forwarded-For` that is not one. Where that cannot be read nothing of it is believed.
 * @param trusted addresses and ranges @throws RangeError on a bad one
 */
export function openTrustedProxies(trusted: readonly string[]): ClientAddress {
  const spelled = openSpelling()
  if (trusted.length === 0) return spelled
  const proxies = openAddressList(trusted)
  return (peer, headers) => {
    const socket = spelled(peer)
    const forwardedFor = headers.get('x-forwarded-for')
    if (forwardedFor === null) return socket
    let client = socket
    const hops = forwardedFor.split(',')
    while (hops.length > 0 && proxies.has(client)) {
      const hop = canonicalAddress(withoutPort(hops.pop()?.trim() ?? ''))
      if (hop === null) return socket
      client = hop
    }
    return client
  }
}

const mostSpelled = 10_000

/** Addresses of sockets in their usual spelling; those that come again are not spelled again. */
function openSpelling(): (peer: string) => string {
  const known = new Map<string, string>()
  return (peer) => {
    let address = known.get(peer)
    if (address === undefined) {
      if (known.size >= mostSpelled) known.clear()
      known.set(peer, (address = socketAddress(peer)))
    }
    return address
  }
}

/** `1.2.3.4:80` and `[::1]:80` as some proxies write them. */
const withoutPort = (hop: string): string =>
  /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop)?.slice(1).find(Boolean) ?? hop
