import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseUsd, showUsd, type NanoUsd } from '../../src/domain/money'

test.each([
  [0, '0.000000'],
  [-0, '0.000000'],
  [1, '0.000000001'],
  [1000, '0.000001'],
  [933_000, '0.000933'],
  [10, '0.00000001'],
  [1_000_000_000, '1.000000'],
  [-1_500_000_100, '-1.5000001'],
  [Number.MAX_SAFE_INTEGER, '9007199.254740991'],
])('%p nano-dollars are shown as %p', (nanos, shown) => {
  expect(showUsd(nanos as NanoUsd)).toBe(shown)
})

test('what is shown is read as the same amount, with six to nine decimals', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.nat(9), (value, zeroes) => {
      const nanos = (value - (value % 10 ** zeroes)) as NanoUsd
      const shown = showUsd(nanos)
      expect(shown).toMatch(/^-?\d+\.(\d{6}|\d{6,8}[1-9])$/)
      expect(parseUsd(shown)).toBe((nanos + 0) as NanoUsd)
    }),
    { numRuns: 1000 },
  )
})
