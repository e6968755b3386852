import { describe, expect, test } from 'bun:test'
import { VendorFailure, type Alert } from '../../src/errors/vendor-failure'
import { embeddedFailure, vendorFailure } from '../../src/gateway/vendors/failure'
import type { ErrorCode } from '../../src/errors/codes'

const fail = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  vendorFailure(
    status,
    new Headers(headers),
    typeof body === 'string' ? body : JSON.stringify(body),
    'm',
  )
const error = (rest: object) => ({ error: { message: 'no', type: 'x', param: null, ...rest } })
const causeOf = ({ cause }: { cause?: unknown }): VendorFailure => {
  if (cause instanceof VendorFailure) return cause
  throw new Error('no vendor failure behind it')
}

describe('a vendor’s failure', () => {
  const table: readonly (readonly [number, unknown, ErrorCode, Alert | null])[] = [
    [400, error({ code: 'unsupported_parameter' }), 'upstream_rejected', null],
    [400, error({ code: 'context_length_exceeded' }), 'upstream_rejected', null],
    [400, error({ code: 'content_policy_violation' }), 'upstream_rejected', null],
    [400, error({ code: 'data_inspection_failed' }), 'upstream_rejected', null],
    [400, error({ code: 'Arrearage' }), 'upstream_capacity_full', 'quota'],
    [400, error({ code: 'Throttling.RateQuota' }), 'upstream_rate_limited', null],
    [400, error({ message: 'unknown value: insufficient balance' }), 'upstream_rejected', null],
    [401, error({ code: 'invalid_api_key' }), 'upstream_error', 'credential'],
    [402, error({ message: 'Insufficient Balance' }), 'upstream_capacity_full', 'quota'],
    [403, error({ code: 'unsupported_country_region' }), 'upstream_error', 'credential'],
    [403, error({ code: 'content_filter' }), 'upstream_rejected', null],
    [403, { code: 'x', error: 'Content violates usage guidelines.' }, 'upstream_rejected', null],
    [
      403,
      error({ message: 'The team has used all available credits' }),
      'upstream_capacity_full',
      'quota',
    ],
    [404, error({ code: 'model_not_found' }), 'model_temporarily_unavailable', 'model'],
    [
      404,
      error({ message: 'The model `x` does not exist', param: 'model' }),
      'model_temporarily_unavailable',
      'model',
    ],
    [404, error({ code: 'DeploymentNotFound' }), 'model_temporarily_unavailable', 'model'],
    [404, { detail: 'Not Found' }, 'model_temporarily_unavailable', 'model'],
    [404, '<html>nginx</html>', 'model_temporarily_unavailable', 'model'],
    [404, error({ param: 'tools' }), 'upstream_rejected', null],
    [404, error({ message: 'No such file' }), 'upstream_rejected', null],
    [408, '', 'upstream_unreachable', null],
    [409, error({}), 'upstream_rejected', null],
    [413, error({}), 'upstream_rejected', null],
    [415, error({}), 'upstream_rejected', null],
    [422, { detail: [{ loc: ['body', 'seed'], msg: 'extra' }] }, 'upstream_rejected', null],
    [429, error({ code: 'rate_limit_exceeded' }), 'upstream_rate_limited', null],
    [429, error({ code: 'insufficient_quota' }), 'upstream_capacity_full', 'quota'],
    [429, error({ type: 'exceeded_current_quota_error' }), 'upstream_capacity_full', 'quota'],
    [429, error({ code: '1113' }), 'upstream_capacity_full', 'quota'],
    [429, error({ code: '1302' }), 'upstream_rate_limited', null],
    [302, '', 'upstream_error', null],
    [500, error({}), 'upstream_error', null],
    [502, '<html>', 'upstream_error', null],
    [503, error({}), 'upstream_capacity_full', null],
    [504, '', 'upstream_unreachable', null],
    [520, '', 'upstream_error', null],
    [529, error({ type: 'overloaded_error' }), 'upstream_capacity_full', null],
  ]
  test.each([...table])('%d %j is %s, to look at: %s', (status, body, code, alert) => {
    const refusal = fail(status, body)
    expect(refusal.code).toBe(code)
    expect(causeOf(refusal)).toMatchObject({ status, alert })
  })

  test.each([
    ['a nested object', { error: { message: 'too hot' } }],
    ['an error that is a text', { code: 'x', error: 'too hot' }],
    ['a flat object', { object: 'error', message: 'too hot', type: 'x', code: 3051 }],
    ['an array', [{ error: { code: 400, message: 'too hot', status: 'INVALID_ARGUMENT' } }]],
    ['a detail', { detail: 'too hot' }],
    ['a detail with fields', { detail: { status: 'x', message: 'too hot' } }],
    [
      'a list of details',
      { detail: [{ type: 'x', loc: ['body', 'n'], msg: 'too hot', input: 'my secret prompt' }] },
    ],
    [
      'a message that is an object',
      { object: 'error', message: { detail: [{ msg: 'too hot', input: 'my secret prompt' }] } },
    ],
    ['a code and a text', { err_code: 'Bad', err_msg: 'too hot', request_id: 'r' }],
    [
      'an error of another vendor inside',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"too hot"}}' },
        },
      },
    ],
    ['plain text', 'too hot'],
  ])('is understood as %s, without the client’s input', (_, body) => {
    expect(fail(400, body).facts).toEqual({ said: 'too hot' })
  })

  test('tells the field it is about, when that is a name', () => {
    expect(fail(400, error({ param: 'messages[0].content' })).param).toBe('messages[0].content')
    expect(fail(422, { detail: [{ loc: ['body', 'messages', 0, 'role'], msg: 'x' }] }).param).toBe(
      'messages.0.role',
    )
    for (const param of ['x'.repeat(129), 7, null, '', 'sk-abcdefgh12345678'])
      expect(fail(400, error({ param })).param).toBeNull()
  })

  test('never says more than 300 letters, and nothing of a page in between', () => {
    const { facts } = fail(400, error({ message: 'no way '.repeat(200) }))
    expect('said' in facts ? facts.said.length : 0).toBe(300)
    expect(fail(400, '<html><body>secret').facts).toEqual({ said: '' })
  })

  test('keeps its words for the log, scrubbed, and not for the client where it is no refusal', () => {
    const refusal = fail(401, error({ message: 'Incorrect API key provided: sk-abc123def456.' }))
    const { words, alert, message } = causeOf(refusal)
    expect(words).toMatchObject({ type: 'x', code: null, param: null })
    expect(words.message).toStartWith('Incorrect')
    expect(words.message).not.toContain('abc123')
    expect(alert).toBe('credential')
    expect(message).not.toContain('Incorrect')
    expect(JSON.stringify(refusal.body('en'))).not.toContain('Incorrect')
  })

  test.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': '0' }, 1],
    [{ 'retry-after': '1.2' }, 2],
    [{ 'retry-after': '3600' }, 60],
    [{ 'retry-after-ms': '1500' }, 2],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 2],
    [{ 'retry-after': 'Sat, 21 Nov 2026 00:00:20 GMT', date: 'Sat, 21 Nov 2026 00:00:00 GMT' }, 20],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date: 'Sat, 21 Nov 2026 00:00:00 GMT' }, 60],
    [{ 'retry-after': 'Fri, 20 Nov 2026 00:00:00 GMT', date: 'Sat, 21 Nov 2026 00:00:00 GMT' }, 1],
    // Without anything to go by it is the default of the code.
    [{ 'retry-after': 'soon' }, 5],
    [{ 'retry-after': '' }, 5],
    [{ 'retry-after': 'Infinity' }, 5],
    [{ 'retry-after': '-3' }, 5],
    [{}, 5],
  ])('with %j is worth trying again after %d seconds', (headers, seconds) => {
    expect(fail(429, error({}), headers as Record<string, string>).retryAfterSeconds).toBe(seconds)
  })

  test('that is no matter of waiting passes no time to wait', () => {
    for (const status of [400, 401, 500, 504])
      expect(fail(status, error({}), { 'retry-after': '7' }).retryAfterSeconds).toBeNull()
    for (const status of [402, 404, 429, 503, 529])
      expect(fail(status, '', { 'retry-after': '7' }).retryAfterSeconds).toBe(7)
  })
})

