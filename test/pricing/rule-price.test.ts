import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Ms } from '../../src/domain/clock'
import type { PriceLine } from '../../src/domain/model'
import type { Meter, Units } from '../../src/domain/usage'
import { price } from '../../src/gateway/metering/price'
import { compileCard } from '../../src/gateway/metering/price-card'
import { highestOf, rulePrice, sameLines } from '../../src/business/pricing/rule-price'
import type { PricingRule } from '../../src/domain/pricing-rules'
import { dearerThan, leastMargin } from '../../src/business/pricing/shortfall'

const million = (meter: Meter, usd: string, inputAbove?: number): PriceLine => ({
  meter,
  unit: 'million',
  price: usd,
  ...(inputAbove === undefined ? {} : { when: { inputAbove } }),
})
const plain = {
  feePerCall: null,
  digits: null,
  basis: 'highest',
} as const satisfies Partial<PricingRule>
const everything: PricingRule = {
  id: 1,
  kind: 'everything',
  name: '',
  markupPercent: '0',
  ...plain,
}
const rule = (kind: PricingRule['kind'], name: string, more: Partial<PricingRule>) => ({
  ...everything,
  id: 2,
  kind,
  name,
  ...more,
})
const model = {
  id: 'gpt-4o',
  type: 'chat',
  ownedBy: 'openai',
  isFree: false,
  traits: {},
} as const
const cost = (vendor: string, ...lines: readonly PriceLine[]) => ({ vendor, lines })
const usual = cost('openai', million('input', '2.5'), million('output', '10'))
const pricesBy = (rules: readonly PricingRule[], costs = [usual]) =>
  Object.fromEntries(
    (rulePrice(model, costs, [everything, ...rules])?.lines ?? []).map(
      ({ meter, when, price: usd }) => [meter + (when === undefined ? '' : '+'), usd],
    ),
  )

describe('a price by rule', () => {
  test('is what it costs as long as there is one rule of nothing', () => {
    expect(rulePrice(model, [usual], [everything])).toEqual({ lines: usual.lines, rule: 1 })
  })

  test('is made by the narrowest rule: model, type, owner, vendor, everything', () => {
    const rules = [
      rule('vendor', 'openai', { markupPercent: '10' }),
      rule('owner', 'openai', { markupPercent: '20' }),
      rule('type', 'chat', { markupPercent: '30' }),
      rule('model', 'gpt-4o', { markupPercent: '40' }),
      rule('model', 'another', { markupPercent: '90' }),
    ]
    expect(pricesBy(rules.slice(0, 1))).toEqual({ input: '2.75', output: '11' })
    expect(pricesBy(rules.slice(0, 2))).toEqual({ input: '3', output: '12' })
    expect(pricesBy(rules.slice(0, 3))).toEqual({ input: '3.25', output: '13' })
    expect(pricesBy(rules)).toEqual({ input: '3.5', output: '14' })
  })

  test('takes each route with its own rule, then the highest of each price', () => {
    const backup = cost('backup', million('input', '2'), million('output', '11'))
    const marked = [rule('vendor', 'openai', { markupPercent: '20' })]
    // 2.5 and 10 with 20 % are 3 and 12; the backup's are 2 and 11.
    expect(pricesBy(marked, [usual, backup])).toEqual({ input: '3', output: '12' })
    expect(pricesBy([], [usual, backup])).toEqual({ input: '2.5', output: '11' })
  })

  test('can be that of the first route, or one that is typed', () => {
    const dearer = cost('backup', million('input', '9'), million('output', '90'))
    const first = { ...everything, basis: 'first' } as const
    expect(rulePrice(model, [usual, dearer], [first])?.lines).toEqual(usual.lines)
    const typed = { ...everything, basis: 'typed' } as const
    expect(rulePrice(model, [usual], [typed])).toBeNull()
    expect(rulePrice(model, [], [everything])).toBeNull()
  })

  test('has a fee for each call, and is rounded up where it is told so', () => {
    const rounded = rule('model', 'gpt-4o', { markupPercent: '7', digits: 2, feePerCall: '0.001' })
    expect(pricesBy([rounded])).toEqual({ input: '2.7', output: '11', request: '0.001' })
    const realtime = { ...model, traits: { realtime: true } }
    const lines = rulePrice(realtime, [usual], [everything, rounded])?.lines ?? []
    expect(lines.map(({ meter }) => meter)).toEqual(['input', 'output'])
  })

  test('knows that a cache read without a price of its own is billed as input', () => {
    const cached = cost('a', million('input', '2'), million('cached_input', '0.5'))
    const without = cost('b', million('input', '1.5'))
    expect(pricesBy([], [cached, without])).toEqual({ input: '2', cached_input: '1.5' })
  })
})

