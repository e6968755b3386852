import { storageFault } from '../../domain/storage-fault'
import { noLinks, type Links } from '../../errors/links'
import {
  GatewayError,
  type ErrorBody,
  type Language,
  isGatewayError,
} from '../../errors/gateway-error'

/**
 * Anything thrown as an error that a client may see. Storage that cannot be written now is `gateway_error`, to be
 * tried again; other foreign errors are `internal_error`.
 */
export function toGatewayError(thrown: unknown): GatewayError {
  if (isGatewayError(thrown)) return thrown
  const code = storageFault(thrown) === null ? 'internal_error' : 'gateway_error'
  return new GatewayError(code, {}, { cause: thrown })
}

/**
 * The error object of the specification, with the headers that tell whether to retry: `Retry-After`
 * (RFC 9110, 10.2.3), and `x-should-retry`, which the official clients obey (openai/openai-node 7.55,
 * `src/client.ts`).
 * @param framed wraps the body for a client of another format
 * @param links of the service, for messages that lead to them
 */
export function errorResponse(
  error: GatewayError,
  language: Language,
  headers: Readonly<Record<string, string>>,
  framed: (body: ErrorBody) => object = (body) => body,
  links: Links = noLinks,
): Response {
  const all: Record<string, string> = {
    ...headers,
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
  }
  if (error.retryAfterSeconds !== null && (error.status === 429 || error.status === 503))
    all['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)))
  if (error.row.permanent === true) all['x-should-retry'] = 'false'
  return new Response(JSON.stringify(framed(error.body(language, links))), {
    status: error.status,
    headers: all,
  })
}
