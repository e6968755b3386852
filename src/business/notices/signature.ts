import { createHmac, randomBytes } from 'node:crypto'
import { unixSeconds, type Ms } from '../../domain/clock'

const secretBytes = 24
const prefix = 'whsec_'

/** A secret of its own for whoever verifies what we post. */
export const makeSigningSecret = (): string =>
  `${prefix}${randomBytes(secretBytes).toString('base64')}`

/** A secret with the usual prefix is base64, as the libraries have it; any other is taken as it is. */
const signingKey = (secret: string): Uint8Array | string =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : secret

/** Headers of a post that standardwebhooks.com's libraries verify: HMAC-SHA-256 over `id.timestamp.body`. */
export function signedHeaders(
  secret: string,
  id: string,
  body: string,
  now: Ms,
): Readonly<Record<string, string>> {
  const timestamp = String(unixSeconds(now))
  const signature = createHmac('sha256', signingKey(secret)).update(`${id}.${timestamp}.${body}`)
  return {
    'content-type': 'application/json',
    'user-agent': 'chapar',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature.digest('base64')}`,
  }
}
