import { GatewayError } from '../errors/gateway-error'
import type { Inbound } from '../http/inbound'
import { namesSocket } from '../http/socket-protocols'
import type { Route } from './route'

/**
 * Why nothing answers this method and path: 426 to a WebSocket where clients try one first, 405 with
 * `Allow` when another method would, else 404.
 */
export function missing(
  table: readonly Route[],
  { method, path, headers }: Pick<Inbound, 'method' | 'path' | 'headers'>,
): GatewayError<'method_not_allowed' | 'unknown_url' | 'upgrade_not_offered'> {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const found = table.filter((route) => matches(route.path, trimmed))
  const named = found.filter((route) => !isRest(route.path))
  const methods = (named.length > 0 ? named : found).map((route) => route.method)
  if (methods.length === 0) return new GatewayError('unknown_url', { method, path })
  if (found.some(({ refusesUpgrade }) => refusesUpgrade) && namesSocket(headers))
    return new GatewayError('upgrade_not_offered', { path }, { headers: plainHttp })
  const allow = [...new Set(methods), ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
  return new GatewayError('method_not_allowed', { method, path, allow }, { headers: { allow } })
}

/** A 426 names the protocol that is spoken instead (RFC 9110 7.8, 15.5.22). */
const plainHttp = { upgrade: 'HTTP/1.1', connection: 'Upgrade' }

const isRest = (pattern: string): boolean => pattern.endsWith('*')

/**
 * Paths that lie among those of a route that takes the rest of a path, and are not its own: with
 * another method than theirs nothing answers them.
 * @returns null where the route has one path
 */
export function otherPaths(
  table: readonly Route[],
  { path }: Route,
): ((path: string) => boolean) | null {
  if (!path.includes('*')) return null
  const others = isRest(path)
    ? table
        .map((route) => route.path)
        .filter((other) => !isRest(other) && other.startsWith(path.slice(0, -1)))
    : []
  return (asked) => others.some((other) => matches(other, asked.replace(/\/$/, '')))
}

function matches(pattern: string, path: string): boolean {
  const [before = '', after] = pattern.split('*')
  if (after === undefined) return pattern === path
  if (!path.startsWith(before)) return false
  const rest = path.slice(before.length)
  return after === '' || (rest.endsWith(after) && !rest.slice(0, -after.length).includes('/'))
}
