import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { dollarsOfCoins, parseRate } from '../../src/business/payments/rate'
import { parseUsd } from '../../src/domain/money'
import { usdOfCoins } from '../../src/web/money-amounts'

test('no page shows more dollars than coins come to, and at most a unit of its last place less', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 50_000, max: 100_000_000 }),
      fc.integer({ min: 1_000_000, max: 2_000_000_000 }),
      fc.constantFrom(2, 4),
      (coins, thousandths, places) => {
        const rate = parseRate(String(thousandths / 1000))
        const shown = parseUsd(usdOfCoins(coins, rate, places))
        const real = dollarsOfCoins(coins, rate)
        // A page reckons in floating numbers: what they lose is far below a place.
        expect(shown).toBeLessThanOrEqual(real + 1)
        expect(real - shown).toBeLessThanOrEqual(1_000_000_000 / 10 ** places + 1)
      },
    ),
  )
})

test('half a cent is not rounded up', () => {
  expect(usdOfCoins(50_000, '98500', 2)).toBe('0.50')
  expect(usdOfCoins(50_000, '98500', 4)).toBe('0.5076')
})
