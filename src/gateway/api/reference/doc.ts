import type { TObject, TSchema } from '@sinclair/typebox'
import type { ErrorCode } from '../../../errors/codes'

/** Description of a route for readers of the reference. */
export interface RouteDoc {
  /** Where it stands on the page, by the name of what it is about. */
  readonly group: 'Models' | 'Generation' | 'Account' | 'Service'
  /** One line. */
  readonly summary: string
  readonly description?: string
  /** Whether a key is needed. */
  readonly keyed: boolean
  /** Meaning of `*` in the path. */
  readonly rest?: {
    readonly name: string
    readonly description: string
    readonly pattern?: string
  }
  /** Parameters after the question mark; values are text on the wire. */
  readonly query?: TObject
  readonly headers?: TObject
  readonly request?: RequestDoc
  readonly answers: readonly AnswerDoc[]
  /** Every code that this route can refuse with. */
  readonly errors: readonly ErrorCode[]
  /** Format whose clients read errors in a frame of their own. */
  readonly errorFrame?: 'messages'
}

export interface RequestDoc {
  /** The schema that checks it: a title names it in the document. */
  readonly schema: TSchema
  /** JSON unless told. */
  readonly contentType?: string
  /** Purpose of fields; the schema says their types. */
  readonly notes?: Readonly<Record<string, string>>
  readonly example?: unknown
}

export interface AnswerDoc {
  readonly status: number
  readonly description: string
  /** By media type. */
  readonly content: Readonly<
    Record<string, { readonly schema: TSchema; readonly example?: unknown }>
  >
  /** Names of headers, of those that the document knows. */
  readonly headers?: readonly AnswerHeader[]
}

export type AnswerHeader =
  | 'x-request-id'
  | 'x-ratelimit-limit'
  | 'x-ratelimit-remaining'
  | 'x-cost-usd'
  | 'x-stopped-by'
  | 'x-model'
  | 'x-ignored-fields'

export const openHeaders: readonly AnswerHeader[] = ['x-request-id']
export const keyedHeaders: readonly AnswerHeader[] = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
]
export const chargedHeaders: readonly AnswerHeader[] = [...keyedHeaders, 'x-cost-usd', 'x-model']
export const textHeaders: readonly AnswerHeader[] = [
  ...chargedHeaders,
  'x-stopped-by',
  'x-ignored-fields',
]

/** Codes of routes that anybody may ask, some number of times a minute. */
export const openErrors: readonly ErrorCode[] = ['rate_limit_exceeded', 'internal_error']

/** Codes of routes that need a key. */
export const keyedErrors: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'api_key_disabled',
  'ip_not_allowed',
  'project_inactive',
  'account_suspended',
  'rate_limit_exceeded',
  'too_many_failed_attempts',
  'internal_error',
]

/** Codes of routes that ask a vendor and cost money. */
export const meteredErrors: readonly ErrorCode[] = [
  ...keyedErrors,
  'invalid_json',
  'invalid_field',
  'missing_model',
  'invalid_model',
  'model_endpoint_mismatch',
  'upstream_rejected',
  'endpoint_not_supported',
  'insufficient_credit',
  'key_spend_limit_reached',
  'project_budget_exceeded',
  'daily_cap_reached',
  'model_not_allowed',
  'kyc_required',
  'model_not_found',
  'model_discontinued',
  'request_timeout',
  'request_too_large',
  'unsupported_encoding',
  'concurrency_limit',
  'upstream_rate_limited',
  'upstream_capacity_full',
  'upstream_error',
  'upstream_unreachable',
  'model_temporarily_unavailable',
  'gateway_disabled',
  'daily_capacity_reached',
  'gateway_error',
]

/** Errors of an endpoint whose answer can be a stream. */
export const streamedErrors: readonly ErrorCode[] = [
  ...meteredErrors,
  'streaming_disabled',
  'stream_interrupted',
]
