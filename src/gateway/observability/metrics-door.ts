import { createHash, timingSafeEqual } from 'node:crypto'

/** Address and token of the metrics. */
export type MetricsConfig =
  /** An address of their own; without a token for everybody who reaches it. */
  | { readonly listen: MetricsAddress; readonly token: string | null }
  /** The public address, for whoever has the token. */
  | { readonly listen: null; readonly token: string }

interface MetricsAddress {
  readonly host: string
  readonly port: number
  /** Several processes listen there. */
  readonly isShared?: boolean
}

/** Answers who may read; null for everybody and everything else. */
export type MetricsDoor = (request: Request) => Promise<Response> | null

/** Text of what is counted. */
type MetricsText = () => Promise<string>

const path = '/metrics'
const headers = {
  'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  'cache-control': 'no-store',
}

/** Opens the door of metrics. @param token what `Authorization: Bearer …` must hold */
export function openMetricsDoor(text: MetricsText, token: string | null): MetricsDoor {
  const wanted = token === null ? null : digest(`Bearer ${token}`)
  return (request) => {
    if (request.method !== 'GET' || pathOf(request) !== path) return null
    const shown = digest(request.headers.get('authorization') ?? '')
    if (wanted !== null && !timingSafeEqual(wanted, shown)) return null
    return answer(text)
  }
}

async function answer(text: MetricsText): Promise<Response> {
  return new Response(await text(), { headers })
}

// Without a usable `Host` the address is the path alone.
const pathOf = ({ url }: Request): string | undefined =>
  URL.parse(url, 'http://localhost')?.pathname

/** The door at the public address; null when there is none. */
export const openPublicDoor = (
  text: MetricsText | null,
  config: MetricsConfig | null,
): MetricsDoor | null =>
  text === null || config === null || config.listen !== null
    ? null
    : openMetricsDoor(text, config.token)

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** An address at which there are metrics and nothing else. */
interface MetricsServer {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Serves metrics at an address of their own. @throws Error with code EADDRINUSE when the port is taken */
export function serveMetrics(
  door: MetricsDoor,
  { host, port, isShared = false }: MetricsAddress,
): MetricsServer {
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: isShared,
    development: false,
    maxRequestBodySize: 1024,
    fetch: (request) => door(request) ?? new Response('Not found\n', { status: 404 }),
  })
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${server.port}${path}`,
    port: server.port ?? port,
    close: () => server.stop(true),
  }
}
