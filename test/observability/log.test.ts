import { expect, test } from 'bun:test'
import { faultFields } from '../../src/observability/log'

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}

test('a word of an answer that was no JSON is not logged', () => {
  const fault = thrownBy(() => JSON.parse('{"content": mysecret}'))
  expect(String(fault)).toContain('mysecret')
  const fields = faultFields(fault)
  expect(JSON.stringify(fields)).not.toContain('mysecret')
  expect(fields['fault']).toBe('SyntaxError')
  expect(String(fields['stack'])).toContain('log.test')
})

test('what else goes wrong is told with its place', () => {
  const fields = faultFields(new RangeError('too far'))
  expect(fields).toMatchObject({ fault: 'RangeError', message: 'too far' })
  expect(String(fields['stack'])).toContain('log.test')
})
