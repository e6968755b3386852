import { describe, expect, test } from 'bun:test'
import { familyOf, modelTypes, reasoningEfforts } from '../../src/domain/model'
import type { Ms } from '../../src/domain/clock'
import { endpoints, servedTypes } from '../../src/gateway/catalogue/endpoints'
import {
  readSeed,
  seedModels,
  seedOwners,
  seedVersion,
  type SeedModel,
} from '../../src/gateway/catalogue/seed'
import { isAudioFormat } from '../../src/gateway/media/audio-format'
import { isDialect } from '../../src/gateway/vendors/openai/dialects'
import {
  compileCard,
  isComplete,
  missingPrices,
  silentLines,
} from '../../src/gateway/metering/price-card'
import { nanoUsd } from '../../src/domain/money'
import { price } from '../../src/gateway/metering/price'

const all = seedOwners().flatMap(readSeed)
const find = (id: string): SeedModel => {
  const found = all.find((model) => model.id === id)
  if (found === undefined) throw new Error(`the seed has no ${id}`)
  return found
}
const prices = (id: string) =>
  Object.fromEntries(
    find(id).lines.map(({ meter, price, when }) => [
      when === undefined ? meter : `${meter}>${when.inputAbove}`,
      price,
    ]),
  )
const cardOf = ({ lines }: SeedModel) => ({ version: seedVersion, validFrom: 0 as Ms, lines })

