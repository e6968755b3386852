import { describe, expect, test } from 'bun:test'
import { codes, errorType, type ErrorCode } from '../../src/errors/codes'
import { GatewayError } from '../../src/errors/gateway-error'
import { en } from '../../src/errors/texts-en'
import { fa } from '../../src/errors/texts-fa'
import { errorResponse } from '../../src/http/error-response'

/** The specification's table: status, type and the codes that have them. */
const table: readonly (readonly [number, string, string])[] = [
  [
    400,
    'invalid_request_error',
    'invalid_json missing_model invalid_model model_endpoint_mismatch missing_messages invalid_message too_many_messages missing_prompt missing_input missing_file prompt_too_long input_too_long invalid_seconds invalid_size streaming_disabled upstream_rejected endpoint_not_supported invalid_field',
  ],
  [
    401,
    'authentication_error',
    'missing_api_key invalid_api_key api_key_revoked api_key_expired api_key_disabled',
  ],
  [
    402,
    'insufficient_quota',
    'insufficient_credit key_spend_limit_reached project_budget_exceeded daily_cap_reached',
  ],
  [
    403,
    'permission_error',
    'model_not_allowed ip_not_allowed kyc_required project_inactive account_suspended',
  ],
  [
    404,
    'invalid_request_error',
    'model_not_found model_discontinued request_not_found video_not_found unknown_url',
  ],
  [405, 'invalid_request_error', 'method_not_allowed'],
  [413, 'invalid_request_error', 'request_too_large'],
  [
    429,
    'rate_limit_error',
    'rate_limit_exceeded concurrency_limit upstream_rate_limited upstream_capacity_full too_many_failed_attempts',
  ],
  [500, 'service_unavailable', 'internal_error'],
  [502, 'upstream_error', 'upstream_error upstream_unreachable stream_interrupted gateway_error'],
  [
    503,
    'service_unavailable',
    'model_temporarily_unavailable gateway_disabled daily_capacity_reached',
  ],
]

const names = Object.keys(codes) as ErrorCode[]

/** Facts of every kind that any text asks for, each easy to find again. */
const facts = {
  field: 'FACT-f',
  expected: 'FACT-e',
  model: 'FACT-m',
  type: 'FACT-t',
  endpoint: 'FACT-p',
  count: 701,
  limit: 702,
  allowed: ['FACT-a', 'FACT-b'],
  said: 'FACT-s',
  expired: 'FACT-x',
  available: 703,
  held: 704,
  needed: 705,
  spent: 706,
  by: 'key',
  address: 'FACT-i',
  project: 'FACT-j',
  id: 'FACT-d',
  method: 'FACT-o',
  path: 'FACT-h',
  allow: 'FACT-w',
  limitKb: 707,
  seconds: 708,
}

const errorOf = (code: ErrorCode) => new GatewayError(code, facts, { param: 'p' })
const factsIn = (text: string) => [...new Set(text.match(/FACT-\w|70\d/g))].sort()

describe('the error table', () => {
  test('is the specification’s, both ways', () => {
    const rows = table.flatMap(([status, type, each]) =>
      each.split(' ').map((code) => `${status} ${type} ${code}`),
    )
    const ours = names.map((code) => `${codes[code].status} ${errorType(code)} ${code}`)
    expect(ours.sort()).toEqual(rows.sort())
    expect(Object.keys(en)).toEqual(Object.keys(fa))
  })

  test.each(names)('%s says the same facts in both languages', (code) => {
    const english = errorOf(code).body('en').error.message
    const persian = errorOf(code).body('fa').error.message
    expect(english.length).toBeGreaterThan(10)
    expect(persian).toMatch(/[\u0600-\u06ff]{2}/)
    expect(factsIn(persian)).toEqual(factsIn(english))
  })

  test.each(names)(
    '%s has exactly the fields of the wire and says when to try again',
    async (code) => {
      const response = errorResponse(errorOf(code), 'fa', { 'x-request-id': 'req_1' })
      const body = (await response.json()) as { error: Record<string, unknown> }
      expect(Object.keys(body)).toEqual(['error'])
      expect(Object.keys(body.error)).toEqual(['message', 'type', 'code', 'param'])
      expect(body.error['code']).toBe(code === 'invalid_field' ? null : code)
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      const waits = response.status === 429 || response.status === 503
      expect(/^[1-9]\d*$/.test(response.headers.get('retry-after') ?? '')).toBe(waits)
    },
  )
})
