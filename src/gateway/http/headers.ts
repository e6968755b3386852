import type { RequestId } from '../../domain/ids'
import type { Allowance } from '../limits/limits'

const exposed = [
  'x-request-id',
  'request-id',
  'x-cost-usd',
  'x-model',
  'x-ignored-fields',
  'x-stopped-by',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'retry-after',
  // Read by the official clients, in a browser too.
  'x-should-retry',
  'openai-poll-after-ms',
  // Of files that come in parts.
  'accept-ranges',
  'content-range',
  'content-disposition',
].join(', ')

/** Keys are the protection, so pages of any origin may call (WHATWG Fetch, CORS protocol). */
const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
} as const

/** Recipient of an answer. */
interface Answered {
  readonly requestId: RequestId
  /** Of the request. */
  readonly headers: Headers
}

/**
 * Headers of every answer; with the key's allowance when the key is known. Pages say where they come
 * from, and they alone read who may ask.
 */
export function answerHeaders(
  { requestId, headers: asked }: Answered,
  allowance: Allowance | null,
): Record<string, string> {
  const headers: Record<string, string> =
    asked.get('origin') === null
      ? { 'x-request-id': requestId }
      : { 'x-request-id': requestId, ...anyOrigin }
  if (allowance !== null) {
    headers['x-ratelimit-limit'] = String(allowance.limit)
    headers['x-ratelimit-remaining'] = String(allowance.remaining)
  }
  return headers
}

/** Whether an answer went to somebody whose key is known. */
export const isKeyed = (answer: Headers): boolean => answer.has('x-ratelimit-limit')

/** A year, as RFC 6797, 6.1.1 counts. */
const strictTransport = 'max-age=31536000'

/** Headers of everything that a listener answers. @param isHttps browsers are to come by https alone (RFC 6797) */
export const siteHeaders = (isHttps: boolean): readonly (readonly [string, string])[] => [
  ['x-content-type-options', 'nosniff'],
  ...(isHttps ? [['strict-transport-security', strictTransport] as const] : []),
]

/** Headers of the answer to a browser's preflight (WHATWG Fetch, CORS-preflight request). */
export const preflightHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  // `*` does not cover `authorization`.
  'access-control-allow-headers': 'authorization, x-api-key, content-type, *',
  'access-control-max-age': '86400',
} as const
