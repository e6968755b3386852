import type { Secret } from '../domain/secret'

/** The key a client sent: `Authorization: Bearer …` first, else `X-API-Key: …`. */
export function readSecret(headers: Headers): Secret | null {
  const authorization = headers.get('authorization')
  if (authorization !== null && /^bearer\s/i.test(authorization)) {
    const secret = authorization.slice(7).trim()
    if (secret !== '') return secret as Secret
  }
  const secret = headers.get('x-api-key')?.trim()
  return secret === undefined || secret === '' ? null : (secret as Secret)
}
