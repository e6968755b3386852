import { describe, expect, test } from 'bun:test'
import { discoverVendors, type DiscoveryParts } from '../../src/gateway/vendors/discover'

const discover = (parts: Partial<DiscoveryParts>) =>
  discoverVendors({
    env: {},
    ownKeyPrefixes: ['sk-chapar-v1-'],
    ownAddresses: ['0.0.0.0:8080', '127.0.0.1:8080'],
    timeoutMs: 90_000,
    probe: () => Promise.resolve(null),
    ...parts,
  })

describe('the environment', () => {
  test('names vendors by their keys', async () => {
    const { found, local, notes } = await discover({
      env: { OPENAI_API_KEY: ' sk-real ', MISTRAL_API_KEY: 'abc', XAI_API_KEY: '', HOME: '/root' },
    })
    expect(found).toEqual([
      {
        name: 'openai',
        kind: 'openai',
        dialect: 'openai',
        baseUrl: 'https://api.openai.com/v1',
        credential: 'sk-real',
        timeoutMs: 90_000,
        transport: 'own',
        active: true,
        source: 'environment',
      },
      expect.objectContaining({ name: 'mistral', baseUrl: 'https://api.mistral.ai/v1' }),
    ])
    expect({ local, notes }).toEqual({ local: [], notes: [] })
  })

  test('may name another address, which may be another vendor’s', async () => {
    const at = async (url: string) =>
      (await discover({ env: { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: url } })).found[0]
    expect(await at('https://eu.api.openai.com/v1/')).toMatchObject({
      dialect: 'openai',
      baseUrl: 'https://eu.api.openai.com/v1',
    })
    expect(await at('https://openrouter.ai/api/v1')).toMatchObject({
      name: 'openai',
      dialect: 'openrouter',
    })
    expect(await at('http://gpu:8000/v1')).toMatchObject({ name: 'openai', dialect: 'generic' })
  })

  test('names vendors with formats of their own', async () => {
    const { found, notes } = await discover({
      env: { ANTHROPIC_API_KEY: 'sk-ant', GOOGLE_API_KEY: 'g-2', GEMINI_API_KEY: ' g-1 ' },
    })
    expect(found).toMatchObject([
      {
        name: 'anthropic',
        kind: 'anthropic',
        dialect: 'anthropic',
        baseUrl: 'https://api.anthropic.com/v1',
        credential: 'sk-ant',
      },
      {
        name: 'google',
        kind: 'google',
        dialect: 'google',
        baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
        credential: 'g-1',
      },
    ])
    expect(found).toHaveLength(2)
    expect(notes).toEqual([])
  })

  test('names vendors of voices', async () => {
    const { found } = await discover({ env: { ELEVENLABS_API_KEY: 'e', DEEPGRAM_API_KEY: 'd' } })
    expect(found).toMatchObject([
      { kind: 'elevenlabs', dialect: 'elevenlabs', baseUrl: 'https://api.elevenlabs.io/v1' },
      { kind: 'deepgram', dialect: 'deepgram', baseUrl: 'https://api.deepgram.com/v1' },
    ])
  })

  test('may name another address of such a format, with or without its version', async () => {
    for (const address of ['https://proxy.test', 'https://proxy.test/v1/']) {
      const env = { ANTHROPIC_API_KEY: 'sk-ant', ANTHROPIC_BASE_URL: address }
      const { found, notes } = await discover({ env })
      expect(found).toMatchObject([{ dialect: 'generic', baseUrl: 'https://proxy.test/v1' }])
      expect(notes[0]).toContain('taken as generic')
    }
  })

  test.each([
    { ANTHROPIC_API_KEY: 'sk-chapar-v1-abc' },
    { ANTHROPIC_API_KEY: 'sk-ant', ANTHROPIC_BASE_URL: 'http://localhost:8080' },
    { OPENAI_API_KEY: 'sk-chapar-v1-abc' },
    { MISTRAL_API_KEY: 'sk-chapar-v1-abc' },
    { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1' },
    { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'http://localhost:8080/v1' },
    { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'http://[::1]:8080/v1' },
    { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'ftp://vendor.test' },
    { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'nowhere' },
    { GROQ_API_KEY: 'gsk x\ny' },
  ])('%j is not taken, and a note says so without the key', async (env) => {
    const { found, notes } = await discover({ env })
    expect(found).toEqual([])
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatch(/^[A-Z_]+_API_KEY: /)
    expect(notes[0]).not.toMatch(/sk-|gsk/)
  })
})

describe('this machine', () => {
  const models = (...ids: unknown[]) => ({ object: 'list', data: ids.map((id) => ({ id })) })

  test('is asked for model servers, all at once and briefly', async () => {
    const asked: [string, number][] = []
    const { promise: both, resolve } = Promise.withResolvers<void>()
    const { found, local } = await discover({
      async probe(url, timeoutMs) {
        if (asked.push([url, timeoutMs]) === 2) resolve()
        await both
        return url.includes(':11434') ? models('llama3.3', 'nomic-embed-text', 7) : null
      },
    })
    expect(asked).toEqual([
      ['http://127.0.0.1:11434/v1/models', 150],
      ['http://127.0.0.1:1234/v1/models', 150],
    ])
    expect(found).toMatchObject([{ name: 'ollama', dialect: 'ollama', credential: null }])
    expect(local).toEqual([{ vendor: 'ollama', id: 'llama3.3' }])
  })

  test('that answers nonsense or fails has none', async () => {
    for (const answer of [null, 'x', {}, { data: 'x' }]) {
      const { local } = await discover({ probe: () => Promise.resolve(answer) })
      expect(local).toEqual([])
    }
    const { found } = await discover({ probe: () => Promise.reject(new Error('down')) })
    expect(found).toEqual([])
  })

  test('is not asked where we ourselves listen', async () => {
    const asked: string[] = []
    await discover({
      ownAddresses: ['0.0.0.0:1234'],
      probe(url) {
        asked.push(url)
        return Promise.resolve(null)
      },
    })
    expect(asked).toEqual(['http://127.0.0.1:11434/v1/models'])
  })
})
