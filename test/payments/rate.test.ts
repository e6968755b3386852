import { describe, expect, test } from 'bun:test'
import { dollarsOfCoins, parseRate } from '../../src/business/payments/rate'

describe('a rate', () => {
  test.each([
    ['1050000', '1050000'],
    [' 1.50 ', '1.5'],
    ['1e6', '1000000'],
    ['0.000001', '0.000001'],
  ])('%s is kept as %s', (text, kept) => expect(parseRate(text)).toBe(kept))

  test.each(['', 'x', '0', '-1', 'Infinity', 'NaN', '1.0000001', '1e30'])('%p is refused', (text) =>
    expect(() => parseRate(text)).toThrow(RangeError),
  )
})

describe('coins', () => {
  test.each([
    [50_000, '1050000', 47_619_047],
    [50_000, '50000', 1_000_000_000],
    [49_999, '50000', 999_980_000],
    [1, '3', 333_333_333],
    [2, '3', 666_666_666],
    [1, '1000000001', 0],
  ])('%d at %s come to %d nano-dollars, rounded down', (coins, rate, nanos) => {
    expect(dollarsOfCoins(coins, rate)).toBe(nanos as never)
  })

  test('lose no digit however many there are', () => {
    expect(dollarsOfCoins(9_007_199_254_740_991, '1000000007')).toBe(
      Number((9_007_199_254_740_991n * 1_000_000_000n) / 1_000_000_007n) as never,
    )
  })

  test('that are more than an account can hold are refused', () => {
    expect(() => dollarsOfCoins(9_007_199_254_740_991, '1')).toThrow(
      'more than an account can hold',
    )
  })
})
