import { createHmac, timingSafeEqual } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Ms } from '../../domain/clock'
import { parsePhone, type Phone } from '../../domain/phone'

/** Claims of a ticket of the sister service, once all of it holds. */
export interface SisterTicket {
  /** No two tickets have the same. */
  readonly id: string
  /** Number that the sister has seen a code come back from. */
  readonly phone: Phone
  /** Nonce with which this service asked for a ticket. */
  readonly nonce: string
  readonly expires: Ms
}

/** Which rule a ticket breaks, for whoever builds the sister's side. */
export type TicketFault =
  'form' | 'algorithm' | 'signature' | 'claims' | 'audience' | 'time' | 'phone'

interface TicketRules {
  readonly secret: string
  /** Where this service is reached, as the sister knows it. */
  readonly audience: string
  readonly now: Ms
}

/** From signature to end. */
const ticketLifeMs = 60_000
/** Clocks of two machines may differ by so much. */
export const ticketLeewayMs = 30_000
const maxTicketLength = 2048

const Header = Type.Object({
  alg: Type.Literal('HS256'),
  typ: Type.Optional(Type.String()),
  // A reader that does not know what is critical must refuse (RFC 7515, section 4.1.11).
  crit: Type.Optional(Type.Never()),
})
const Claims = Type.Object({
  aud: Type.String(),
  jti: Type.String({ minLength: 16, maxLength: 128 }),
  phone: Type.String({ maxLength: 40 }),
  nonce: Type.String({ maxLength: 128 }),
  iat: Type.Integer({ minimum: 0 }),
  exp: Type.Integer({ minimum: 0 }),
})

/**
 * Reads a ticket: a JSON Web Token in its compact form (RFC 7519, RFC 7515), signed with HMAC-SHA-256
 * and nothing else. Whether it was used before is for the caller to see.
 */
export function readTicket(
  text: string,
  { secret, audience, now }: TicketRules,
): { readonly ticket: SisterTicket } | { readonly fault: TicketFault } {
  const [, head, body, signature] =
    /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text.length > maxTicketLength ? '' : text) ?? []
  if (head === undefined || body === undefined || signature === undefined) return { fault: 'form' }
  if (!Value.Check(Header, jsonOf(head))) return { fault: 'algorithm' }
  const expected = createHmac('sha256', secret).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return { fault: 'signature' }
  const claims = jsonOf(body)
  if (!Value.Check(Claims, claims)) return { fault: 'claims' }
  if (claims.aud !== audience) return { fault: 'audience' }
  const [issued, expires] = [claims.iat * 1000, claims.exp * 1000]
  const isInTime =
    issued <= now + ticketLeewayMs &&
    expires > now - ticketLeewayMs &&
    expires > issued &&
    expires - issued <= ticketLifeMs
  if (!isInTime) return { fault: 'time' }
  const phone = parsePhone(claims.phone)
  if (phone === null) return { fault: 'phone' }
  return { ticket: { id: claims.jti, phone, nonce: claims.nonce, expires: expires as Ms } }
}

/** Undefined where it is no JSON. */
function jsonOf(base64url: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
