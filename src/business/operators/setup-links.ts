import { randomBytes } from 'node:crypto'
import type { Ms } from '../../domain/clock'
import type { Pepper } from '../../domain/pepper'
import { hashSecret } from '../../gateway/identity/secret'
import { newTotpSecret } from './one-time-codes'
import type { NewOperatorLink } from './operator'

const tokenBytes = 32
/** Of a link, from its making on. */
const linkLifeMs = 30 * 60_000

/** A link that was made: its token is known to whoever made it alone. */
interface MadeLink {
  readonly token: string
  readonly link: NewOperatorLink
}

export function makeLink(pepper: Pepper, now: Ms): MadeLink {
  const token = randomBytes(tokenBytes).toString('base64url')
  const link = {
    hash: hashSecret(linkText(token), pepper),
    totp: newTotpSecret(),
    expires: (now + linkLifeMs) as Ms,
  }
  return { token, link }
}

/** What of a link's token is hashed. */
export const linkText = (token: string): string => `operator-link:${token}`

/**
 * Address of an operator's link. The token stands behind `#`, so that neither logs nor referrers have it.
 * @param url where operators reach the service, without a path
 */
export const linkUrl = (url: string, token: string): string => `${url}/app/operator/setup#${token}`
