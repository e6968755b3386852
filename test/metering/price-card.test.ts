import { describe, expect, test } from 'bun:test'
import { Decimal } from 'decimal.js'
import * as fc from 'fast-check'
import type { Ms } from '../../src/domain/clock'
import type { ModelType, PriceLine } from '../../src/domain/model'
import {
  compileCard,
  isComplete,
  missingPrices,
  rateFor,
  silentLines,
  variantMeter,
} from '../../src/gateway/metering/price-card'
import { price } from '../../src/gateway/metering/price'

const card = (...lines: PriceLine[]) => ({ version: 'v1', validFrom: 0 as Ms, lines })
const line = (
  meter: PriceLine['meter'],
  price: string,
  unit: PriceLine['unit'] = 'million',
): PriceLine => ({ meter, price, unit })

describe('a compiled card', () => {
  test('counts in nano-dollars per million units, whatever the unit of the price', () => {
    const { base } = compileCard(
      card(
        line('input', '2.5'),
        line('image', '0.04', 'each'),
        line('audio_second', '0.006', 'minute'),
      ),
    )
    expect(base).toEqual({
      input: 2_500_000_000,
      image: 40_000_000_000_000,
      audio_second: 100_000_000_000,
    })
  })

  test('is exact down to a nano-dollar per million, and rounds finer prices up', () => {
    const rate = (price: string) => compileCard(card(line('input', price))).base['input']
    expect(rate('0.000000001')).toBe(1)
    expect(rate('1e-9')).toBe(1)
    expect(rate('0.0000000001')).toBe(1)
    expect(rate('0.0000000011')).toBe(2)
    expect(rate('2.5e-07')).toBe(250)
    expect(rate('0')).toBe(0)
  })

  test('does not round a minute up where its sixtieth is whole', () => {
    const rate = (price: string) =>
      compileCard(card(line('audio_second', price, 'minute'))).base['audio_second']
    expect(rate('0.0018498')).toBe(30_830_000_000)
    expect(rate('0.00000000000001')).toBe(1)
  })

  test('any price is the exact product rounded up, however it is written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.integer({ min: 0, max: 14 }),
        fc.constantFrom('million' as const, 'each' as const, 'minute' as const),
        fc.boolean(),
        (digits, decimals, unit, exponent) => {
          const price = new Decimal(digits).div(new Decimal(10).pow(decimals))
          const perUnit = { million: 1_000_000, each: 1, minute: 60 }[unit]
          const exact = price.times('1e15').div(perUnit).ceil()
          fc.pre(exact.lessThan(Number.MAX_SAFE_INTEGER))
          const text = exponent ? price.toExponential() : price.toFixed()
          const { base } = compileCard(card(line('character', text, unit)))
          expect(base['character']).toBe(exact.toNumber())
        },
      ),
    )
  })

  test('has a whole table for each threshold, the highest first', () => {
    const { base, tiers } = compileCard(
      card(
        line('input', '1'),
        { ...line('input', '3'), when: { inputAbove: 200_000 } },
        line('output', '4'),
        { ...line('input', '2'), when: { inputAbove: 128_000 } },
        { ...line('output', '8'), when: { inputAbove: 128_000 } },
      ),
    )
    expect(base).toEqual({ input: 1e9, output: 4e9 })
    expect(tiers).toEqual([
      { inputAbove: 200_000, rates: { input: 3e9, output: 8e9 } },
      { inputAbove: 128_000, rates: { input: 2e9, output: 8e9 } },
    ])
  })

  test('refuses a price that is no number, below zero, or beyond what can be counted', () => {
    for (const price of ['', 'free', '-1', 'Infinity', 'NaN', '1000000000'])
      expect(() => compileCard(card(line('input', price)))).toThrow(RangeError)
    expect(() => compileCard(card(line('request', '501', 'each')))).toThrow(RangeError)
  })
})

describe('the rate of a meter', () => {
  test('is that of the wider meter when it has none of its own', () => {
    const rates = { input: 1, output: 2 }
    for (const meter of [
      'cached_input',
      'cache_write_5m',
      'cache_write_1h',
      'input_audio',
      'cached_input_audio',
      'input_image',
    ] as const)
      expect(rateFor(rates, meter)).toBe(1)
    expect(rateFor(rates, 'output_audio')).toBe(2)
    expect(rateFor(rates, 'output_image')).toBe(2)
    expect(rateFor({ ...rates, cache_write_5m: 3 }, 'cache_write_1h')).toBe(3)
    expect(rateFor({ ...rates, input_audio: 4 }, 'cached_input_audio')).toBe(4)
  })

  test('of something cached is that of a cache, where the card has one', () => {
    const rates = { input: 10, cached_input: 1, input_audio: 40, input_image: 20 }
    for (const meter of ['cached_input_audio', 'cached_input_image'] as const) {
      expect(rateFor(rates, meter)).toBe(1)
      expect(rateFor({ ...rates, [meter]: 4 }, meter)).toBe(4)
    }
    const { cached_input: _, ...uncached } = rates
    expect(rateFor(uncached, 'cached_input_audio')).toBe(40)
    expect(rateFor(uncached, 'cached_input_image')).toBe(20)
    // An independent sum: 40 heard again, 10 read again and 50 that are new.
    const units = { input: 50, cached_input: 10, cached_input_audio: 40, output: 1 }
    const cardLines = [line('input', '1'), line('cached_input', '0.1'), line('output', '2')]
    const compiled = compileCard(card(...cardLines, line('input_audio', '4')))
    expect(Number(price(units, compiled))).toBe(50 * 1000 + 50 * 100 + 1 * 2000)
  })

  test('is never zero for want of a price', () => {
    for (const meter of ['image', 'request', 'character', 'tool:web_search', 'output'] as const)
      expect(() => rateFor({ input: 1 }, meter)).toThrow('no price for')
  })
})

