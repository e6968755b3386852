import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import { strangerPatience } from '../../gateway/http/slow-body-guard'
import { readJson } from '../../gateway/http/json-body'

/** Two lists of a hundred names are the longest that a page sends. */
const maxBytes = 262_144

const jsonType = /^application\/json\s*(?:;|$)/i

/**
 * Parses the body of a request of a page: JSON alone, with the limits in bytes, parse cost and time that
 * bodies of the API have. The framework's own parsers have none, and run before anybody is known.
 * @returns null for any other content type; undefined without a body
 * @throws GatewayError request_too_large | request_timeout | invalid_json
 */
export async function parsePageBody({ request }: { readonly request: Request }): Promise<unknown> {
  if (request.body === null) return undefined
  // Not undefined: the framework would try its own parsers.
  if (!jsonType.test(request.headers.get('content-type') ?? '')) return null
  return (await readJson(request, maxBytes, strangerPatience)).value
}

/** Why a body was refused: the framework wraps what a parser throws. Null for other errors. */
export function bodyRefusalOf(code: unknown, error: unknown): GatewayError | null {
  if (code !== 'PARSE') return null
  const { cause } = error as Error
  return isGatewayError(cause) ? cause : new GatewayError('invalid_json', {}, { cause })
}
