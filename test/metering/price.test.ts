import { describe, expect, test } from 'bun:test'
import { Decimal } from 'decimal.js'
import * as fc from 'fast-check'
import type { Ms } from '../../src/domain/clock'
import type { PriceLine } from '../../src/domain/model'
import type { Meter, Units } from '../../src/domain/usage'
import { price as priceOf, priceLines } from '../../src/gateway/metering/price'
import { compileCard } from '../../src/gateway/metering/price-card'

const Exact = Decimal.clone({ precision: 60 })

const compiled = (...lines: PriceLine[]) =>
  compileCard({ version: 'v1', validFrom: 0 as Ms, lines })
const line = (meter: Meter, price: string, inputAbove?: number): PriceLine => ({
  meter,
  price,
  unit: 'million',
  ...(inputAbove === undefined ? {} : { when: { inputAbove } }),
})

/** Nano-dollars as a plain number, to compare. */
const price = (...call: Parameters<typeof priceOf>): number => priceOf(...call)

const gpt4o = compiled(line('input', '2.5'), line('cached_input', '1.25'), line('output', '10'))

const meters = ['input', 'cached_input', 'output', 'image', 'audio_second', 'character'] as const
const perUnit = { million: 1_000_000, each: 1, minute: 60 } as const

/** Prices with at most nine decimals a unit, as a card of any kind has them. */
const cards = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 90_000_000 }), {
      minLength: meters.length,
      maxLength: meters.length,
    }),
    fc.constantFrom('million' as const, 'each' as const),
  )
  .map(([digits, unit]) =>
    meters.map((meter, at): PriceLine => ({
      meter,
      unit,
      price: new Exact(digits[at] ?? 1).div('1e9').toFixed(),
    })),
  )
const counts = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.integer({ min: 0, max: 10 }),
  fc.integer({ min: 0, max: 3_600_000 }).map((thousandths) => thousandths / 1000),
)
const usages: fc.Arbitrary<Units> = fc.record(
  Object.fromEntries(meters.map((meter) => [meter, counts])),
  { requiredKeys: [] },
)

/** Dollars, by decimal arithmetic alone and without rounding. */
const exactly = (units: Units, lines: readonly PriceLine[]): Decimal =>
  lines.reduce(
    (sum, { meter, price, unit }) =>
      sum.plus(new Exact(price).times(units[meter] ?? 0).div(perUnit[unit])),
    new Exact(0),
  )
const rounded = (dollars: Decimal): number => dollars.times('1e9').ceil().toNumber()

