import type { VideoFault } from '../domain/video-job'

/** Types of the error object, one per status but for 500 and 502; the specification has the list. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'insufficient_quota'
  | 'rate_limit_error'
  | 'upstream_error'
  | 'service_unavailable'

/** Row of the table of errors: status, failover, and whether a retry helps. */
export interface CodeRow {
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 408 | 413 | 415 | 426 | 429 | 500 | 502 | 503
  /** Whether another route may be tried when a vendor's failure has this code. */
  readonly nextRoute?: true
  /** Sent as `x-should-retry: false`: repeating the same request cannot help soon. */
  readonly permanent?: true
  /** `Retry-After` in whole seconds when the one who raises it knows no better. */
  readonly retryAfterSeconds?: number
  /** The wire's `code` when it differs from our name. */
  readonly wireCode?: null
  /** Refuses before the key is known: the answer has none of its rate-limit headers. */
  readonly beforeKey?: true
}

/** Every code of the specification, in its order; and three that are `code: null` on the wire. */
export const codes = {
  invalid_json: { status: 400 },
  invalid_field: { status: 400, wireCode: null },
  missing_model: { status: 400 },
  invalid_model: { status: 400 },
  model_endpoint_mismatch: { status: 400 },
  missing_messages: { status: 400 },
  invalid_message: { status: 400 },
  too_many_messages: { status: 400 },
  missing_prompt: { status: 400 },
  missing_input: { status: 400 },
  missing_file: { status: 400 },
  prompt_too_long: { status: 400 },
  input_too_long: { status: 400 },
  invalid_seconds: { status: 400 },
  invalid_size: { status: 400 },
  streaming_disabled: { status: 400 },
  upstream_rejected: { status: 400 },
  endpoint_not_supported: { status: 400, nextRoute: true },
  missing_api_key: { status: 401, beforeKey: true },
  invalid_api_key: { status: 401, beforeKey: true },
  api_key_revoked: { status: 401, beforeKey: true },
  api_key_expired: { status: 401, beforeKey: true },
  api_key_disabled: { status: 401, beforeKey: true },
  insufficient_credit: { status: 402 },
  key_spend_limit_reached: { status: 402 },
  project_budget_exceeded: { status: 402 },
  daily_cap_reached: { status: 402 },
  model_not_allowed: { status: 403 },
  ip_not_allowed: { status: 403, beforeKey: true },
  kyc_required: { status: 403 },
  project_inactive: { status: 403, beforeKey: true },
  account_suspended: { status: 403, beforeKey: true },
  model_not_found: { status: 404 },
  model_discontinued: { status: 404 },
  request_not_found: { status: 404 },
  video_not_found: { status: 404 },
  unknown_url: { status: 404, beforeKey: true },
  method_not_allowed: { status: 405, beforeKey: true },
  request_timeout: { status: 408, permanent: true, wireCode: null },
  request_too_large: { status: 413 },
  unsupported_encoding: { status: 415, wireCode: null },
  upgrade_not_offered: { status: 426, wireCode: null, beforeKey: true },
  rate_limit_exceeded: { status: 429, retryAfterSeconds: 1 },
  concurrency_limit: { status: 429, retryAfterSeconds: 1 },
  upstream_rate_limited: { status: 429, nextRoute: true, retryAfterSeconds: 5 },
  upstream_capacity_full: { status: 429, nextRoute: true, retryAfterSeconds: 10 },
  too_many_failed_attempts: {
    status: 429,
    permanent: true,
    retryAfterSeconds: 60,
    beforeKey: true,
  },
  upstream_error: { status: 502, nextRoute: true },
  upstream_unreachable: { status: 502, nextRoute: true },
  stream_interrupted: { status: 502 },
  model_temporarily_unavailable: { status: 503, nextRoute: true, retryAfterSeconds: 30 },
  gateway_disabled: { status: 503, retryAfterSeconds: 60 },
  daily_capacity_reached: { status: 503, permanent: true, retryAfterSeconds: 3600 },
  internal_error: { status: 500, permanent: true },
  gateway_error: { status: 503, retryAfterSeconds: 2 },
} as const satisfies Record<string, CodeRow>

export type ErrorCode = keyof typeof codes

const types: Record<CodeRow['status'], ErrorType> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'invalid_request_error',
  405: 'invalid_request_error',
  408: 'invalid_request_error',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  426: 'invalid_request_error',
  429: 'rate_limit_error',
  500: 'service_unavailable',
  502: 'upstream_error',
  503: 'service_unavailable',
}

/** Statuses of faults that come after the answer, of a video that is not made: what they would have been answered as. */
const videoFaultStatuses: Readonly<Record<VideoFault, CodeRow['status']>> = {
  content_policy: 400,
  video_failed: 502,
  video_lost: 502,
  video_timeout: 502,
  creation_lost: 503,
}

/** Type of a recorded code; null for one that is no more. */
export function recordedType(code: string): ErrorType | null {
  const status = recordedStatus(code)
  return status === null ? null : types[status]
}

/** Status of a code as it was written down; null for one that is no more. */
export function recordedStatus(code: string): CodeRow['status'] | null {
  if (Object.hasOwn(codes, code)) return codes[code as ErrorCode].status
  return Object.hasOwn(videoFaultStatuses, code) ? videoFaultStatuses[code as VideoFault] : null
}

/** Type of an error, by its code's status. */
export const errorType = (code: ErrorCode): ErrorType => types[codes[code].status]