describe('the seed', () => {
  test('is dated, and holds hundreds of models of every vendor', () => {
    expect(seedVersion).toMatch(/^seed-\d{4}-\d\d-\d\d$/)
    expect(all.length).toBeGreaterThan(500)
    expect(seedOwners()).toContain('openai')
    for (const owner of seedOwners()) expect(readSeed(owner).length).toBeGreaterThan(0)
  })

  test('reads each line exactly once, and to its end', async () => {
    const text = await Bun.file(`${import.meta.dir}/../../src/gateway/catalogue/seed.jsonl`).text()
    const lines = text.trimEnd().split('\n').slice(1)
    expect(all.map((model) => JSON.stringify(model))).toEqual(lines)
  })

  test('has no card with a price that is never charged', () => {
    const silent = all.filter((model) => silentLines(model.lines, familyOf(model)).length > 0)
    expect(silent.map(({ id }) => id)).toEqual([])
  })

  test('names owners that a vendor can be', () => {
    const ofTheirOwnKind = new Set(['anthropic', 'google', 'elevenlabs', 'deepgram'])
    for (const owner of seedOwners())
      expect(isDialect(owner) || ofTheirOwnKind.has(owner)).toBe(true)
  })

  test('has ids of their own, also without regard to case', () => {
    const ids = all.map(({ id }) => id.toLowerCase())
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has no id that is also the form vendor/model of another', () => {
    const forms = new Set(all.map(({ owner, vendorModel }) => `${owner}/${vendorModel}`))
    const shadowing = all.filter(
      ({ id, owner, vendorModel }) => forms.has(id) && id !== `${owner}/${vendorModel}`,
    )
    expect(shadowing.map(({ id }) => id)).toEqual([])
  })

  test('keeps the models of a vendor of vendors apart', () => {
    for (const { id } of readSeed('openrouter')) expect(id).toStartWith('openrouter/')
    expect(find('openrouter/openai/gpt-4o').vendorModel).toBe('openai/gpt-4o')
  })

  test('has only complete cards', () => {
    const wanting = all.flatMap((model) => {
      const missing = missingPrices(cardOf(model), model.type, model.isFree)
      return missing.length > 0 ? [`${model.id}: ${missing.join()}`] : []
    })
    expect(wanting).toEqual([])
  })

  test('sells those that speak on the realtime channel alone, sound, pictures and caches at their prices', () => {
    const speaking = all.filter(({ capabilities }) => capabilities.realtime === true)
    expect(speaking.length).toBeGreaterThan(5)
    for (const model of speaking) {
      expect(model).toMatchObject({ owner: 'openai', traits: { realtime: true } })
      expect(missingPrices(cardOf(model), 'realtime', false)).toEqual([])
    }
    expect(prices('gpt-realtime')).toEqual({
      input: '4',
      cached_input: '0.4',
      output: '16',
      input_audio: '32',
      cached_input_audio: '0.4',
      output_audio: '64',
      input_image: '5',
    })
    // The sources differ.
    expect(prices('gpt-realtime-2')).toMatchObject({ output: '24' })
  })

  test('tells how much a picture is at most where its vendor asks no quality', () => {
    const drawing = all.filter(({ owner, type }) => owner === 'google' && type === 'image')
    expect(drawing.length).toBeGreaterThan(0)
    for (const { traits } of drawing) expect(traits).toEqual({ pictureTokens: 3000 })
  })

  test('gives away moderation alone', () => {
    const free = all.filter(({ isFree }) => isFree)
    expect(free.length).toBeGreaterThan(0)
    for (const model of free) expect(model.type).toBe('moderation')
  })

  test('has no price with an exponent, and none out of reason', () => {
    const ceilings = { million: 1000, each: 1, minute: 1 }
    for (const { id, isFree, lines } of all)
      for (const { meter, price, unit } of lines) {
        expect(`${id} ${meter} ${price}`).toMatch(/ \d+(\.\d+)?$/)
        expect(Number(price)).toBeLessThanOrEqual(ceilings[unit])
        expect(Number(price) > 0).toBe(!isFree)
      }
  })

  test('asks for no less for an answer than for a question, save where the vendor does', () => {
    const cheaper = all.filter((model) => {
      const { base } = compileCard(cardOf(model))
      return model.type === 'chat' && (base['output'] ?? 0) < (base['input'] ?? 0)
    })
    expect(cheaper.length).toBeLessThan(all.length / 100)
  })

  test('never takes more for what was cached than for what was not', () => {
    const dearer = all.filter((model) => {
      const { base } = compileCard(cardOf(model))
      return (base['cached_input'] ?? 0) > (base['input'] ?? Infinity)
    })
    expect(dearer.map(({ id }) => id)).toEqual([])
  })

  test('says each price once', () => {
    for (const { id, lines } of all) {
      const keys = lines.map(({ meter, when }) => `${id} ${meter} ${when?.inputAbove ?? 0}`)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  test('knows well-known prices', () => {
    expect(prices('gpt-4o')).toEqual({ input: '2.5', cached_input: '1.25', output: '10' })
    expect(prices('gpt-4o-mini')).toEqual({ input: '0.15', cached_input: '0.075', output: '0.6' })
    expect(prices('gpt-4o-audio-preview')).toEqual({
      input: '2.5',
      output: '10',
      input_audio: '40',
      output_audio: '80',
    })
    expect(prices('claude-haiku-4-5')).toEqual({
      input: '1',
      cached_input: '0.1',
      cache_write_5m: '1.25',
      cache_write_1h: '2',
      'tool:web_search': '0.01',
      output: '5',
    })
    expect(prices('whisper-1')).toEqual({ audio_second: '0.006' })
    expect(prices('tts-1')).toEqual({ character: '15' })
    expect(prices('gpt-4o-mini-tts')).toEqual({ input: '2.5', output_audio: '12' })
    expect(prices('gemini-2.5-pro-preview-tts')).toEqual({ input: '1', output_audio: '20' })
    expect(prices('eleven_multilingual_v2')).toEqual({ character: '180' })
    expect(prices('aura-2')).toEqual({ character: '30' })
    expect(prices('lyria-3-clip-preview')).toEqual({ request: '0.04' })
    expect(prices('lyria-3-pro-preview')).toEqual({ request: '0.08' })
    expect(prices('text-embedding-3-small')).toEqual({ input: '0.02' })
    expect(prices('sora-2')).toEqual({ video_second: '0.1' })
  })

  test('knows what tools cost that vendors run, of the models that have them alone', () => {
    const toolsOf = (id: string) =>
      Object.fromEntries(Object.entries(prices(id)).filter(([meter]) => meter.startsWith('tool:')))
    expect(toolsOf('gpt-5')).toEqual({
      'tool:web_search': '0.01',
      'tool:web_search_preview': '0.01',
      'tool:code_interpreter': '0.03',
    })
    expect(toolsOf('gpt-4.1')['tool:web_search_preview']).toBe('0.025')
    expect(toolsOf('gpt-3.5-turbo')).toEqual({})
    expect(toolsOf('gemini-3.5-flash')).toEqual({ 'tool:web_search': '0.014' })
    expect(toolsOf('gemini-flash-latest')).toEqual({})
  })

  test('knows that long prompts cost more where they do', () => {
    expect(prices('gemini-2.5-pro')).toEqual({
      input: '1.25',
      'input>200000': '2.5',
      cached_input: '0.125',
      'cached_input>200000': '0.25',
      output: '10',
      'output>200000': '15',
      'tool:web_search': '0.035',
    })
    expect(prices('qwen3-max')).toMatchObject({
      input: '1.2',
      'input>32000': '2.4',
      'input>128000': '3',
    })
    const card = compileCard(cardOf(find('gemini-2.5-pro')))
    expect(price({ input: 200_001 }, card)).toBe(nanoUsd(500_002_500))
  })

  test('knows voices and formats of every model that speaks', () => {
    const speaking = all.filter(({ type }) => type === 'audio_tts')
    expect(speaking.length).toBeGreaterThan(10)
    for (const { id, capabilities } of speaking) {
      const { voices = [], formats = [] } = capabilities
      expect({ id, voices: voices.length > 5, formats: formats.every(isAudioFormat) }).toEqual({
        id,
        voices: true,
        formats: true,
      })
      expect(new Set(voices.map((voice) => voice.toLowerCase())).size).toBe(voices.length)
    }
    expect(find('gemini-2.5-flash-preview-tts').capabilities.formats).toEqual(['wav', 'pcm'])
    expect(find('tts-1').capabilities.voices).not.toContain('verse')
    expect(find('eleven_v3').traits).toEqual({ voiceIds: true })
  })

  test('knows what models refuse', () => {
    expect(find('o3').traits).toMatchObject({
      efforts: ['low', 'medium', 'high'],
      systemRole: 'developer',
      maxTokensName: 'max_completion_tokens',
    })
    for (const id of ['o3', 'gpt-5', 'gpt-5-mini-2025-08-07'])
      for (const field of ['temperature', 'top_p']) expect(find(id).traits.drop).toContain(field)
    expect(find('gpt-5').traits.efforts).toEqual(['minimal', 'low', 'medium', 'high'])
    expect(find('gpt-5.1').traits).toMatchObject({
      samplingNeedsNoEffort: true,
      efforts: ['none', 'low', 'medium', 'high'],
    })
    expect(find('gpt-5.4').traits.efforts).toContain('xhigh')
    expect(find('gpt-5.1-chat-latest').traits.samplingNeedsNoEffort).toBeUndefined()
    expect(find('gpt-4o').traits.efforts).toEqual([])
    expect(find('deepseek-v4-pro').traits.efforts).toEqual(['low', 'high', 'max'])
    expect(find('kimi-k2.6').traits).toMatchObject({ reasoning: true, efforts: [] })
  })

  test('knows how pictures are counted, whoever sells the model', () => {
    const sight = (id: string) => find(id).traits.sight
    expect(sight('gpt-4o')).toEqual({ by: 'tiles', base: 85, each: 170 })
    expect(sight('openrouter/openai/gpt-4o-mini')).toEqual({ by: 'tiles', base: 2833, each: 5667 })
    expect(sight('gpt-5.1')).toEqual({ by: 'tiles', base: 70, each: 140 })
    expect(sight('gpt-5.5')).toEqual({ by: 'patches', side: 32, each: 1.2 })
    expect(sight('gpt-4.1-nano')).toMatchObject({ each: 2.46, most: 1536 })
    expect(sight('claude-opus-4-6')).toMatchObject({ side: 28, most: 1600 })
    expect(sight('openrouter/anthropic/claude-opus-4.7')).toMatchObject({ side: 28, most: 4000 })
    expect(sight('gemini-2.5-pro')).toEqual({ by: 'squares', each: 258 })
    expect(sight('gemini-3.5-flash')).toEqual({ by: 'picture', each: 1120 })
    for (const { capabilities, traits } of all)
      if (traits.sight !== undefined) expect(capabilities.vision).toBe(true)
  })

  test('speaks only in words that the program knows', () => {
    for (const { type, traits } of all) {
      expect(modelTypes).toContain(type)
      for (const effort of traits.efforts ?? []) expect(reasoningEfforts).toContain(effort)
    }
  })

  test('sells nothing that ended, was tuned for one, or is charged by more than its card', () => {
    for (const id of [
      'chatgpt-4o-latest',
      'gpt-image-1',
      'o1-mini',
      'sonar',
      'gpt-4o-search-preview',
    ])
      expect(all.filter(({ vendorModel }) => vendorModel === id)).toEqual([])
    for (const { id } of all) expect(id).not.toMatch(/^ft:|realtime-(?:preview|whisper)|:free$/)
  })
})

describe('the models of a vendor', () => {
  test('are those of types that an endpoint serves', () => {
    const types = new Set(seedModels('openai').map(({ type }) => type))
    expect([...types].filter((type) => !servedTypes.has(type))).toEqual([])
    expect(servedTypes).toEqual(new Set(Object.values(endpoints).map(({ type }) => type)))
    expect(seedModels('openai').length).toBeGreaterThan(40)
    expect(seedModels('openai')).toBe(seedModels('openai'))
  })

  test('are none of an unknown vendor, nor of part of a name', () => {
    for (const owner of ['', 'open', 'generic', 'openai"', 'OpenAI'])
      expect(readSeed(owner)).toEqual([])
  })

  test('are all complete, so that each is on sale', () => {
    for (const owner of seedOwners())
      for (const model of seedModels(owner))
        expect(isComplete(cardOf(model), model.type, model.isFree)).toBe(true)
  })
})
