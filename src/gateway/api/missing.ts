import { GatewayError } from '../../errors/gateway-error'
import type { Inbound } from '../http/inbound'
import { namesSocket } from '../http/socket-protocols'
import type { ApiRoute } from './route'

/**
 * Why nothing answers this method and path: 426 to a WebSocket where clients try one first, 405 with
 * `Allow` when another method would, else 404.
 */
export function missing(
  table: readonly ApiRoute[],
  { method, path, headers }: Pick<Inbound, 'method' | 'path' | 'headers'>,
): GatewayError<'method_not_allowed' | 'unknown_url' | 'upgrade_not_offered'> {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const found = table.filter((route) => matches(route, trimmed))
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
 * Paths that the router gives to a route with a `*` and that are not its own: those of another route,
 * and those whose step is none of its ids. There nothing answers but what `missing` tells.
 * @returns null where the route has one path
 */
export function otherPaths(
  table: readonly ApiRoute[],
  route: ApiRoute,
): ((path: string) => boolean) | null {
  const { path, idPattern } = route
  if (!path.includes('*')) return null
  const others = isRest(path)
    ? table.filter((other) => !isRest(other.path) && other.path.startsWith(path.slice(0, -1)))
    : []
  return (asked) => {
    const trimmed = asked.replace(/\/$/, '')
    if (idPattern !== undefined && !matches(route, trimmed)) return true
    return others.some((other) => matches(other, trimmed))
  }
}

function matches({ path: pattern, idPattern }: ApiRoute, path: string): boolean {
  const [before = '', after] = pattern.split('*')
  if (after === undefined) return pattern === path
  if (!path.startsWith(before) || !path.endsWith(after)) return false
  const rest = path.slice(before.length, path.length - after.length)
  if (idPattern !== undefined) return idPattern.test(rest)
  return after === '' || !rest.includes('/')
}
