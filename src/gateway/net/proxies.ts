/**
 * Which proxy leads to an address, by the variables that curl(1) and wget(1) document; they have no
 * standard.
 */
export interface Proxies {
  /** Whether any is named. */
  readonly any: boolean
  /** The address of the proxy for this one; null when it is reached directly. */
  of(url: URL): string | null
}

type Environment = Readonly<Record<string, string | undefined>>

const secure: ReadonlySet<string> = new Set(['https:', 'wss:'])

/** Names in small letters come before those in capitals; `NO_PROXY` names hosts, with all below them. */
export function readProxies(env: Environment): Proxies {
  const read = (name: string) => env[name]?.trim() || env[name.toUpperCase()]?.trim() || null
  const all = read('all_proxy')
  const [http, https] = [read('http_proxy'), read('https_proxy')]
  const except = (read('no_proxy') ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((each) => each.replace(/^\*?\./, ''))

  const isExcepted = ({ hostname, port, protocol }: URL): boolean => {
    const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
    const usual = secure.has(protocol) ? '443' : '80'
    const forms = [host, `${host}:${port || usual}`]
    return except.some(
      (each) => each === '*' || forms.some((form) => form === each || form.endsWith(`.${each}`)),
    )
  }
  return {
    any: http !== null || https !== null || all !== null,
    of: (url) => (isExcepted(url) ? null : ((secure.has(url.protocol) ? https : http) ?? all)),
  }
}
