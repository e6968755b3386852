/**
 * A checksum that takes the highest bit first and begins with zero, a step of a table for each byte: that
 * of Ogg (RFC 3533, 6) and of FLAC (RFC 9639, 9.1.8 and 9.3).
 * @param polynomial without its highest power
 */
export function openCrc(bits: 8 | 16 | 32, polynomial: number): (bytes: Uint8Array) => number {
  const top = polynomial << (32 - bits)
  const table = Int32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte << 24
    for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ top : sum << 1
    return sum
  })
  return (bytes) => {
    let sum = 0
    for (let at = 0; at < bytes.length; at++)
      sum = (sum << 8) ^ (table[(sum >>> 24) ^ (bytes[at] ?? 0)] ?? 0)
    return sum >>> (32 - bits)
  }
}
