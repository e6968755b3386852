import type { Pepper } from '../../domain/pepper'
import type { Secret } from '../../domain/secret'

const secretBytes = 32
/** Characters of the secret part that are kept for display. */
const shownChars = 6

/** A new key: the brand's prefix and 32 random bytes. @param prefix such as `sk-chapar-v1-` */
export function makeSecret(prefix: string): Secret {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  // Letters and digits only, so that a double click selects the whole key.
  const digits = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  return `${prefix}${base62(digits).padStart(43, '0')}` as Secret
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(value: bigint): string {
  let rest = value
  let text = ''
  while (rest > 0n) {
    text = `${alphabet[Number(rest % 62n)] ?? ''}${text}`
    rest /= 62n
  }
  return text
}

/** Hash that is stored in a secret's place. */
export const hashSecret = (secret: string, pepper: Pepper): string => pepper.hash(secret)

/** The first characters of a key, for display. */
export function secretPrefix(secret: Secret): string {
  const start = secret.lastIndexOf('-') + 1
  return secret.slice(0, start + shownChars)
}

/** An opaque id that no rotation changes: 32 hexadecimal characters. */
export const opaqueId = (text: string, pepper: Pepper): string =>
  pepper.lastingHash(text).slice(0, 32)
