import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { GatewayError } from '../../src/errors/gateway-error'
import { errorResponse, toGatewayError } from '../../src/gateway/http/error-response'

const limited = (retryAfterSeconds?: number) =>
  new GatewayError(
    'rate_limit_exceeded',
    { limit: 60, by: 'key', seconds: 3 },
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  )

describe('the answer to a refusal', () => {
  test('is the error object as JSON in UTF-8, in the language asked for', async () => {
    const error = new GatewayError('model_not_found', { model: 'a/b' }, { param: 'model' })
    for (const language of ['fa', 'en'] as const) {
      const response = errorResponse(error, language, {})
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(await response.json()).toEqual(error.body(language))
    }
    expect(error.body('fa')).not.toEqual(error.body('en'))
  })

  test('carries the headers of the request and of the refusal', () => {
    const error = new GatewayError(
      'method_not_allowed',
      { method: 'PUT', path: '/v1/models', allow: 'GET, HEAD' },
      { headers: { allow: 'GET, HEAD' } },
    )
    const { headers } = errorResponse(error, 'fa', {
      'x-request-id': 'req_1',
      'content-type': 'text/event-stream',
    })
    expect(headers.get('allow')).toBe('GET, HEAD')
    expect(headers.get('x-request-id')).toBe('req_1')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('any wait is told in whole seconds, rounded up, and never as none', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 86_400, noNaN: true }), (seconds) => {
        const told = errorResponse(limited(seconds), 'fa', {}).headers.get('retry-after') ?? ''
        expect(told).toMatch(/^[1-9]\d*$/)
        expect(Number(told)).toBeGreaterThanOrEqual(seconds)
        expect(Number(told) - seconds).toBeLessThanOrEqual(1)
      }),
    )
  })

  test.each([
    ['429', limited(), '1'],
    ['503', new GatewayError('gateway_disabled', {}), '60'],
    ['502', new GatewayError('upstream_error', { model: 'm' }, { retryAfterSeconds: 5 }), null],
    ['400', new GatewayError('invalid_json', {}), null],
  ])('tells how long to wait where its status is one to wait for: %s', (_, error, wait) => {
    expect(errorResponse(error, 'fa', {}).headers.get('retry-after')).toBe(wait)
  })

  test('tells official clients not to try again where that cannot help', () => {
    const told = (error: GatewayError) =>
      errorResponse(error, 'fa', {}).headers.get('x-should-retry')
    expect(told(new GatewayError('too_many_failed_attempts', { seconds: 60 }))).toBe('false')
    expect(
      told(new GatewayError('daily_capacity_reached', { opens: '2026-11-22 00:00 UTC' })),
    ).toBe('false')
    expect(told(new GatewayError('internal_error', {}))).toBe('false')
    expect(told(limited())).toBeNull()
    expect(told(new GatewayError('upstream_unreachable', { model: 'm' }))).toBeNull()
    expect(told(new GatewayError('model_temporarily_unavailable', { model: 'm' }))).toBeNull()
  })

  test('takes what a client sent as text, whatever it holds', async () => {
    const model = '"}\r\nx-evil: 1\u2028</script>'
    const response = errorResponse(new GatewayError('model_not_found', { model }), 'en', {})
    const body = (await response.json()) as { error: { message: string } }
    expect(body.error.message).toContain(model)
    expect(response.headers.has('x-evil')).toBe(false)
  })
})

describe('what was thrown', () => {
  test('is answered as it is when it is a refusal', () => {
    const error = limited()
    expect(toGatewayError(error)).toBe(error)
  })

  test.each([
    ['an error', new Error('SELECT secret')],
    ['a text', 'secret'],
    ['nothing', undefined],
    ['null', null],
    ['what only looks like a refusal', { code: 'invalid_json', status: 400 }],
  ])('is our fault and not shown when it is %s', async (_, thrown) => {
    const error = toGatewayError(thrown)
    expect(error.code).toBe('internal_error')
    expect(error.cause).toBe(thrown)
    expect(await errorResponse(error, 'en', {}).text()).not.toContain('secret')
  })
})
