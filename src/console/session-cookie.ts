import { maxSessionLifeMs } from '../gateway/settings/registry'

/**
 * `__Host-`: no other host and no plain connection can set it (RFC 6265bis, section 4.1.3.2).
 * @param isSecure the service is reached by https
 */
export const hostCookieName = (isSecure: boolean, suffix = ''): string =>
  `${isSecure ? '__Host-' : ''}chapar${suffix}`

/**
 * The cookie of a session, kept as long as any session may last: the server ends it before. Lax, not
 * Strict: whoever comes back from the page of a bank must still be signed in.
 * @param token null ends it
 */
export function sessionCookie(token: string | null, isSecure: boolean): string {
  const seconds = token === null ? 0 : maxSessionLifeMs / 1000
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  return `${hostCookieName(isSecure)}=${token ?? ''}; ${flags}`
}

/** The token that a browser sent; null without one. */
export const tokenOf = (headers: Headers, isSecure: boolean): string | null =>
  cookieOf(headers, hostCookieName(isSecure))

const sisterSuffix = '-sister'
const sisterSeconds = 600

/** The cookie of a browser that was sent to the sister service, and where it wanted to go. */
export function sisterCookie(value: string | null, isSecure: boolean): string {
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${value === null ? 0 : sisterSeconds}`
  return `${hostCookieName(isSecure, sisterSuffix)}=${value ?? ''}; ${flags}${isSecure ? '; Secure' : ''}`
}

export const sisterValueOf = (headers: Headers, isSecure: boolean): string | null =>
  cookieOf(headers, hostCookieName(isSecure, sisterSuffix))

const browserSuffix = '-browser'
/** As long as browsers keep any cookie (RFC 6265bis, section 5.5). */
const browserSeconds = 400 * 86_400

/**
 * The cookie that tells browsers apart where somebody signs in: codes are tried by the browser that asked, and a
 * number knows those that it signed in with. It signs nobody in, and outlives the session.
 */
export const browserCookie = (token: string, isSecure: boolean): string =>
  `${hostCookieName(isSecure, browserSuffix)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${browserSeconds}${isSecure ? '; Secure' : ''}`

/** The token of this browser; null where it has none, or one that we did not make. */
export function browserTokenOf(headers: Headers, isSecure: boolean): string | null {
  const token = cookieOf(headers, hostCookieName(isSecure, browserSuffix))
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null
}

export function cookieOf(headers: Headers, cookie: string): string | null {
  const pairs = (headers.get('cookie') ?? '').split(/;\s*/)
  return pairs.find((each) => each.startsWith(`${cookie}=`))?.slice(cookie.length + 1) || null
}
