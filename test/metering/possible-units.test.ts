import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { inputUnits, outputUnits, type Units } from '../../src/domain/usage'
import { possibleUnits } from '../../src/metering/possible-units'

const model = { contextLength: 1000 }

test('what a model can do in one call is believed to the letter', () => {
  const units: Units = { input: 16_000, output: 15_000, output_audio: 1000, 'tool:web_search': 9 }
  expect(possibleUnits(units, model)).toBe(units)
  const seconds: Units = { audio_second: 1e6, request: 1 }
  expect(possibleUnits(seconds, model)).toBe(seconds)
})

test('what is beyond is cut in the proportions that were told', () => {
  expect(possibleUnits({ input: 3e9, cached_input: 1e9, output: 7 }, model)).toEqual({
    input: 12_000,
    cached_input: 4000,
    output: 7,
  })
  expect(possibleUnits({ output: 1e12, 'tool:web_search': 1e9 }, { contextLength: null })).toEqual({
    output: 32_000_000,
    'tool:web_search': 1000,
  })
})

test('no count makes more than the bound, and none grows', () => {
  const count = fc.nat(2 ** 40)
  fc.assert(
    fc.property(fc.record({ input: count, input_audio: count, output: count }), (units) => {
      const possible = possibleUnits(units, model)
      expect(inputUnits(possible)).toBeLessThanOrEqual(16_000)
      expect(outputUnits(possible)).toBeLessThanOrEqual(16_000)
      expect(possible.input ?? 0).toBeLessThanOrEqual(units.input)
    }),
  )
})
