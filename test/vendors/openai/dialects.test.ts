import { describe, expect, test } from 'bun:test'
import {
  dialectFor,
  dialects,
  isDialect,
  type Dialect,
} from '../../../src/gateway/vendors/openai/dialects'
import { openai } from '../../../src/gateway/vendors/openai/vendor'
import { sandboxVendor } from '../../../src/gateway/vendors/sandbox/models'
import { vendors } from '../../../src/gateway/vendors/registry'

const rows = Object.entries<Dialect>(dialects)

describe('a dialect', () => {
  test.each([
    ['https://api.openai.com/v1', 'openai'],
    ['https://mine.openai.azure.com/openai/v1', 'azure'],
    ['https://mine.services.ai.azure.com/openai/v1', 'azure'],
    ['https://api.deepseek.com/v1', 'deepseek'],
    ['https://api.together.xyz/v1', 'together'],
    ['https://dashscope.aliyuncs.com/compatible-mode/v1', 'alibaba'],
    ['https://api.moonshot.cn/v1', 'moonshot'],
    ['https://open.bigmodel.cn/api/paas/v4', 'zhipu'],
    ['https://api.sambanova.ai/v1', 'sambanova'],
    ['https://api.studio.nebius.com/v1', 'nebius'],
    ['https://integrate.api.nvidia.com/v1', 'nvidia'],
    ['https://api.voyageai.com/v1', 'voyage'],
    ['https://api.jina.ai/v1', 'jina'],
    ['http://127.0.0.1:11434/v1', 'ollama'],
    ['http://gpu.lan:11434/v1', 'ollama'],
    ['http://localhost:1234/v1', 'lmstudio'],
    ['http://localhost:8000/v1', 'generic'],
    ['https://api.openai.com.evil.test/v1', 'generic'],
    ['https://notapi.openai.com.test/v1', 'generic'],
    ['https://example.com/api.openai.com', 'generic'],
  ])('at %s is %s', (address, name) => {
    expect<string>(dialectFor(address)).toBe(name)
  })

  test.each(rows)(
    '%s is whole: found by its own address, with no rule against itself',
    (name, dialect) => {
      expect(dialect.title).not.toBe('')
      if (dialect.baseUrl !== null) {
        expect<string>(dialectFor(dialect.baseUrl)).toBe(name)
        expect(dialect.baseUrl).toMatch(/^https:\/\/[^/]+(\/[\w.-]+)*$/)
      }
      expect(dialect.keyVariable === null).toBe(dialect.baseUrl === null)
      for (const known of Object.values(dialect.rename)) {
        expect(dialect.drop).not.toContain(known)
        if (dialect.allow !== null) expect(dialect.allow).toContain(known)
      }
      if (dialect.allow !== null && dialect.maxTokensName !== null)
        expect(dialect.allow).toContain(dialect.maxTokensName)
    },
  )

  test('has a variable of its own for its key', () => {
    const names = rows.flatMap(([, { keyVariable }]) => (keyVariable === null ? [] : [keyVariable]))
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(12)
  })

  test('is no property that every object has', () => {
    expect(isDialect('openai')).toBe(true)
    expect(isDialect('constructor')).toBe(false)
  })
})

describe('a credential', () => {
  const signed = (dialect: string) => openai.sign('sk-1', { ...sandboxVendor, dialect })
  test('goes into the header that the vendor reads', () => {
    expect(signed('azure')).toEqual([['api-key', 'sk-1']])
    for (const dialect of ['openai', 'mistral', 'generic', 'unheard-of'])
      expect(signed(dialect)).toEqual([['authorization', 'Bearer sk-1']])
  })
})

test('each kind of vendor is registered under its own name', () => {
  expect(Object.keys(vendors).sort()).toEqual([
    'anthropic',
    'deepgram',
    'elevenlabs',
    'google',
    'openai',
    'sandbox',
  ])
  for (const [kind, vendor] of Object.entries(vendors)) expect(vendor.kind).toBe(kind)
})
