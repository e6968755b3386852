import type { Language } from '../../errors/gateway-error'

/** English when a client asks for it and not for Persian more (RFC 9110, 12.5.4); else Persian. */
export function readLanguage(headers: Headers): Language {
  const acceptLanguage = headers.get('accept-language')
  if (acceptLanguage === null || !/\ben\b/i.test(acceptLanguage)) return 'fa'
  return quality(acceptLanguage, 'en') > quality(acceptLanguage, 'fa') ? 'en' : 'fa'
}

/**
 * The best weight that a language is requested with (RFC 9110, 12.4.2); the earlier of equals counts a
 * little more.
 */
function quality(acceptLanguage: string, language: Language): number {
  let best = 0
  acceptLanguage.split(',').forEach((entry, index) => {
    const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
    if (tag !== language && !tag.startsWith(`${language}-`)) return
    const weight = parameters.map((each) => /^\s*q=([\d.]+)/.exec(each)?.[1]).find(Boolean)
    best = Math.max(best, (weight === undefined ? 1 : Number(weight)) - index * 1e-6)
  })
  return best
}
