/** Origin of a server: address, TLS, and the path before all others. */
export interface Origin {
  /** Scheme, host and port: the key of a connection pool. */
  readonly name: string
  readonly hostname: string
  readonly port: number
  readonly tls: boolean
  /** Value of the `host` header. */
  readonly host: string
  /** Path of the base address, without a slash at its end. */
  readonly pathPrefix: string
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Origin of a base address. @param baseUrl http or https @throws TypeError when it is no such address */
export function readOrigin(baseUrl: string): Origin {
  const url = new URL(baseUrl)
  const defaultPort = defaultPorts[url.protocol]
  if (defaultPort === undefined) throw new TypeError(`an address of ${url.protocol}`)
  // An IPv6 address comes in brackets (RFC 3986, 3.2.2), which only the header wants.
  const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return {
    name: url.origin,
    hostname,
    port: url.port === '' ? defaultPort : Number(url.port),
    tls: url.protocol === 'https:',
    host: url.host,
    pathPrefix: url.pathname.replace(/\/+$/, ''),
  }
}
