import { describe, expect, test } from 'bun:test'
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { modelPage } from '../../src/console/models/model-view'
import type { PriceCard, PriceLine } from '../../src/domain/model'
import { parseUsd, showUsd } from '../../src/domain/money'
import type { Meter, Units } from '../../src/domain/usage'
import { ceilingPrice, price } from '../../src/gateway/metering/price'
import { billedUnits, compileCard } from '../../src/gateway/metering/price-card'
import { callNanos, coinsOf, nanosOfUsd, usdOfNanos } from '../../src/web/call-price'

/** What the page is told of a model with this card, after its way through JSON. */
function ratesFor(card: PriceCard) {
  const rates = compileCard(card)
  const { rates: told } = modelPage({
    id: 'm',
    type: 'chat',
    name: 'm',
    ownedBy: 'o',
    description: null,
    contextLength: null,
    maxOutputTokens: null,
    capabilities: {},
    traits: {},
    isFree: false,
    card,
    rates,
    isSandbox: false,
  })
  return { rates, told: JSON.parse(JSON.stringify(told)) as typeof told }
}

const meters: readonly Meter[] = [
  'input',
  'cached_input',
  'cache_write_5m',
  'output',
  'input_audio',
  'output_image',
  'image',
  'image:high 1024x1024',
  'video_second:1280x720',
  'audio_second',
  'character',
  'request',
  'tool:web_search',
]

const decimal = fc
  .tuple(fc.integer({ min: 0, max: 499 }), fc.integer({ min: 0, max: 999_999_999 }))
  .map(([whole, rest]) => `${whole}.${String(rest).padStart(9, '0')}`)
const line = (meter: Meter) =>
  fc.record({
    meter: fc.constant(meter),
    price: decimal,
    unit: fc.constantFrom<PriceLine['unit'][]>('million', 'each', 'minute'),
  })
const priced = fc
  .subarray([...meters], { minLength: 1 })
  .chain((some) => fc.tuple(...some.map(line)))
  .chain((lines) =>
    fc
      .array(
        fc.record({
          at: fc.nat({ max: lines.length - 1 }),
          price: decimal,
          inputAbove: fc.constantFrom(1000, 200_000),
        }),
        { maxLength: 3 },
      )
      .map((more): PriceCard => {
        const above = more.flatMap(({ at, price: dearer, inputAbove }) => {
          const of = lines[at]
          return of === undefined ? [] : [{ ...of, price: dearer, when: { inputAbove } }]
        })
        return { version: 'v', validFrom: 0 as never, lines: [...lines, ...above] }
      }),
  )
const calls = priced.chain((card) =>
  fc.tuple(
    fc.constant(card),
    fc.tuple(
      ...card.lines.map(({ meter }) =>
        fc.tuple(fc.constant(meter), fc.integer({ min: 0, max: 400_000 })),
      ),
    ),
  ),
)

describe('the calculator of a model', () => {
  test('comes to what a call of these units is charged, to the nano-dollar', () => {
    fc.assert(
      fc.property(calls, ([card, entries]) => {
        const units = Object.fromEntries(entries.filter(([, count]) => count > 0)) as Units
        const { rates, told } = ratesFor(card)
        const most = BigInt(Number.MAX_SAFE_INTEGER)
        const nanos = callNanos(units as Record<string, number>, told)
        // More than that no account can hold.
        expect(nanos > most ? most : nanos).toBe(
          BigInt(ceilingPrice(billedUnits(units, rates), rates)),
        )
      }),
      { numRuns: 2000 },
    )
  })

  test('does not lose a digit where rates and sums leave the whole numbers of a double', () => {
    const card: PriceCard = {
      version: 'v',
      validFrom: 0 as never,
      lines: [{ meter: 'input', price: '499.123456789', unit: 'each' }],
    }
    const { rates, told } = ratesFor(card)
    const units = { input: 17_999 }
    expect(price(units, rates)).toBe(8_983_723_098_745_211 as never)
    expect(callNanos(units, told)).toBe(499_123_456_789n * 17_999n)
  })

  test('writes dollars as the interface does, and reads them again', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (nanos) => {
        const usd = usdOfNanos(BigInt(nanos))
        expect(parseUsd(usd)).toBe(nanos as never)
        expect(nanosOfUsd(usd)).toBe(BigInt(nanos))
        expect(nanosOfUsd(showUsd(nanos as never))).toBe(BigInt(nanos))
      }),
    )
  })

  test('tells coins by the rate without rounding', () => {
    const Exact = Decimal.clone({ precision: 60 })
    const rates = fc
      .tuple(fc.integer({ min: 1, max: 9_000_000 }), fc.integer({ min: 0, max: 999_999 }))
      .map(([whole, rest]) => `${whole}.${String(rest).padStart(6, '0')}`)
    fc.assert(
      fc.property(decimal, rates, (usd, rate) => {
        expect(new Exact(coinsOf(usd, rate)).eq(new Exact(usd).times(rate))).toBe(true)
      }),
    )
    expect(coinsOf('0.15', '105000')).toBe('15750.00')
    expect(coinsOf('2', '105000')).toBe('210000')
  })
})