describe('an error inside a success', () => {
  const table: readonly (readonly [object, ErrorCode | null])[] = [
    [{ error: { message: 'x', code: 429 } }, 'upstream_rate_limited'],
    [{ error: { message: 'x', code: '503' } }, 'upstream_capacity_full'],
    [{ error: { message: 'x', status: 'RESOURCE_EXHAUSTED', code: 429 } }, 'upstream_rate_limited'],
    [{ error: { message: 'x', type: 'insufficient_quota' } }, 'upstream_capacity_full'],
    [{ error: { message: 'x', type: 'invalid_request_error' } }, 'upstream_rejected'],
    [{ error: { message: 'x', code: 'invalid_api_key' } }, 'upstream_error'],
    [{ error: { message: 'x', code: '1302' } }, 'upstream_rate_limited'],
    [{ error: { message: 'x', code: '1301' } }, 'upstream_rejected'],
    [{ error: { message: 'x', code: '1113' } }, 'upstream_capacity_full'],
    [{ error: { message: 'x', type: 'overloaded_error' } }, 'upstream_capacity_full'],
    [{ error: {} }, 'upstream_error'],
    [{ code: 'x', error: 'some text' }, 'upstream_error'],
    [{ object: 'error', message: 'x', type: 'BadRequestError', code: 400 }, 'upstream_rejected'],
    [{ detail: 'x' }, 'upstream_error'],
    [{ message: 'invalid request' }, 'upstream_error'],
    [{ choices: [], error: { code: 502, message: 'x' } }, 'upstream_error'],
    [{ choices: [], error: null }, null],
    [{ choices: [{ message: {} }] }, null],
    [{ choices: [], usage: {} }, null],
  ]
  test.each([...table])('%j is %s', (reply, code) => {
    expect(embeddedFailure({ ...reply }, 'm')?.code ?? null).toBe(code)
  })
})