describe('the meter of a picture', () => {
  const plain = compileCard(card(line('image', '0.04', 'each')))
  const told = compileCard(
    card(
      line('image:high 1024x1024', '0.2', 'each'),
      line('image:low', '0.01', 'each'),
      line('image:512x512', '0.02', 'each'),
    ),
  )

  test('is the plain one of a card with one price', () => {
    expect(variantMeter(plain, 'image', { size: '1024x1024', quality: 'high' })).toBe('image')
    expect(variantMeter(plain, 'image', {})).toBe('image')
  })

  test('is the closest that a card tells, and nothing when it tells none', () => {
    const meter = (quality?: string, size?: string) =>
      variantMeter(told, 'image', {
        ...(quality === undefined ? {} : { quality }),
        ...(size === undefined ? {} : { size }),
      })
    expect(meter('high', '1024x1024')).toBe('image:high 1024x1024')
    expect(meter('low', '1024x1024')).toBe('image:low')
    expect(meter('medium', '512x512')).toBe('image:512x512')
    expect(meter('high', '1536x1024')).toBeNull()
    expect(meter()).toBeNull()
  })

  test('makes a card whole', () => {
    expect(isComplete(card(line('image:low', '0.01', 'each')), 'image', false)).toBe(true)
    expect(isComplete(card(line('video_second:1280x720', '0.1', 'each')), 'video', false)).toBe(
      true,
    )
    expect(isComplete(card(line('tool:image', '0.01', 'each')), 'image', false)).toBe(false)
  })
})

describe('a complete card', () => {
  const enough: readonly [ModelType, readonly PriceLine[]][] = [
    ['chat', [line('input', '1'), line('output', '2')]],
    ['embedding', [line('input', '1')]],
    ['image', [line('image', '1', 'each')]],
    ['image', [line('input', '1'), line('output_image', '1')]],
    ['audio_stt', [line('audio_second', '1', 'minute')]],
    ['audio_stt', [line('input', '1'), line('output', '1')]],
    ['audio_tts', [line('character', '1')]],
    ['audio_tts', [line('input', '1'), line('output_audio', '1')]],
    ['video', [line('video_second', '1', 'each')]],
    ['music', [line('request', '1', 'each')]],
    ['moderation', [line('request', '1', 'each')]],
    ['moderation', [line('input', '1')]],
  ]
  test.each(enough)('of a %s model has %j', (type, lines) => {
    expect(missingPrices(card(...lines), type, false)).toEqual([])
    for (const left of lines)
      expect(isComplete(card(...lines.filter((each) => each !== left)), type, false)).toBe(false)
  })

  test('says what is missing', () => {
    expect(missingPrices(card(line('input', '1')), 'chat', false)).toEqual(['output'])
    expect(missingPrices(card(line('input', '1')), 'audio_tts', false)).toEqual([
      'character, or input and output_audio',
    ])
    expect(missingPrices(card(line('input', 'x')), 'chat', false)).toEqual([
      'the price of input is no number: x',
    ])
  })

  test('has no zero unless the model is free', () => {
    const zero = [line('input', '0'), line('output', '0.0')]
    expect(missingPrices(card(...zero), 'chat', false)).toEqual(['input', 'output'])
    expect(isComplete(card(...zero), 'chat', true)).toBe(true)
    const silent = card(line('input', '1'), line('output', '2'), line('cached_input', '0'))
    expect(missingPrices(silent, 'chat', false)).toEqual(['cached_input'])
    const tier: PriceLine = { ...line('output', '0'), when: { inputAbove: 9 } }
    expect(isComplete(card(line('input', '1'), line('output', '2'), tier), 'chat', false)).toBe(
      false,
    )
  })

  test('has nothing but zeroes when the model is free', () => {
    expect(isComplete(card(line('input', '0'), line('output', '1')), 'chat', true)).toBe(false)
    expect(isComplete(card(line('input', '0')), 'chat', true)).toBe(false)
    expect(isComplete(card(), 'chat', true)).toBe(false)
  })
})

describe('prices of two kinds on one card', () => {
  test.each([
    ['audio_tts', ['character', 'input', 'output_audio', 'request'], ['input', 'output_audio']],
    ['audio_tts', ['input', 'output_audio', 'request'], []],
    [
      'audio_stt',
      ['audio_second', 'input', 'input_audio', 'output'],
      ['input', 'input_audio', 'output'],
    ],
    ['audio_stt', ['input', 'input_audio', 'output'], []],
    [
      'image',
      ['input', 'output_image', 'image', 'image:high', 'image:partial'],
      ['image', 'image:high', 'image:partial'],
    ],
    ['image', ['image:high', 'input', 'input_image', 'request'], ['input', 'input_image']],
    ['moderation', ['request', 'input'], []],
    ['chat', ['input', 'output', 'request', 'tool:web_search'], []],
  ] as const)('of %s, of %p: %p are never charged', (type, meters, silent) => {
    const lines = meters.map((meter) => line(meter, '1'))
    expect(silentLines(lines, type).map(({ meter }) => meter)).toEqual([...silent])
  })

  test('one that holds above a size alone silences none', () => {
    const above = { ...line('character', '1'), when: { inputAbove: 1000 } }
    expect(silentLines([above, line('input', '1')], 'audio_tts')).toEqual([])
  })
})
