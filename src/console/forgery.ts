/**
 * Whether another site's page sent this: a request that changes something must come from a page of
 * ours. Browsers say so in `Sec-Fetch-Site` (Fetch Metadata, W3C); over plain http only in `Origin`,
 * whose host must be the one that was asked (the rule of Go's `net/http.CrossOriginProtection`). A
 * client that sends neither is no browser, and carries nobody's cookies.
 */
export function isForged({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = headers.get('origin')
  return origin !== null && URL.parse(origin)?.host !== headers.get('host')
}
