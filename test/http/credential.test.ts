import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readSecret } from '../../src/gateway/http/credential'

const read = (headers: Record<string, string>): string | null => readSecret(new Headers(headers))

describe('the key of a request', () => {
  test.each([
    ['Authorization', { authorization: 'Bearer sk-a' }, 'sk-a'],
    ['Authorization whatever its case', { Authorization: 'bEARER sk-a' }, 'sk-a'],
    ['Authorization with more room', { authorization: '  Bearer \t sk-a  ' }, 'sk-a'],
    ['X-API-Key', { 'X-API-Key': ' sk-b ' }, 'sk-b'],
    [
      'Authorization before X-API-Key',
      { authorization: 'Bearer sk-a', 'x-api-key': 'sk-b' },
      'sk-a',
    ],
    ['X-API-Key beside Basic', { authorization: 'Basic dTpw', 'x-api-key': 'sk-b' }, 'sk-b'],
    ['X-API-Key beside an empty Bearer', { authorization: 'Bearer ', 'x-api-key': 'sk-b' }, 'sk-b'],
    // Headers are trimmed of plain spaces only.
    [
      'X-API-Key beside a blank one',
      { authorization: 'Bearer \u00a0', 'x-api-key': 'sk-b' },
      'sk-b',
    ],
  ])('is read from %s', (_, headers, secret) => {
    expect(read(headers)).toBe(secret)
  })

  test.each([
    ['nothing was sent', {}],
    ['the scheme is another', { authorization: 'Basic dTpw' }],
    ['the scheme only begins like it', { authorization: 'Bearersk-a' }],
    ['there is no scheme', { authorization: 'sk-a' }],
    ['nothing stands behind the scheme', { authorization: 'Bearer' }],
    ['X-API-Key is empty', { 'x-api-key': '  ' }],
  ])('is null when %s', (_, headers) => {
    expect(read(headers)).toBeNull()
  })

  test('any key is read as it was sent, by either header', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{1,80}$/), (secret) => {
        expect(read({ authorization: `Bearer ${secret}` })).toBe(secret)
        expect(read({ 'x-api-key': secret })).toBe(secret)
      }),
    )
  })
})
