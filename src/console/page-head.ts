import { randomBytes } from 'node:crypto'
import { readLanguage } from '../gateway/http/language'

/** Preferences of a visit, by the browser's cookies. */
export interface Visit {
  readonly language: 'fa' | 'en'
  readonly scheme: 'light' | 'dark' | 'auto'
  /** A session cookie is there; whether it is good is not known. */
  readonly hasSession: boolean
  readonly nonce: string
}

/** Language of a visitor's pages: the one that they chose, else that of their browser. */
export function visitLanguage(headers: Headers): Visit['language'] {
  const cookies = headers.get('cookie') ?? ''
  const chosen = /(?:^|;\s*)chapar_lang=(fa|en)\b/.exec(cookies)?.[1]
  return chosen === 'fa' || chosen === 'en' ? chosen : readLanguage(headers)
}

/** Language and colours of a visitor, by cookies. @param headers of the request for the page */
export function visitOf(headers: Headers): Visit {
  const cookies = headers.get('cookie') ?? ''
  const scheme = /(?:^|;\s*)chapar_scheme=(light|dark)\b/.exec(cookies)?.[1]
  return {
    language: visitLanguage(headers),
    scheme: scheme === 'light' || scheme === 'dark' ? scheme : 'auto',
    hasSession: /(?:^|;\s*)(?:__Host-)?chapar(?:-look)?=/.test(cookies),
    nonce: randomBytes(16).toString('base64'),
  }
}

/**
 * Content security policy of every page: nothing from elsewhere, no script in the page, styles of
 * ours or with this answer's nonce (Mantine writes its variables into a `<style>`).
 */
const pagePolicy = (nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr 'unsafe-inline'`,
    `font-src 'self'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')

/**
 * Headers of every page.
 * @param isSecure the service is reached by https; elsewhere browsers ignore the opener policy, and say so
 */
export const pageHeaders = (nonce: string, isSecure: boolean): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': pagePolicy(nonce),
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  ...(isSecure ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
})
