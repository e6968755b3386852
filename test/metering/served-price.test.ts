import { describe, expect, test } from 'bun:test'
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import type { Ms } from '../../src/domain/clock'
import type { PriceLine } from '../../src/domain/model'
import type { Meter, Units } from '../../src/domain/usage'
import { unpricedWords, vendorPrice } from '../../src/gateway/metering/price'
import { compileCard } from '../../src/gateway/metering/price-card'
import { priceLine } from '../../src/gateway/metering/pricing-view'

const compiled = (lines: readonly PriceLine[]) =>
  compileCard({ version: '', validFrom: 0 as Ms, lines })
const cardOf = (prices: Readonly<Record<string, string>>) =>
  compiled(Object.entries(prices).map(([key, usd]) => priceLine(key, usd)))

const card = cardOf({
  input_per_million: '2',
  input_per_million_above_200k: '4',
  cached_input_per_million: '0.5',
  output_per_million: '10',
  per_web_search: '0.01',
  'input_per_million@priority': '5',
  'cached_input_per_million@priority': '1',
  'output_per_million@priority': '20',
  'input_per_million@fast': '12',
  'input_per_million@us': '2.2',
  'output_per_million@fast': '60',
  'output_per_million@us': '11',
  'output_per_million@fast+us': '66',
})
const of = (units: Units, ...served: readonly string[]) => {
  const cost = vendorPrice(units, card, 1, served)
  return [Number(cost?.amount) / 1e3, cost?.complete, ...unpricedWords(units, card, 1, served)]
}

describe('what a vendor says that it served', () => {
  test('costs what its card has for that, tokens alone', () => {
    const units = { input: 1000, cached_input: 100, output: 10, 'tool:web_search': 1 } as const
    expect(of(units, 'service_tier priority')).toEqual([5000 + 100 + 200 + 10_000, true])
    expect(of({ input: 1000 }, 'traffic_type on_demand_priority')).toEqual([5000, true])
    expect(of({ output_image: 10 }, 'service_tier priority')).toEqual([200, true])
  })

  test('costs the usual where the card has nothing for it, and is no sure cost', () => {
    const unknown = 'service_tier flex'
    expect(of({ input: 1000 }, unknown)).toEqual([2000, false, unknown])
    expect(of({ 'tool:web_search': 1 }, unknown)).toEqual([10_000, true])
    // Known for the output, not for what was cached.
    expect(of({ cached_input: 1000, output: 10 }, 'speed fast')).toEqual([
      500 + 600,
      false,
      'speed fast',
    ])
  })

  test('above a size costs what the card has for that size', () => {
    const units = { input: 300_000 }
    const priority = 'service_tier priority'
    expect(of(units, priority)).toEqual([300_000 * 4, false, priority])
    const sized = cardOf({
      input_per_million: '2',
      input_per_million_above_200k: '4',
      'input_per_million@priority': '5',
      'input_per_million@priority_above_200k': '9',
    })
    expect(vendorPrice(units, sized, 1, [priority])).toEqual({
      amount: (300_000 * 9000) as never,
      complete: true,
    })
    // Three prompts of one size: none of them is above it.
    expect(vendorPrice(units, sized, 3, [priority])?.amount).toBe((300_000 * 5000) as never)
  })

  test('of two words costs what both have together, else the dearest of them', () => {
    const both = ['speed fast', 'inference_geo us'] as const
    for (const words of [both, both.toReversed()])
      expect(of({ output: 10 }, ...words)).toEqual([660, true])
    expect(of({ input: 10 }, ...both)).toEqual([120, false, both.join(', ')])
    expect(of({ input: 10 }, 'service_tier priority', 'inference_geo eu')).toEqual([
      50,
      false,
      'inference_geo eu',
    ])
  })
})