const meters = ['input', 'cached_input', 'output', 'input_audio', 'output_audio'] as const
const line: fc.Arbitrary<PriceLine> = fc
  .record({ meter: fc.constantFrom(...meters), usd: fc.nat(9999), tier: fc.nat(3) })
  .map(({ meter, usd, tier }) =>
    million(meter, (usd / 100).toString(), tier === 0 ? undefined : tier * 1000),
  )
const card: fc.Arbitrary<readonly PriceLine[]> = fc
  .uniqueArray(line, { selector: ({ meter, when }) => `${meter} ${when?.inputAbove}` })
  .map((lines) => [
    million('input', '1'),
    million('output', '2'),
    ...lines.filter(({ meter, when }) => when !== undefined || !/^(in|out)put$/.test(meter)),
  ])
const usage: fc.Arbitrary<Units> = fc.record(
  Object.fromEntries(meters.map((meter) => [meter, fc.nat(4000)])),
)
const costOf = (units: Units, lines: readonly PriceLine[]) =>
  price(units, compileCard({ version: '', validFrom: 0 as Ms, lines }))

test('the highest of several cards covers each of them, whatever a call uses', () => {
  fc.assert(
    fc.property(fc.array(card, { minLength: 1, maxLength: 3 }), usage, (cards, units) => {
      const sold = highestOf(cards)
      for (const lines of cards) {
        expect(costOf(units, sold)).toBeGreaterThanOrEqual(costOf(units, lines))
        expect(dearerThan(sold, lines)).toEqual([])
      }
    }),
  )
})

test('what is sold below cost is found, also where it is so for long calls only', () => {
  const sale = [million('input', '3'), million('output', '12')]
  const dear = [million('input', '2'), million('input', '4', 200_000), million('output', '8')]
  expect(dearerThan(sale, dear)).toEqual([
    { meter: 'input', inputAbove: 200_000, cost: '0.000004', sale: '0.000003' },
  ])
  expect(leastMargin(sale, dear)).toBe('-25')
  expect(leastMargin(sale, sale)).toBe('0')
  expect(leastMargin(sale, [million('input', '0')])).toBeNull()
})

test('cards are the same however they are written', () => {
  const perMinute: PriceLine = { meter: 'audio_second', unit: 'minute', price: '0.6' }
  const each: PriceLine = { meter: 'audio_second', unit: 'each', price: '0.010' }
  expect(sameLines([perMinute], [each])).toBe(true)
  expect(sameLines([million('input', '2')], [million('input', '2.0')])).toBe(true)
  expect(sameLines([million('input', '2')], [million('input', '2', 1000)])).toBe(false)
})

test('a price by the picture is below cost where the largest it sells takes more tokens', () => {
  const tokens = [million('input', '5'), million('output_image', '40')]
  const image = (price: string, look = ''): PriceLine => ({
    meter: `image${look}` as PriceLine['meter'],
    unit: 'each',
    price,
  })
  const model = { traits: {}, capabilities: {} }
  // 4160 tokens a million pixels, at high quality.
  expect(dearerThan([image('0.24')], tokens, model)).toEqual([
    { meter: 'image', inputAbove: null, cost: '0.2496', sale: '0.24' },
  ])
  expect(dearerThan([image('0.25')], tokens, model)).toEqual([])
  const square = { traits: {}, capabilities: { sizes: ['1024x1024', 'auto'] } }
  expect(dearerThan([image('0.17')], tokens, square)).toEqual([])
  expect(dearerThan([image('0.11')], tokens, { traits: { pictureTokens: 3000 } })).toEqual([
    { meter: 'image', inputAbove: null, cost: '0.12', sale: '0.11' },
  ])
  const looks = [
    image('0.02', ':low'),
    image('0.05', ':medium 1024x1024'),
    image('0.1', ':high 1024x1024'),
    image('0', ':partial'),
  ]
  expect(dearerThan(looks, tokens, model).map(({ meter }) => meter)).toEqual([
    'image:high 1024x1024',
  ])
  // One price for all sells what the vendor bills apart.
  expect(dearerThan([image('0.05')], [image('0.02', ':low'), image('0.2', ':high')])).toEqual([
    { meter: 'image:high', inputAbove: null, cost: '0.2', sale: '0.05' },
  ])
  // What is sold by its tokens covers them, and what is billed by the picture is compared by it.
  expect(dearerThan([...tokens], tokens, model)).toEqual([])
  expect(dearerThan([image('0.1')], [image('0.05')], model)).toEqual([])
})
