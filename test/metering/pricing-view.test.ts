import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { PriceLine } from '../../src/domain/model'
import { compileCard } from '../../src/gateway/metering/price-card'
import { priceLine, pricingUnit, pricingView } from '../../src/gateway/metering/pricing-view'
import { publicPrices } from '../../src/gateway/metering/public-prices'

const card = (...lines: PriceLine[]) => ({ version: 'v1', validFrom: 0 as Ms, lines })
const line = (
  meter: PriceLine['meter'],
  price: string,
  unit: PriceLine['unit'] = 'million',
): PriceLine => ({ meter, price, unit })

describe('the public prices', () => {
  test('are decimal strings without an exponent, under the keys of the type', () => {
    expect(
      pricingView(
        card(line('input', '2.50'), line('cached_input', '2.5e-7'), line('output', '1e1')),
      ),
    ).toEqual({
      input_per_million: '2.5',
      output_per_million: '10',
      cached_input_per_million: '0.00000025',
    })
    expect(pricingView(card(line('image', '4e-2', 'each')))).toEqual({ per_image: '0.04' })
    expect(pricingView(card(line('video_second', '0.1', 'each')))).toEqual({ per_second: '0.1' })
    expect(pricingView(card(line('character', '15')))).toEqual({ per_million_characters: '15' })
    expect(pricingView(card(line('request', '0', 'each')))).toEqual({ per_request: '0' })
    expect(pricingView(card())).toEqual({})
  })

  test('of sizes and qualities have those in their keys, both ways', () => {
    const sized = line('image:high 1024x1024', '0.2', 'each')
    expect(pricingView(card(sized))).toEqual({
      per_image: '0.2',
      'per_image:high 1024x1024': '0.2',
    })
    expect(pricingUnit('image', card(sized))).toBe('image')
    expect(priceLine('per_image:high 1024x1024', '0.2')).toEqual(sized)
    expect(priceLine('per_second:1280x720', '0.1').meter).toBe('video_second:1280x720')
    expect(() => priceLine('per_minute:x', '1')).toThrow('no price is called per_minute:x')
    expect(() => priceLine('per_image:', '1')).toThrow('no price is called')
  })

  test('of sizes and qualities have the dearest of them under the plain key', () => {
    const second = (size: string, price: string, unit: PriceLine['unit'] = 'each') =>
      line(`video_second:${size}`, price, unit)
    const seconds = [second('small', '0.1'), second('wide', '12', 'minute'), second('tall', '0.15')]
    expect(pricingView(card(...seconds))).toEqual({
      per_second: '0.2',
      'per_second:small': '0.1',
      'per_second:wide': '0.2',
      'per_second:tall': '0.15',
    })
    const plain = line('image', '0.01', 'each')
    expect(pricingView(card(plain, line('image:high', '0.2', 'each')))).toMatchObject({
      per_image: '0.01',
    })
  })

  test('are in the unit of the key, whatever the unit of the card', () => {
    expect(pricingView(card(line('audio_second', '0.006', 'minute')))).toEqual({
      per_minute: '0.006',
    })
    expect(pricingView(card(line('audio_second', '0.0001', 'each')))).toEqual({
      per_minute: '0.006',
    })
    expect(pricingView(card(line('input', '0.0000025', 'each')))).toEqual({
      input_per_million: '2.5',
    })
    expect(pricingView(card(line('video_second', '0.5', 'minute')))).toEqual({
      per_second: '0.008333333334',
    })
  })

  test('tell of every tier', () => {
    const tier = (price: string, inputAbove: number): PriceLine => ({
      ...line('input', price),
      when: { inputAbove },
    })
    expect(pricingView(card(tier('4', 200_000), line('input', '1'), tier('2', 1234)))).toEqual({
      input_per_million: '1',
      input_per_million_above_1234: '2',
      input_per_million_above_200k: '4',
    })
  })

  test('name the unit that most of them are in', () => {
    expect(pricingUnit('chat', card(line('input', '1')))).toBe('million_tokens')
    expect(pricingUnit('image', card(line('image', '1', 'each')))).toBe('image')
    expect(pricingUnit('image', card(line('output_image', '1')))).toBe('million_tokens')
    expect(pricingUnit('audio_stt', card(line('audio_second', '1', 'minute')))).toBe('minute')
    expect(pricingUnit('audio_stt', card(line('input_audio', '1')))).toBe('million_tokens')
    expect(pricingUnit('audio_tts', card(line('character', '1')))).toBe('million_characters')
    expect(pricingUnit('video', card(line('video_second', '1', 'each')))).toBe('second')
    expect(pricingUnit('music', card(line('request', '1', 'each')))).toBe('request')
  })
})

describe('a price by its public key', () => {
  test('is the line that is shown under that key again', () => {
    for (const key of Object.keys(publicPrices)) {
      const made = priceLine(key, '2.5e-2')
      expect(pricingView(card(made))).toEqual({ [key]: '0.025' })
      expect(compileCard(card(made)).base[made.meter]).toBeGreaterThan(0)
    }
  })

  test('of a tier, speed or region has that behind it', () => {
    const keys = [
      'input_per_million',
      'input_per_million@flex',
      'output_per_million@fast+us',
      'cached_input_per_million@priority_above_200k',
    ]
    expect(Object.keys(pricingView(card(...keys.map((key) => priceLine(key, '1')))))).toEqual(keys)
    expect(priceLine('output_per_million@us+fast', '1').meter).toBe('output@fast+us')
    for (const key of ['per_image@flex', 'per_web_search@flex', 'input_per_million@', 'x@flex'])
      expect(() => priceLine(key, '1')).toThrow(`no price is called ${key}`)
  })

  test('of a tool may be of any, and of a variant where one is counted', () => {
    for (const [key, meter] of [
      ['per_tool:x_search', 'tool:x_search'],
      ['per_tool:shell', 'tool:shell'],
      ['per_tool:shell:64g', 'tool:shell:64g'],
      ['per_code_interpreter:4g', 'tool:code_interpreter:4g'],
      ['per_image_generation:high 1024x1024', 'tool:image_generation:high 1024x1024'],
      ['per_image_generation:high partial', 'tool:image_generation:high partial'],
      [
        'per_image_generation:gpt-image-2 high 1024x1024',
        'tool:image_generation:gpt-image-2 high 1024x1024',
      ],
    ] as const) {
      expect(priceLine(key, '0').meter).toBe(meter)
      expect(pricingView(card(priceLine(key, '0.5')))).toEqual({ [key]: '0.5' })
    }
    expect(priceLine('per_tool:code_execution_20250825', '0').meter).toBe('tool:code_execution')
    expect(pricingView(card(priceLine('per_tool:web_search', '1')))).toEqual({
      per_web_search: '1',
    })
  })

  test('of a tool that is never counted is refused', () => {
    for (const key of [
      'per_tool',
      'per_tool:',
      'per_tool:function',
      'per_tool:local_shell',
      'per_tool:bash_20250124',
      'per_tool:namespace',
      'per_tool:x_search:fast',
      'per_tool:Big',
      'per_web_search:4g',
      'per_code_interpreter:large',
      'per_image:a b c',
    ])
      expect(() => priceLine(key, '1')).toThrow('no price is called')
  })

  test('is refused under another key, or when it is no number from 0', () => {
    expect(() => priceLine('per_token', '1')).toThrow('no price is called per_token')
    for (const price of ['', '-1', 'free', '1,5', '0x10', 'Infinity'])
      expect(() => priceLine('per_image', price)).toThrow('must be a decimal number from 0')
  })
})
