import { lookLifeMs } from '../business/operators/impersonation'
import { cookieOf, hostCookieName } from './session-cookie'

/**
 * The cookie of an operator who looks at an account. It goes before a session of their own, and
 * leaves that as it is. Strict: no link from elsewhere opens it.
 * @param token null ends it
 */
export function lookCookie(token: string | null, isSecure: boolean): string {
  const seconds = token === null ? 0 : lookLifeMs / 1000
  const flags = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  return `${hostCookieName(isSecure, '-look')}=${token ?? ''}; ${flags}`
}

export const lookTokenOf = (headers: Headers, isSecure: boolean): string | null =>
  cookieOf(headers, hostCookieName(isSecure, '-look'))
