import { quote, colon, backslash } from './bytes'

/**
 * Whether some object of a JSON text has a member twice. Readers differ in which one counts (RFC 8259, 4),
 * so what we checked need not be what the vendor reads. Linear; long strings are passed over natively.
 */
export function hasTwins(text: string, value: unknown): boolean {
  return membersWritten(text) !== membersOf(value)
}

function membersWritten(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === colon) count++
    else if (char === quote) {
      do at = text.indexOf('"', at + 1)
      while (at > 0 && isEscaped(text, at))
      if (at < 0) return count
    }
  }
  return count
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
  return slashes % 2 === 1
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  let count = Array.isArray(value) ? 0 : inside.length
  for (const each of inside) count += membersOf(each)
  return count
}
