import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelFamily } from '../../src/domain/model'
import { pricingView } from '../../src/gateway/metering/pricing-view'
import {
  formatOf,
  readSource,
  type SourceFormat,
} from '../../src/business/pricing/sources/read-source'
import { parseKeepingNumbers, type Row } from '../../src/business/pricing/sources/rows'
import { pricesAboveZero, priceReported } from '../../src/business/pricing/sources/told-price'

const folder = join(import.meta.dir, 'public-data')
const documentOf = (file: string): Row =>
  parseKeepingNumbers(readFileSync(join(folder, file), 'utf8'))
const documents: Readonly<Record<SourceFormat, Row>> = {
  litellm: documentOf('litellm.json'),
  'models.dev': documentOf('models.dev.json'),
  portkey: {
    openai: documentOf('portkey/openai.json'),
    deepgram: documentOf('portkey/deepgram.json'),
  },
}

/** What a source tells of a model, as the public object has it; null where it does not list it. */
function told(format: SourceFormat, dialect: string, vendorModel: string, family: ModelFamily) {
  const sought = { dialect, vendorModel, family }
  const prices = [...readSource(format, documents[format], [sought]).values()][0]
  if (prices === undefined) return null
  return pricingView({ version: '', validFrom: 0 as never, lines: pricesAboveZero(prices) })
}

describe('public prices', () => {
  test('of tokens are the same digits in each source', () => {
    const plain = { input_per_million: '2.5', output_per_million: '10' }
    const cached = { ...plain, cached_input_per_million: '1.25' }
    expect(told('litellm', 'openai', 'gpt-4o', 'chat')).toEqual({
      ...cached,
      'input_per_million@priority': '4.25',
      'output_per_million@priority': '17',
      'cached_input_per_million@priority': '2.125',
    })
    expect(told('models.dev', 'openai', 'gpt-4o', 'chat')).toEqual(cached)
    // Its prices of caches are not to be trusted.
    expect(told('portkey', 'openai', 'gpt-4o', 'chat')).toEqual(plain)
  })

  test('above a size of the prompt are lines of their own', () => {
    const expected = {
      input_per_million: '1.25',
      input_per_million_above_200k: '2.5',
      output_per_million: '10',
      output_per_million_above_200k: '15',
      cached_input_per_million: '0.125',
      cached_input_per_million_above_200k: '0.25',
    }
    expect(told('litellm', 'google', 'gemini-2.5-pro', 'chat')).toEqual(expected)
    expect(told('models.dev', 'google', 'gemini-2.5-pro', 'chat')).toMatchObject(expected)
  })

  test('of tiers, speeds and regions are lines of their own, each where it has one', () => {
    const per = { input_cost_per_token: '2e-6', output_cost_per_token: '1e-5' }
    const of = (litellm_provider: string, dialect: string, more: Row) => {
      const sought = { dialect, vendorModel: 'm', family: 'chat' } as const
      const document = { m: { litellm_provider, ...per, ...more } }
      const lines = [...readSource('litellm', document, [sought]).values()][0] ?? []
      return pricingView({ version: '', validFrom: 0 as never, lines: pricesAboveZero(lines) })
    }
    const plain = { input_per_million: '2', output_per_million: '10' }
    const tiers = {
      input_cost_per_token_priority: '4e-6',
      output_cost_per_token_priority: '1e-5',
      input_cost_per_token_above_272k_tokens: '4e-6',
      input_cost_per_token_above_272k_tokens_priority: '8e-6',
      input_cost_per_token_flex: '1e-6',
      output_cost_per_token_batches: '5e-6',
    }
    expect(of('openai', 'openai', tiers)).toEqual({
      ...plain,
      input_per_million_above_272k: '4',
      'input_per_million@priority': '4',
      'input_per_million@priority_above_272k': '8',
      'input_per_million@flex': '1',
    })
    const factors = { provider_specific_entry: { fast: '6.0', us: '1.1', other: '3' } }
    expect(of('anthropic', 'anthropic', factors)).toEqual({
      ...plain,
      'input_per_million@fast': '12',
      'output_per_million@fast': '60',
      'input_per_million@us': '2.2',
      'output_per_million@us': '11',
    })
    expect(of('openai', 'openai', factors)).toEqual(plain)
  })

  test('of writing a cache, of sound, of seconds and of pieces are read as what they are', () => {
    expect(told('litellm', 'anthropic', 'claude-sonnet-4-5', 'chat')).toMatchObject({
      cache_write_per_million: '3.75',
      cache_write_1h_per_million: '6',
      cache_write_1h_per_million_above_200k: '12',
    })
    expect(told('litellm', 'google', 'gemini-2.5-flash', 'chat')).toMatchObject({
      input_audio_per_million: '1',
    })
    expect(told('litellm', 'openai', 'whisper-1', 'audio_stt')).toEqual({ per_minute: '0.006' })
    expect(told('litellm', 'openai', 'tts-1', 'audio_tts')).toEqual({
      per_million_characters: '15',
    })
    expect(told('litellm', 'openai', 'sora-2', 'video')).toEqual({ per_second: '0.1' })
    expect(told('litellm', 'openai', 'text-embedding-3-small', 'embedding')).toEqual({
      input_per_million: '0.02',
    })
    expect(told('litellm', 'openai', 'gpt-image-1-mini', 'image')).toMatchObject({
      input_image_per_million: '2.5',
      output_image_per_million: '8',
    })
    expect(told('litellm', 'openai', 'gpt-realtime', 'realtime')).toMatchObject({
      input_audio_per_million: '32',
      output_audio_per_million: '64',
      input_image_per_million: '5',
    })
    expect(told('portkey', 'openai', 'sora-2', 'video')).toMatchObject({
      'per_second:1280x720': '0.1',
      'per_second:720x1280': '0.1',
    })
    expect(told('portkey', 'deepgram', 'aura-2', 'audio_tts')).toEqual({
      per_million_characters: '30',
    })
    expect(told('models.dev', 'google', 'gemini-2.5-flash-preview-tts', 'audio_tts')).toEqual({
      input_per_million: '0.5',
      output_audio_per_million: '10',
    })
  })

  test('are not told of what a source does not list, or counts otherwise', () => {
    expect(told('litellm', 'openai', 'gpt-none', 'chat')).toBeNull()
    expect(told('litellm', 'generic', 'gpt-4o', 'chat')).toBeNull()
    expect(told('models.dev', 'openai', 'constructor', 'chat')).toBeNull()
    expect(told('portkey', 'openai', '__proto__', 'chat')).toBeNull()
    expect(told('models.dev', 'openai', 'gpt-4o', 'image')).toEqual({})
  })

  test('are known by their form', () => {
    expect(formatOf(documents.litellm)).toBe('litellm')
    expect(formatOf(documents['models.dev'])).toBe('models.dev')
    expect(formatOf(documents.portkey['openai'] as Row)).toBe('portkey')
    for (const other of [{}, { error: 'rate limited' }, { data: [] }])
      expect(formatOf(other)).toBeNull()
  })
})

test.each([
  ['2.5e-07', '0.25'],
  ['0.00000012345678901234567890', '0.1234567890123456789'],
  ['1e-07', '0.1'],
  ['0', '0'],
  ['-1', null],
  ['NaN', null],
  ['1e999999999', null],
  ['0x10', null],
  ['', null],
  [true, null],
  [{}, null],
  [[1], null],
  [null, undefined],
  [undefined, undefined],
])('the price %p for one is %p for a million', (value, price) => {
  expect(priceReported(value, 1_000_000)).toBe(price)
})
