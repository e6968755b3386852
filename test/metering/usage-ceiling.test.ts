import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Ms } from '../../src/domain/clock'
import type { PriceLine } from '../../src/domain/model'
import type { NanoUsd } from '../../src/domain/money'
import { inputUnits, outputUnits, type Meter, type Units } from '../../src/domain/usage'
import { price } from '../../src/gateway/metering/price'
import { billedUnits, compileCard } from '../../src/gateway/metering/price-card'
import { ceilingCost, unitsFor, unitsWithin } from '../../src/gateway/metering/usage-ceiling'

const ceiling = {
  inputTokens: 16_000,
  outputTokens: 500,
  others: { 'tool:web_search': 9 },
} as const

test('what a call can use is believed to the letter', () => {
  const units: Units = { input: 15_000, cached_input: 1000, output: 500, 'tool:web_search': 9 }
  expect(unitsWithin(units, ceiling)).toBe(units)
  const request: Units = { input: 1, request: 1 }
  expect(unitsWithin(request, ceiling)).toBe(request)
})

test('what is beyond is cut in the proportions that were told', () => {
  expect(unitsWithin({ input: 3e9, cached_input: 1e9, output: 7 }, ceiling)).toEqual({
    input: 12_000,
    cached_input: 4000,
    output: 7,
  })
  const wild: Units = { output: 1e12, 'tool:web_search': 1e9, 'tool:shell': 3, character: 5 }
  expect(unitsWithin(wild, ceiling)).toEqual({ output: 500, 'tool:web_search': 9 })
})

const meters = [
  'input',
  'cached_input',
  'cache_write_5m',
  'input_audio',
  'output',
  'output_audio',
  'tool:web_search',
] as const satisfies readonly Meter[]

const line = (meter: Meter): fc.Arbitrary<PriceLine> =>
  fc.record({
    meter: fc.constant(meter),
    unit: fc.constant(meter.startsWith('tool') ? 'each' : 'million'),
    price: fc.tuple(fc.nat(400), fc.nat(999_999)).map(([whole, part]) => `${whole}.${part}`),
  })
const card = fc
  .tuple(
    fc.tuple(...meters.map(line)),
    fc.option(fc.tuple(fc.nat(20_000), line('input'), line('output'))),
  )
  .map(([lines, tier]) => {
    if (tier === null) return lines
    const [inputAbove, ...dearer] = tier
    return [...lines, ...dearer.map((each) => ({ ...each, when: { inputAbove } }))]
  })
  .map((lines) => compileCard({ version: '1', validFrom: 0 as Ms, lines }))
const count = fc.oneof(fc.nat(3000), fc.nat(2 ** 40))
const counts: fc.Arbitrary<Units> = fc.record(
  Object.fromEntries(meters.map((meter) => [meter, count])),
  { requiredKeys: [] },
)

test('no count costs more than the ceiling, and none grows', () => {
  fc.assert(
    fc.property(counts, card, (told, rates) => {
      const possible = billedUnits(unitsWithin(told, ceiling), rates)
      expect(inputUnits(possible)).toBeLessThanOrEqual(ceiling.inputTokens)
      expect(outputUnits(possible)).toBeLessThanOrEqual(ceiling.outputTokens)
      for (const meter of meters) expect(possible[meter] ?? 0).toBeLessThanOrEqual(told[meter] ?? 0)
      expect(price(possible, rates)).toBeLessThanOrEqual(ceilingCost(ceiling, rates))
    }),
  )
})

test('units that an amount pays for cost no more than it', () => {
  fc.assert(
    fc.property(counts, card, fc.double({ min: 0, max: 1, noNaN: true }), (told, rates, share) => {
      const units = unitsWithin(told, ceiling)
      const cost = price(units, rates)
      const amount = Math.floor(cost * share) as NanoUsd
      const paid = unitsFor(units, amount, (some) => price(some, rates))
      expect(price(paid, rates)).toBeLessThanOrEqual(amount)
    }),
  )
})

test('what is left of a cheap tier is cut again where the rest is dearer', () => {
  const output = (price: string) => ({ meter: 'output', unit: 'million', price }) as const
  const rates = compileCard({
    version: '1',
    validFrom: 0 as Ms,
    lines: [
      { meter: 'input_audio', unit: 'million', price: '0' },
      output('1000'),
      { ...output('100'), when: { inputAbove: 0 } },
    ],
  })
  const units: Units = { input_audio: 1, output: 6 }
  const amount = 100_000 as NanoUsd
  expect(price(units, rates)).toBe(600_000 as NanoUsd)
  // One token by the cheap tier would be ten times the amount without the input that led to it.
  expect(unitsFor(units, amount, (some) => price(some, rates))).toEqual({})
})
