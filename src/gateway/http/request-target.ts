import { GatewayError } from '../../errors/gateway-error'

/*
 * The runtime shows a request's address as a URL parser resolves it (WHATWG URL, 4.4): `/x/../admin` has become
 * `/admin`, and `\` has become `/`. Proxies that filter by path judge the target as it was sent (RFC 9112, 3.2), so
 * what they would not have seen is refused. Seen in Bun 1.4.5: its own router matches the target as it was sent, and
 * hands out the segments of a pattern, percent-decoded. Patterns here have every target pass by that no route of one
 * path has matched before; those are preferred by the router, and cost nothing more.
 */

/** No route has more segments. */
const maxSegments = 16

/** A request as the runtime's router hands it out. */
interface RoutedRequest extends Request {
  readonly params: Readonly<Record<string, string>>
}

type Answer = (request: RoutedRequest) => Response | Promise<Response>

interface TargetParts {
  /** Answers by the resolved address. */
  answer(request: Request): Response | Promise<Response>
  refuse(error: GatewayError, request: Request): Response | Promise<Response>
}

/** Routes of the runtime's router that hand on the requests whose target is what it looks like. */
export function targetRoutes({ answer, refuse }: TargetParts): Record<string, Answer> {
  const whole: Answer = (request) =>
    hasNoTricks(request) ? answer(request) : refuse(notPlain(), request)
  const open: Answer = (request) => {
    if (!hasNoTricks(request)) return refuse(notPlain(), request)
    return endsHere(request) ? answer(request) : refuse(unknown(request), request)
  }
  const routes: Record<string, Answer> = { '/*': open }
  let pattern = ''
  for (let count = 1; count <= maxSegments; count++) {
    pattern += `/:s${count}`
    routes[pattern] = whole
    routes[`${pattern}/*`] = open
  }
  return routes
}

/** A dot segment, a backslash, and a fragment, which no target has. */
const tricks = /^\.{1,2}$|[\\#]/

const hasNoTricks = ({ params }: RoutedRequest): boolean =>
  !Object.values(params).some((segment) => tricks.test(segment))

/**
 * Whether nothing but a slash follows the segments that the router has handed out. What follows began with an empty
 * segment or lies beyond the most that are looked at.
 */
function endsHere({ params, url }: RoutedRequest): boolean {
  const path = new URL(url, 'http://localhost').pathname
  const segments = path.slice(1).split('/')
  return segments.pop() === '' && segments.length === Object.keys(params).length
    ? segments.every((segment, at) => decodeSegment(segment) === params[`s${at + 1}`])
    : false
}

/** Percent-decodes a path segment; one that cannot be decoded comes back unchanged. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const notPlain = () =>
  new GatewayError('invalid_field', {
    field: 'path',
    expected: 'without dot segments, backslashes and #',
  })

const unknown = ({ method, url }: Request) =>
  new GatewayError('unknown_url', { method, path: new URL(url, 'http://localhost').pathname })

/**
 * Refuses a request that names two hosts (RFC 9112, 3.2). The runtime joins lines of one name by commas.
 * @throws GatewayError invalid_field
 */
export function checkHost(headers: Headers): void {
  if (headers.get('host')?.includes(',') === true)
    throw new GatewayError('invalid_field', { field: 'Host', expected: 'one host' })
}
