import { describe, expect, test } from 'bun:test'
import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { hashSecret, makeSecret, opaqueId, secretPrefix } from '../../src/gateway/identity/secret'
import { pepperOf } from '../support/secrets'

const prefix = 'sk-chapar-v1-'
const pepper = pepperOf(new Uint8Array(32).fill(7))

describe('a new secret', () => {
  test('has the shape of the service, and enough chance in it', () => {
    const made = Array.from({ length: 2000 }, () => makeSecret(prefix).slice(prefix.length))
    for (const part of made) expect(part).toMatch(/^[0-9A-Za-z]{43}$/)
    expect(new Set(made).size).toBe(made.length)
    // 256 bits are worth 43 digits of base 62; the first can only be small.
    const value = (text: string) =>
      Array.from(text).reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)
    const values = made.map(value)
    expect(values.every((each) => each < 1n << 256n)).toBe(true)
    for (const bit of [0n, 100n, 255n]) {
      const ones = values.filter((each) => ((each >> bit) & 1n) === 1n).length
      expect(ones / made.length).toBeGreaterThan(0.4)
      expect(ones / made.length).toBeLessThan(0.6)
    }
  })

  test('shows so little of itself that the rest cannot be guessed', () => {
    const secret = makeSecret(prefix)
    const shown = secretPrefix(secret)
    expect(secret.startsWith(shown)).toBe(true)
    expect(shown).toHaveLength(prefix.length + 6)
  })
})

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('what is kept of a secret', () => {
  test('is its HMAC-SHA-256 with the pepper, for any secret', () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (secret, key) => {
        const expected = createHmac('sha256', key).update(secret).digest('hex')
        expect(hashSecret(secret, pepperOf(key))).toBe(expected)
      }),
    )
  })

  test('says nothing to one who has another pepper', () => {
    const secret = makeSecret(prefix)
    expect(hashSecret(secret, pepperOf(randomBytes(32)))).not.toBe(hashSecret(secret, pepper))
  })
})

test('an opaque id is the same each time, another for another thing, and tells neither', () => {
  const id = opaqueId('project:1', pepper)
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(opaqueId('project:1', pepper)).toBe(id)
  expect(opaqueId('project:2', pepper)).not.toBe(id)
})
