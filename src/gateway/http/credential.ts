import type { Secret } from '../../domain/secret'

/**
 * The key a client sent: `Authorization: Bearer …` (RFC 6750, 2.1; any case, RFC 9110, 11.1) first, else
 * `X-API-Key: …`, which clients of the Messages format send.
 */
export function readSecret(headers: Headers): Secret | null {
  const authorization = headers.get('authorization')
  if (authorization !== null && /^bearer\s/i.test(authorization)) {
    const secret = authorization.slice(7).trim()
    if (secret !== '') return secret as Secret
  }
  const secret = headers.get('x-api-key')?.trim()
  return secret === undefined || secret === '' ? null : (secret as Secret)
}
