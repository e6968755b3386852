import { expect, test } from 'bun:test'
import { GatewayError } from '../../src/errors/gateway-error'
import { VendorFailure } from '../../src/errors/vendor-failure'
import { faultFields } from '../../src/gateway/observability/log'

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}

const secret = 'mysecret'
class Quoting extends Error {}

test.each([
  ['SyntaxError', (): unknown => JSON.parse('{"content": mysecret}')],
  ['TypeError', () => Promise.reject(new TypeError(secret))],
  ['RangeError', () => new Intl.DateTimeFormat('en', { timeZone: 'mysecret' })],
  ['Error', () => Promise.reject(Object.assign(new Error(secret), { code: 'ENOENT' }))],
  ['Error', () => Promise.reject(new Quoting(`a\n    at mysecret (a.ts:1:1)`))],
  ['DOMException', () => Promise.reject(new DOMException(secret))],
] as const)('a %s is not logged with what it quotes', async (_, run) => {
  const thrown: unknown = await Promise.resolve(thrownBy(run)).catch((fault: unknown) => fault)
  expect(String(thrown)).toContain(secret)
  const fields = faultFields(thrown)
  expect(JSON.stringify(fields)).not.toContain(secret)
  expect(fields['fault']).toBe(thrown instanceof Error ? thrown.name : '')
})

test('a fault of ours is told with its words and its place', () => {
  const fields = faultFields(new Error('a reply without choices'))
  expect(fields).toMatchObject({ fault: 'Error', message: 'a reply without choices' })
  expect(String(fields['stack'])).toContain('log.test')
})

test('what is behind a fault is told by its code', () => {
  const cause = Object.assign(new Error(secret), { code: 'ECONNRESET' })
  const fields = faultFields(new Error('the connection broke', { cause }))
  expect(fields).toMatchObject({ message: 'the connection broke', faultCode: 'ECONNRESET' })
  expect(JSON.stringify(fields)).not.toContain(secret)
})

const failure = (type: string, code: string, param: string) =>
  new VendorFailure(400, { message: 'my secret prompt', type, code, param }, 'quota')

test('a vendor’s failure is told by its status, type, code and param, as far as they are names', () => {
  const fields = faultFields(failure('invalid_request_error', 'too-long.v2', 'messages[0].content'))
  expect(fields).toEqual({
    fault: 'VendorFailure',
    status: 400,
    type: 'invalid_request_error',
    vendorCode: 'too-long.v2',
    param: 'messages[0].content',
    check: 'quota',
    vendorMessage: undefined,
  })
  const quoting = faultFields(failure('my secret', 'x'.repeat(65), 'prompt: hi'))
  expect(quoting).toMatchObject({ type: undefined, vendorCode: undefined, param: undefined })
})

test('a vendor’s words are told only where they are wanted', () => {
  const thrown = new GatewayError(
    'upstream_error',
    { model: 'm' },
    { cause: failure('a', 'b', 'c') },
  )
  expect(JSON.stringify(faultFields(thrown))).not.toContain('secret')
  expect(faultFields(thrown, true)).toMatchObject({ vendorMessage: 'my secret prompt' })
})
