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
  if (trusted.length === 0) return socketAddress
  const proxies = openAddressList(trusted)
  return (peer, headers) => {
    const socket = socketAddress(peer)
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

/** `1.2.3.4:80` and `[::1]:80` as some proxies write them. */
const withoutPort = (hop: string): string =>
  /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop)?.slice(1).find(Boolean) ?? hop
