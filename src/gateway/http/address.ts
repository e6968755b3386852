import { canonicalAddress, socketAddress } from '../net/address'
import { openAddressList, type AddressList } from '../net/address-list'

/** The client's address, from the socket's and the proxies' headers. */
export type ClientAddress = (peer: string, headers: Headers) => string

/** A peer that looks like a proxy, though nobody said that it is one. */
export interface UntrustedProxy {
  readonly address: string
  /** The header that it sent and that was not believed. */
  readonly header: string
  /** Proxies trusted at present. */
  readonly trusted: readonly string[]
}

/**
 * The socket's address, unless that is a trusted proxy: then the last address in
 * `X-Forwarded-For` that is not one. Where that cannot be read nothing of it is believed. The header
 * has no standard; proxies append to it, as RFC 7239, 7.4 says of `Forwarded`.
 * @param trusted addresses and ranges
 * @param onUntrusted told once of a peer on this machine or a private network that forwards
 * @throws RangeError on a bad entry
 */
export function openTrustedProxies(
  trusted: readonly string[],
  onUntrusted: ((proxy: UntrustedProxy) => void) | null = null,
): ClientAddress {
  const spelled = openSpelling()
  const proxies = openAddressList(trusted)
  const believed = trusted.length > 0
  let watching = onUntrusted !== null
  let looks = 0
  return (peer, headers) => {
    const socket = spelled(peer)
    if (watching && (++looks <= looksAtAll || looks % looksOneIn === 0)) {
      const header = untrustedHeader(socket, headers, proxies)
      if (header !== null) {
        watching = false
        onUntrusted?.({ address: socket, header, trusted })
      }
    }
    const forwardedFor = believed ? headers.get('x-forwarded-for') : null
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

/** A proxy forwards every request, so that not each has to be looked at. */
const looksAtAll = 1000
const looksOneIn = 64

const forwardingHeaders = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP']

/**
 * Where no client of a public service comes from: this machine, private, link-local and shared networks
 * (RFC 6890, 2.2.2 and 2.2.3).
 */
const nearby = openAddressList([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1',
  'fc00::/7',
  'fe80::/10',
])

/** The header with which an address forwards that nobody trusts; null when it does not. */
function untrustedHeader(address: string, headers: Headers, proxies: AddressList): string | null {
  const header = forwardingHeaders.find((name) => headers.has(name))
  if (header === undefined || proxies.has(address) || !nearby.has(address)) return null
  return header
}

const maxSpelled = 10_000

/** Addresses of sockets in their usual spelling; those that come again are not spelled again. */
function openSpelling(): (peer: string) => string {
  const known = new Map<string, string>()
  return (peer) => {
    let address = known.get(peer)
    if (address === undefined) {
      if (known.size >= maxSpelled) known.clear()
      known.set(peer, (address = socketAddress(peer)))
    }
    return address
  }
}

/** `1.2.3.4:80` and `[::1]:80` as some proxies write them. */
const withoutPort = (hop: string): string =>
  /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop)?.slice(1).find(Boolean) ?? hop
