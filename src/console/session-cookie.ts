import { sessionLifeMs } from '../people/sessions'

/**
 * `__Host-`: no other host and no plain connection can set it (RFC 6265bis, section 4.1.3.2).
 * @param isSecure the service is reached by https
 */
const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-chapar' : 'chapar')

/**
 * The cookie of a session. Lax, not Strict: whoever comes back from the page of a bank must still be
 * signed in.
 * @param token null ends it
 */
export function sessionCookie(token: string | null, isSecure: boolean): string {
  const seconds = token === null ? 0 : sessionLifeMs / 1000
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  return `${cookieName(isSecure)}=${token ?? ''}; ${flags}`
}

/** The token that a browser sent; null without one. */
export function tokenOf(headers: Headers, isSecure: boolean): string | null {
  const name = `${cookieName(isSecure)}=`
  const pairs = (headers.get('cookie') ?? '').split(/;\s*/)
  return pairs.find((each) => each.startsWith(name))?.slice(name.length) || null
}