describe('the price of a call', () => {
  test('is units times rates', () => {
    expect(price({ input: 1_000_000 }, gpt4o)).toBe(2_500_000_000)
    expect(price({ input: 1000, cached_input: 500, output: 200 }, gpt4o)).toBe(5_125_000)
    expect(price({}, gpt4o)).toBe(0)
    expect(price({ input: 0, image: 0 }, gpt4o)).toBe(0)
  })

  test('is rounded up once, not once a meter', () => {
    const card = compiled(line('input', '0.0001'), line('output', '0.0001'))
    expect(price({ input: 1 }, card)).toBe(1)
    expect(price({ input: 5000, output: 5000 }, card)).toBe(1000)
    expect(price({ input: 3, output: 4 }, card)).toBe(1)
    expect(price({ input: 6, output: 5 }, card)).toBe(2)
  })

  test('is exact beyond 2^53', () => {
    const card = compiled({ meter: 'video_second', price: '0.500000001', unit: 'each' })
    expect(price({ video_second: 1_000_001 }, card)).toBe(500_000_501_000_001)
    expect(price({ video_second: 12.5 }, card)).toBe(6_250_000_013)
  })

  test('is exact where a price is above what a double counts by ones', () => {
    const card = compiled({ meter: 'request', price: '123.456789012', unit: 'each' })
    expect(price({ request: 1 }, card)).toBe(123_456_789_012)
    expect(price({ request: 3 }, card)).toBe(370_370_367_036)
    expect(priceLines({ request: 3 }, card)).toEqual([
      { meter: 'request', units: 3, unitPrice: '123.456789012', amount: '370.370367036' },
    ])
  })

  test('takes the highest tier that all input together passes, for the whole call', () => {
    const card = compiled(
      line('input', '1'),
      line('input', '2', 128_000),
      line('input', '3', 200_000),
      line('output', '10'),
      line('output', '20', 200_000),
    )
    expect(price({ input: 128_000 }, card)).toBe(128_000_000)
    expect(price({ input: 128_001 }, card)).toBe(256_002_000)
    expect(price({ input: 200_000, output: 1000 }, card)).toBe(410_000_000)
    expect(price({ input: 1, cached_input: 200_000, output: 1000 }, card)).toBe(620_003_000)
    expect(price({ output: 900_000 }, card)).toBe(9_000_000_000)
  })

  test('refuses a meter without a price and a count that is none', () => {
    expect(() => price({ image: 1 }, gpt4o)).toThrow('no price for image')
    expect(() => price({ 'tool:web_search': 1 }, gpt4o)).toThrow('no price for tool:web_search')
    for (const count of [-1, Number.NaN, Infinity]) {
      expect(() => price({ input: count }, gpt4o)).toThrow('no number from 0')
      expect(() => priceLines({ input: count }, gpt4o)).toThrow('no number from 0')
    }
  })

  test('any usage costs its exact product, rounded up', () => {
    fc.assert(
      fc.property(cards, usages, (lines, units) => {
        expect(price(units, compiled(...lines))).toBe(rounded(exactly(units, lines)))
      }),
      { numRuns: 500 },
    )
  })

  test('any more usage never costs less', () => {
    fc.assert(
      fc.property(
        cards,
        usages,
        fc.constantFrom(...meters),
        counts,
        (lines, units, meter, more) => {
          const card = compiled(...lines)
          const bigger = { ...units, [meter]: (units[meter] ?? 0) + more }
          expect(price(bigger, card)).toBeGreaterThanOrEqual(price(units, card))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('any two halves of a usage cost at most a nano-dollar more than the whole', () => {
    fc.assert(
      fc.property(cards, usages, usages, (lines, one, two) => {
        const card = compiled(...lines)
        const both = Object.fromEntries(
          meters.map((meter) => [
            meter,
            new Exact(one[meter] ?? 0).plus(two[meter] ?? 0).toNumber(),
          ]),
        )
        const apart = price(one, card) + price(two, card)
        expect(apart - price(both, card)).toBeGreaterThanOrEqual(0)
        expect(apart - price(both, card)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('takes less than half a microsecond for input and output', () => {
    const calls = 200_000
    const runs = Array.from({ length: 5 }, () => {
      const began = performance.now()
      for (let input = 0; input < calls; input++) priceOf({ input, output: 200 }, gpt4o)
      return ((performance.now() - began) * 1000) / calls
    })
    expect(Math.min(...runs)).toBeLessThan(0.5)
  })
})

describe('the lines of a price', () => {
  test('are units times unit price', () => {
    expect(priceLines({ input: 1000, cached_input: 0, output: 7 }, gpt4o)).toEqual([
      { meter: 'input', units: 1000, unitPrice: '0.0000025', amount: '0.0025' },
      { meter: 'output', units: 7, unitPrice: '0.00001', amount: '0.00007' },
    ])
  })

  test('take the tier and the wider meter that the price took', () => {
    const card = compiled(line('input', '1'), line('input', '2', 100), line('output', '4'))
    expect(priceLines({ cached_input: 101, output_audio: 1 }, card)).toEqual([
      { meter: 'cached_input', units: 101, unitPrice: '0.000002', amount: '0.000202' },
      { meter: 'output_audio', units: 1, unitPrice: '0.000004', amount: '0.000004' },
    ])
  })

  test('any lines add up to the price before its rounding', () => {
    fc.assert(
      fc.property(cards, usages, (lines, units) => {
        const card = compiled(...lines)
        let sum = new Exact(0)
        for (const { units: count, unitPrice, amount } of priceLines(units, card)) {
          expect(`${unitPrice} ${amount}`).not.toMatch(/e/i)
          expect(new Exact(unitPrice).times(count).equals(amount)).toBe(true)
          sum = sum.plus(amount)
        }
        expect(sum.equals(exactly(units, lines))).toBe(true)
        expect(rounded(sum)).toBe(price(units, card))
      }),
      { numRuns: 300 },
    )
  })
})
