import { operatorSessionMs } from '../business/operators/sign-in'
import { cookieOf, hostCookieName } from './session-cookie'

/**
 * The cookie of an operator. Strict: no link from elsewhere opens the console as them.
 * @param token null ends it
 */
export function operatorCookie(token: string | null, isSecure: boolean): string {
  const seconds = token === null ? 0 : operatorSessionMs / 1000
  const flags = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  return `${hostCookieName(isSecure, '-operator')}=${token ?? ''}; ${flags}`
}

export const operatorTokenOf = (headers: Headers, isSecure: boolean): string | null =>
  cookieOf(headers, hostCookieName(isSecure, '-operator'))
