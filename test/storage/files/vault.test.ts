import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { vaultOf } from '../../support/secrets'

const vault = vaultOf(new Uint8Array(32).fill(7))

test('any text comes out as it went in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(vault.open(vault.seal(text))).toBe(text)
    }),
  )
})

test('the same text is sealed differently each time, and cannot be read', () => {
  const [one, two] = [vault.seal('sk-secret'), vault.seal('sk-secret')]
  expect(one).not.toBe(two)
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('secret')
})

test('any change to what is sealed is noticed', () => {
  const sealed = Buffer.from(vault.seal('sk-secret'), 'base64')
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ by
      expect(vault.open(changed.toString('base64'))).toBeNull()
    }),
  )
})

test('what is cut short is never opened, whatever is left of its tag', () => {
  const sealed = Buffer.from(vault.seal(''), 'base64')
  for (let size = 0; size < sealed.length; size++)
    expect(vault.open(sealed.subarray(0, size).toString('base64'))).toBeNull()
})

test('another key opens nothing', () => {
  const other = vaultOf(new Uint8Array(32).fill(8))
  expect(other.open(vault.seal('sk-secret'))).toBeNull()
})

test('what is sealed for one purpose opens under no other', () => {
  const sealed = vault.seal('said', 'project 1')
  expect(vault.open(sealed, 'project 1')).toBe('said')
  for (const purpose of ['project 2', '', undefined]) expect(vault.open(sealed, purpose)).toBeNull()
  expect(vault.open(vault.seal('sk-secret'), 'project 1')).toBeNull()
})
