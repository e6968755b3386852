import ipaddr from 'ipaddr.js'

/** Addresses and ranges, IPv4 and IPv6. */
export interface AddressList {
  /** @param address canonical */
  has(address: string): boolean
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** @param entries addresses and CIDR ranges @throws RangeError naming the entry that is neither */
export function openAddressList(entries: readonly string[]): AddressList {
  const ranges = entries.map(rangeOf)
  return {
    has(address) {
      if (ranges.length === 0 || !ipaddr.isValid(address)) return false
      const parsed = ipaddr.process(address)
      return ranges.some(
        ([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits),
      )
    },
  }
}

function rangeOf(entry: string): Range {
  const text = entry.trim()
  if (ipaddr.isValidCIDR(text)) {
    const [base, bits] = ipaddr.parseCIDR(text)
    if (base.kind() === 'ipv6' && (base as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96)
      return [(base as ipaddr.IPv6).toIPv4Address(), bits - 96]
    return [base, bits]
  }
  if (!ipaddr.isValid(text) || !/[.:]/.test(text))
    throw new RangeError(`neither an address nor a range such as 10.0.0.0/8: ${entry}`)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Compiled once per list; lists are replaced, never changed. */
const compiled = new WeakMap<readonly string[], AddressList>()

/** The list of these entries; made once for each array. @throws RangeError on a bad entry */
export function addressListOf(entries: readonly string[]): AddressList {
  let list = compiled.get(entries)
  if (list === undefined) compiled.set(entries, (list = openAddressList(entries)))
  return list
}
