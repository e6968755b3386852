import ipaddr from 'ipaddr.js'

/** Plain IPv4 in the form sockets give it needs no parsing. */
const plainIpv4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

/** One spelling per address: IPv4-mapped IPv6 as IPv4, IPv6 in full; null when it is no address. */
export function canonicalAddress(text: string): string | null {
  if (plainIpv4.test(text)) return ipaddr.IPv4.isValidFourPartDecimal(text) ? text : null
  if (!ipaddr.isValid(text)) return null
  return ipaddr.process(text).toNormalizedString()
}

/** The address of a socket: the system writes plain IPv4 in one way only. */
export const socketAddress = (text: string): string =>
  plainIpv4.test(text) ? text : (canonicalAddress(text) ?? text)

/** What is counted as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function addressBucket(address: string): string {
  if (!address.includes(':')) return address
  return `${address.split(':').slice(0, 4).join(':')}::/64`
}