const meters = ['input', 'cached_input', 'cache_write_1h', 'output', 'output_image'] as const
const wider: Readonly<Record<string, readonly string[]>> = {
  input: [],
  cached_input: ['input'],
  cache_write_1h: ['cache_write_5m', 'input'],
  output: [],
  output_image: ['output'],
}
const suffixes = ['', '@flex', '@priority', '@us', '@priority+us'] as const
const tiers = [
  [],
  ['service_tier flex'],
  ['service_tier priority'],
  ['service_tier priority', 'inference_geo us'],
] as const
const suffixOf: Readonly<Record<string, readonly string[]>> = {
  'service_tier flex': ['@flex'],
  'service_tier priority': ['@priority'],
  'service_tier priority,inference_geo us': ['@priority+us', '@priority', '@us'],
}

/** Dollars, worked out from the lines themselves. */
function expected(lines: readonly PriceLine[], units: Units, served: readonly string[]) {
  const counts = (Object.entries(units) as [Meter, number][]).filter(([, count]) => count > 0)
  const size = counts.reduce((sum, [m, n]) => sum + (m.startsWith('output') ? 0 : n), 0)
  const over = ({ when }: PriceLine) => when?.inputAbove ?? -1
  const held = (meter: string) =>
    lines
      .filter((line) => line.meter === meter && size > over(line))
      .toSorted((a, b) => over(b) - over(a))[0]
  let sum = new Decimal(0)
  let sure = true
  for (const [meter, count] of counts) {
    const [whole, ...parts] = suffixOf[served.join()] ?? []
    const name = [meter, ...(wider[meter] ?? [])].find((each) => held(each) ?? held(each + whole))
    const usual = held(name ?? '')
    const under = (suffix: string | undefined) => {
      const line = suffix === undefined ? undefined : held(`${name ?? ''}${suffix}`)
      return line === undefined || over(line) < (usual === undefined ? -1 : over(usual))
        ? []
        : [new Decimal(line.price)]
    }
    const [exact] = under(whole)
    const some = parts.flatMap(under)
    sure &&= exact !== undefined || served.length === 0
    const dearest = some.length === 0 ? undefined : Decimal.max(...some)
    sum = sum.plus((exact ?? dearest ?? new Decimal(usual?.price ?? 0)).times(count))
  }
  // Dollars a million are nano-dollars a thousandth.
  return { amount: Number(sum.times(1000).ceil()), complete: sure }
}

test('over random cards, usages and tiers is the same as worked out by decimals', () => {
  const usd = fc.integer({ min: 1, max: 99_999_999 }).map((n) => new Decimal(n).div(1e6).toFixed())
  const line = fc.record({
    meter: fc
      .tuple(fc.constantFrom(...meters), fc.constantFrom(...suffixes))
      .map(([meter, suffix]) => `${meter}${suffix}` as Meter),
    unit: fc.constant('million' as const),
    price: usd,
    when: fc.option(fc.constantFrom({ inputAbove: 500 }, { inputAbove: 2000 }), { nil: undefined }),
  })
  const bases = fc.tuple(usd, usd).map(([input, output]): readonly PriceLine[] => [
    { meter: 'input', unit: 'million', price: input },
    { meter: 'output', unit: 'million', price: output },
  ])
  const cards = fc.tuple(
    bases,
    fc.uniqueArray(line, {
      maxLength: 20,
      selector: (each) => [each.meter, each.when?.inputAbove].join(),
    }),
  )
  const usages = fc.record(
    Object.fromEntries(meters.map((meter) => [meter, fc.integer({ min: 0, max: 3000 })])),
  )
  fc.assert(
    fc.property(cards, usages, fc.constantFrom(...tiers), ([base, more], units, served) => {
      const isOfBase = ({ meter, when }: PriceLine) =>
        when === undefined && base.some((each) => each.meter === meter)
      const lines = [...base, ...(more as PriceLine[]).filter((each) => !isOfBase(each))]
      const cost = vendorPrice(units, compiled(lines), 1, served.length === 0 ? undefined : served)
      expect<object | null>(cost).toEqual(expected(lines, units, served))
    }),
    { numRuns: 5000 },
  )
})
