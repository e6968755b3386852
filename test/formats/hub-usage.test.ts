import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { inputTokens, outputTokens, type Usage } from '../../src/domain/usage'
import { readGeminiUsage } from '../../src/gateway/formats/gemini/usage'
import { mergedUsage, readMessagesUsage } from '../../src/gateway/formats/messages/usage'
import { readResponsesUsage } from '../../src/gateway/formats/responses/usage'

const told = (units: Usage['units'], reasoning = 0): Usage => ({
  units,
  reasoning,
  estimated: false,
})

describe('usage of the Messages format', () => {
  test('counts cached, written and plain tokens once each', () => {
    const raw = {
      input_tokens: 40,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
      output_tokens: 25,
      output_tokens_details: { thinking_tokens: 12 },
    }
    const units = {
      input: 40,
      cached_input: 1000,
      cache_write_5m: 20,
      cache_write_1h: 10,
      output: 25,
    }
    expect(readMessagesUsage(raw)).toEqual(told(units, 12))
  })

  test('takes what was written for five minutes unless it says otherwise', () => {
    const raw = { input_tokens: 1, cache_creation_input_tokens: 30, output_tokens: 2 }
    expect(readMessagesUsage(raw)).toEqual(told({ input: 1, cache_write_5m: 30, output: 2 }))
  })

  test('later numbers replace earlier ones, and nulls say nothing', () => {
    const start = { input_tokens: 43, cache_read_input_tokens: 5, output_tokens: 1 }
    const later = { input_tokens: 61, cache_read_input_tokens: null, output_tokens: 20 }
    expect(readMessagesUsage(mergedUsage(start, later))).toEqual(
      told({ input: 61, cached_input: 5, output: 20 }),
    )
  })
})

describe('usage of Google’s format', () => {
  test('has cached tokens inside the prompt, thoughts beside the answer, and both are billed', () => {
    const raw = {
      promptTokenCount: 1040,
      cachedContentTokenCount: 1000,
      toolUsePromptTokenCount: 7,
      candidatesTokenCount: 13,
      thoughtsTokenCount: 12,
      totalTokenCount: 1072,
    }
    expect(readGeminiUsage(raw)).toEqual(told({ input: 47, cached_input: 1000, output: 25 }, 12))
  })

  test('bills sounds and pictures by their own meters', () => {
    const raw = {
      promptTokenCount: 500,
      cachedContentTokenCount: 100,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 180 },
        { modality: 'AUDIO', tokenCount: 60 },
        { modality: 'IMAGE', tokenCount: 260 },
      ],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
      candidatesTokenCount: 5,
      totalTokenCount: 505,
    }
    const units = {
      input_audio: 20,
      input_image: 260,
      input: 120,
      cached_input_audio: 40,
      cached_input: 60,
      output: 5,
    }
    expect(readGeminiUsage(raw)).toEqual(told(units))
  })

  test('bills what a total holds beyond its parts, and reads nothing from other events', () => {
    const raw = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 40 }
    expect(readGeminiUsage(raw)?.units).toEqual({ input: 10, output: 30 })
    expect(readGeminiUsage({ trafficType: 'ON_DEMAND' })).toBeNull()
  })
})

describe('usage of the Responses format', () => {
  test('has cached and written tokens inside the input, reasoning inside the output', () => {
    const raw = {
      input_tokens: 100,
      input_tokens_details: {
        cached_tokens: 60,
        cache_write_tokens: 15,
        cache_write_tokens_details: { ttl_30m_tokens: 10, ttl_12h_tokens: 5 },
      },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 20 },
      total_tokens: 150,
    }
    const units = {
      input: 25,
      cached_input: 60,
      cache_write_5m: 10,
      cache_write_1h: 5,
      output: 50,
    }
    expect(readResponsesUsage(raw)).toEqual(told(units, 20))
  })

  test('bills reasoning that stands beside the output', () => {
    const raw = {
      input_tokens: 12,
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 290 },
      total_tokens: 303,
    }
    expect(readResponsesUsage(raw)?.units).toEqual({ input: 12, output: 291 })
  })
})

describe('any usage', () => {
  const junk = fc.oneof(
    fc.nat(5000),
    fc.constantFrom(null, undefined, -1, 1.5, '7', Number.NaN, 2 ** 60, {}),
  )
  const record = (names: readonly string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, junk])))
  const modalities = fc.array(
    fc.record({ modality: fc.constantFrom('TEXT', 'AUDIO', 'IMAGE'), tokenCount: junk }),
  )
  const gemini = fc
    .tuple(
      record([
        'promptTokenCount',
        'cachedContentTokenCount',
        'candidatesTokenCount',
        'thoughtsTokenCount',
        'totalTokenCount',
      ]),
      modalities,
      modalities,
    )
    .map(([raw, promptTokensDetails, cacheTokensDetails]) => ({
      ...raw,
      promptTokensDetails,
      cacheTokensDetails,
    }))
  const responses = fc
    .tuple(record(['input_tokens', 'output_tokens', 'total_tokens']), record(['cached_tokens']))
    .map(([raw, input_tokens_details]) => ({ ...raw, input_tokens_details }))
  const messages = record([
    'input_tokens',
    'output_tokens',
    'cache_read_input_tokens',
    'cache_creation_input_tokens',
  ])

  test.each([
    ['Gemini', gemini, readGeminiUsage],
    ['Responses', responses, readResponsesUsage],
    ['Messages', messages, readMessagesUsage],
  ])('of %s is of counts that can be priced, whatever the vendor says', (_, raws, read) => {
    fc.assert(
      fc.property(raws as fc.Arbitrary<unknown>, (raw) => {
        const usage = read(raw)
        if (usage === null) return
        for (const count of Object.values(usage.units)) {
          expect(Number.isSafeInteger(count)).toBe(true)
          expect(count).toBeGreaterThan(0)
        }
        expect(usage.reasoning).toBeLessThanOrEqual(outputTokens(usage))
        expect(inputTokens(usage)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 500 },
    )
  })
})
