import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Plain IPv4 in the form sockets give it needs no parsing. */
const plainIpv4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/
/** How IPv4 arrives on a socket that listens on `::` (RFC 4291, 2.5.5.2). */
const mapped = '::ffff:'

/**
 * An address in its usual spelling, IPv4-mapped IPv6 as IPv4, without its zone; null when it is
 * none. Short and octal forms (`10.1`, `010.0.0.1`) are none: programs differ about what they mean.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (isIP(text) === 0) return null
  const zone = text.indexOf('%')
  return ipaddr.process(zone === -1 ? text : text.slice(0, zone))
}

/** One spelling per address: IPv4-mapped IPv6 as IPv4, IPv6 in full; null when it is no address. */
export function canonicalAddress(text: string): string | null {
  if (plainIpv4.test(text)) return isIPv4(text) ? text : null
  return parseAddress(text)?.toNormalizedString() ?? null
}

/** The address of a socket: the system writes plain IPv4 in one way only. */
export function socketAddress(text: string): string {
  const ipv4 = text.startsWith(mapped) ? text.slice(mapped.length) : text
  return plainIpv4.test(ipv4) ? ipv4 : (canonicalAddress(text) ?? text)
}

/**
 * Unit in which clients are counted: an IPv4 address, or the /64 of an IPv6 address, whose lower half a
 * host chooses itself (RFC 4291, 2.5.1; RFC 8981).
 */
export function addressBucket(address: string): string {
  if (!address.includes(':')) return address
  return `${address.split(':').slice(0, 4).join(':')}::/64`
}

/** Addresses that are counted together. */
export interface AddressBlock {
  /** `192.0.2.0/24`, `2001:db8:0:0::/56`; of one client its bucket alone. */
  readonly name: string
  /** How many times the limit of one client it has. */
  readonly weight: number
}

/**
 * Weights of blocks, by their prefix: whoever has a /48 or a /24 must not have as many budgets as it has
 * clients, nor may one client in it use up what belongs to all. A site is given a /56 or a /48 (RFC 6177);
 * hosts of one /24 are often strangers to each other.
 */
const blockWeights: Readonly<Record<string, number>> = { '/24': 10, '/56': 2, '/48': 4 }

/** Weight of a block by its name; 1 for one client. */
export const blockWeight = (name: string): number =>
  blockWeights[name.slice(name.lastIndexOf('/'))] ?? 1

/** The blocks that an address is counted in: its bucket, and wider ones around it. */
export function addressBlocks(address: string): readonly AddressBlock[] {
  const wider = address.includes(':') ? ipv6Blocks(address) : ipv4Blocks(address)
  return [addressBucket(address), ...wider].map((name) => ({ name, weight: blockWeight(name) }))
}

const ipv4Blocks = (address: string): readonly string[] =>
  plainIpv4.test(address) ? [`${address.slice(0, address.lastIndexOf('.'))}.0/24`] : []

function ipv6Blocks(address: string): readonly string[] {
  const groups = address.split(':')
  const site = groups.slice(0, 3).join(':')
  const upper = (Number.parseInt(groups[3] ?? '0', 16) & 0xff_00).toString(16)
  return [`${site}:${upper}::/56`, `${site}::/48`]
}

/** Whether a host is this machine itself (RFC 6761, 6.3; RFC 6890, 2.2). @param hostname as `URL` has it */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(hostname)

/**
 * Whether an address is public; of IPv6 only 2000::/3 (RFC 4291, 2.4): below it stand retired spellings of
 * IPv4 addresses.
 */
export function isPublic(text: string): boolean {
  const address = parseAddress(text)
  if (address?.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address.toByteArray()[0] ?? 0) >> 5 === 1
}

/**
 * Names that lead nowhere but into the network of whoever asks: reserved ones (RFC 6761, 6.3; RFC 6762, 3;
 * RFC 8375; ICANN's `internal`, 2024), and those without a dot.
 */
const privateName = /^[^.:]*$|\.(?:localhost|local|internal|home\.arpa)$/

/**
 * Whether the address of a URL may be public: no name is looked up.
 * @param text as somebody else will read it; what is read in different ways is not public
 */
export function mayBePublicUrl(text: string): boolean {
  const url = text.trim()
  // eslint-disable-next-line no-control-regex
  if (/[\\\u0000-\u0020\u007f]/.test(url) || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (protocol === 'file:') return false
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return parseAddress(host) === null ? !privateName.test(host) : isPublic(host)
}
