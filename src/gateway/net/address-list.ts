import type ipaddr from 'ipaddr.js'
import { parseAddress } from './address'

/** Addresses and ranges, IPv4 and IPv6. */
export interface AddressList {
  /** @param address canonical */
  has(address: string): boolean
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Opens a list of addresses and ranges.
 * @param entries addresses and CIDR ranges (RFC 4632, 3.1; RFC 4291, 2.3)
 * @throws RangeError naming the entry that is neither
 */
export function openAddressList(entries: readonly string[]): AddressList {
  const ranges = entries.map(rangeOf)
  return {
    has(address) {
      if (ranges.length === 0) return false
      const parsed = parseAddress(address)
      if (parsed === null) return false
      return ranges.some(
        ([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits),
      )
    },
  }
}

function rangeOf(entry: string): Range {
  const [address = '', bits, ...rest] = entry.trim().split('/')
  const base = parseAddress(address)
  if (base === null || rest.length > 0) throw notOne(entry)
  const width = base.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return [base, width]
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bits)) throw notOne(entry)
  // The bits of an IPv4-mapped range count the 96 before the IPv4 address (RFC 4291, 2.5.5.2).
  const prefix = Number(bits) - (width === 32 && address.includes(':') ? 96 : 0)
  if (prefix < 0 || prefix > width) throw notOne(entry)
  return [base, prefix]
}

const notOne = (entry: string) =>
  new RangeError(`neither an address nor a range such as 10.0.0.0/8: ${entry}`)

/** Compiled once per list; lists are replaced, never changed. */
const compiled = new WeakMap<readonly string[], AddressList>()

/** The list of these entries; made once for each array. @throws RangeError on a bad entry */
export function addressListOf(entries: readonly string[]): AddressList {
  let list = compiled.get(entries)
  if (list === undefined) compiled.set(entries, (list = openAddressList(entries)))
  return list
}
