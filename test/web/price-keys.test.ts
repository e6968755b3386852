import { describe, expect, test } from 'bun:test'
import { priceLine } from '../../src/gateway/metering/pricing-view'
import { modelTypes } from '../../src/domain/model'
import { traitNames, traitOf } from '../../src/business/catalogue/model-traits'
import {
  inUsualUnit,
  mainKeys,
  ownKeys,
  readPriceKey,
  shareAbove,
  usualKeys,
} from '../../src/web/operator/prices/price-keys'
import { traitExamples } from '../../src/web/operator/prices/trait-examples'
import {
  arePrices,
  changedPrices,
  sentPrices,
  typedOf,
} from '../../src/web/operator/prices/typed-prices'

describe('keys of prices in the console', () => {
  test.each([
    'input_per_million_above_200k',
    'output_per_million_above_32500',
    'per_image:high 1024x1024',
    'per_tool:x_search',
    'per_code_interpreter:4g',
    'input_per_million@priority',
    'output_per_million@fast+us_above_200k',
  ])('%s is read as the server reads it', (key) => {
    const { meter, unit, when } = priceLine(key, '1')
    expect(readPriceKey(key)).toEqual({ meter, unit, above: when?.inputAbove ?? null } as never)
  })

  test('of a tier say little of a model', () => {
    const tiers = { 'input_per_million@flex': '1', input_per_million_above_200k: '4' }
    const plain = { input_per_million: '2', output_per_million: '8' }
    expect(mainKeys({ ...tiers, ...plain })).toEqual(Object.keys(plain))
  })

  test('leave out a plain price that only repeats the dearest of its sizes', () => {
    const sizes = { per_image: '0.2', 'per_image:high': '0.2', 'per_image:low': '0.1' }
    expect(ownKeys(sizes)).toEqual(['per_image:high', 'per_image:low'])
    expect(ownKeys({ ...sizes, per_image: '0.3' })).toContain('per_image')
  })

  test('that a new model begins with are keys, for every type that there is', () => {
    for (const type of modelTypes) {
      const keys = usualKeys[type] ?? []
      expect(keys.length).toBeGreaterThan(0)
      for (const key of keys) expect(readPriceKey(key)).not.toBeNull()
    }
  })
})

describe('typed prices', () => {
  const held = { input_per_million: '2.5', output_per_million: '10' }

  test('send what moved, and null for what was taken away', () => {
    expect(changedPrices(held, typedOf(held))).toBeNull()
    expect(changedPrices(held, { input_per_million: '۳٫۵', per_request: '0.01' })).toEqual({
      input_per_million: '3.5',
      per_request: '0.01',
      output_per_million: null,
    })
  })

  test('are numbers from zero, of any script', () => {
    expect(arePrices({ input_per_million: '۰٫۱۵' })).toBe(true)
    expect(sentPrices({ input_per_million: '۰٫۱۵' })).toEqual({ input_per_million: '0.15' })
    for (const wrong of ['', '-1', '1e3', 'x', '1.0000000000001'])
      expect(arePrices({ input_per_million: wrong })).toBe(false)
    expect(arePrices({})).toBe(false)
  })
})

test('a price of one unit is told in the unit that people know', () => {
  expect(inUsualUnit('input', '0.00000015')).toEqual({ key: 'input_per_million', usd: '0.15' })
  expect(inUsualUnit('image:high', '0.2')).toEqual({ key: 'per_image', usd: '0.2' })
  expect(inUsualUnit('audio_second', '0.0001')).toEqual({ key: 'per_minute', usd: '0.006' })
  expect(inUsualUnit('none', '1')).toBeNull()
})

test('a share is told of what there is to compare', () => {
  expect(shareAbove('2', '3')).toBe(0.5)
  expect(shareAbove('0', '3')).toBeNull()
  expect(shareAbove(undefined, '3')).toBeNull()
})

test('every trait can be set in the console, by an example that the server takes', () => {
  expect(Object.keys(traitExamples)).toEqual([...traitNames])
  for (const [name, json] of Object.entries(traitExamples))
    expect(traitOf(name, json)).toEqual({ [name]: JSON.parse(json) as never })
})
