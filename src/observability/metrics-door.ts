import { createHash, timingSafeEqual } from 'node:crypto'
import type { MetricRegistry } from './metric-registry'

/** Where metrics are read. */
export interface MetricsConfig {
  /** An address of their own; null to show them at the public one, to whoever has the token. */
  readonly listen: { readonly host: string; readonly port: number } | null
  /** What `Authorization: Bearer …` must hold; null lets in everybody who reaches the address. */
  readonly token: string | null
}

/** Answers who may read; null for everybody and everything else. */
export type MetricsDoor = (request: Request) => Response | null

const path = '/metrics'
const headers = {
  'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  'cache-control': 'no-store',
}

export function openMetricsDoor(registry: MetricRegistry, token: string | null): MetricsDoor {
  const wanted = token === null ? null : digest(`Bearer ${token}`)
  return (request) => {
    if (request.method !== 'GET' || pathOf(request) !== path) return null
    const shown = digest(request.headers.get('authorization') ?? '')
    if (wanted !== null && !timingSafeEqual(wanted, shown)) return null
    return new Response(registry.text(), { headers })
  }
}

// Without a usable `Host` the address is the path alone.
const pathOf = ({ url }: Request): string | undefined =>
  URL.parse(url, 'http://localhost')?.pathname

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** An address at which there are metrics and nothing else. */
export interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

/** @throws Error with code EADDRINUSE when the port is taken */
export function serveMetrics(
  door: MetricsDoor,
  { host, port }: NonNullable<MetricsConfig['listen']>,
): MetricsServer {
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    maxRequestBodySize: 1024,
    fetch: (request) => door(request) ?? new Response('Not found\n', { status: 404 }),
  })
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${server.port}${path}`, close: () => server.stop(true) }
}
