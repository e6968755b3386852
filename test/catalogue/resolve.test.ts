import { describe, expect, test } from 'bun:test'
import { openCatalogue } from '../../src/gateway/catalogue/open-catalogue'
import { resolve, resolveAny } from '../../src/gateway/catalogue/resolve'
import type { ErrorCode } from '../../src/errors/codes'
import { isGatewayError, type GatewayError } from '../../src/errors/gateway-error'
import { entry, route } from './entries'

const catalogue = openCatalogue()
catalogue.load([
  entry('gpt', { ownedBy: 'maker', routes: [route('first'), route('second', 'gpt-there')] }),
  entry('lab/gpt', { routes: [route('groq', 'lab/gpt')] }),
  entry('groq-only', { routes: [route('groq', 'lab/x')] }),
  entry('ollama/llama3:8b', { ownedBy: 'ollama', routes: [route('ollama', 'llama3:8b')] }),
  entry('resting', { status: 'off' }),
  entry('gone', { status: 'discontinued', routes: [], card: null }),
  entry('unpriced', { card: null }),
  entry('picture', {
    type: 'image',
    card: {
      version: 'v',
      validFrom: entry('x').created,
      lines: [{ meter: 'image', unit: 'each', price: '0.04' }],
    },
  }),
])
const asked = (id: string) => resolve(catalogue, 'chat', 'chat', id)

function refusal(id: string): GatewayError {
  try {
    asked(id)
  } catch (thrown) {
    if (isGatewayError(thrown)) return thrown
    throw thrown
  }
  throw new Error(`${id} was not refused`)
}

describe('the model that a client asks for', () => {
  test('is the one with exactly that id, with all its routes', () => {
    expect(asked('gpt')).toBe(catalogue.find('gpt')?.offer ?? expect.unreachable())
    expect(asked('gpt').routes.map(({ vendor }) => vendor)).toEqual(['first', 'second'])
    expect(asked('ollama/llama3:8b').model.id).toBe('ollama/llama3:8b')
  })

  test('as vendor/model or vendor:model is served by that vendor alone', () => {
    for (const id of ['second/gpt', 'second:gpt']) {
      expect(asked(id).model.id).toBe('gpt')
      expect(asked(id).routes).toEqual([route('second', 'gpt-there')])
      expect(asked(id).rates).toBe(asked('gpt').rates)
    }
  })

  test('as owner/model is served by any route', () => {
    expect(asked('maker/gpt')).toBe(asked('gpt'))
  })

  test('may itself hold slashes and colons behind the prefix', () => {
    expect(asked('groq/lab/gpt').routes).toEqual([route('groq', 'lab/gpt')])
    expect(asked('groq:lab/gpt').model.id).toBe('lab/gpt')
    expect(asked('ollama:ollama/llama3:8b').model.id).toBe('ollama/llama3:8b')
  })

  test('is its exact id before it is a prefix and another id', () => {
    const shadowed = openCatalogue()
    shadowed.load([
      entry('lab/gpt', { routes: [route('groq')] }),
      entry('gpt', { routes: [route('lab')] }),
    ])
    expect(resolve(shadowed, 'chat', 'chat', 'lab/gpt').model.id).toBe('lab/gpt')
    expect(resolve(shadowed, 'chat', 'chat', 'lab:gpt').model.id).toBe('gpt')
  })

  test('is the same offer each time, until the catalogue is loaded anew', () => {
    const own = openCatalogue()
    const load = () => own.load([entry('gpt', { routes: [route('a'), route('b')] })])
    load()
    const before = resolve(own, 'chat', 'chat', 'b/gpt')
    expect(resolve(own, 'chat', 'chat', 'b:gpt')).toBe(before)
    load()
    expect(resolve(own, 'chat', 'chat', 'b/gpt')).not.toBe(before)
  })

  test.each<[string, ErrorCode, number]>([
    ['nothing', 'model_not_found', 404],
    ['', 'model_not_found', 404],
    ['/', 'model_not_found', 404],
    [':gpt', 'model_not_found', 404],
    ['/gpt', 'model_not_found', 404],
    ['third/gpt', 'model_not_found', 404],
    ['third:gpt', 'model_not_found', 404],
    ['maker:gpt', 'model_not_found', 404],
    ['GPT', 'model_not_found', 404],
    ['__proto__', 'model_not_found', 404],
    ['unpriced', 'model_not_found', 404],
    ['gone', 'model_discontinued', 404],
    ['maker/gone', 'model_discontinued', 404],
    ['resting', 'model_temporarily_unavailable', 503],
    ['first/resting', 'model_temporarily_unavailable', 503],
    ['picture', 'model_endpoint_mismatch', 400],
  ])('%p is refused with %s', (id, code, status) => {
    expect(refusal(id)).toMatchObject({ code, status, param: 'model' })
    expect(refusal(id).facts).toMatchObject({ model: id })
  })

  test('of another type is refused with its type and the path that was asked', () => {
    expect(refusal('picture')).toMatchObject({
      facts: { model: 'picture', type: 'image', endpoint: '/v1/chat/completions' },
    })
    expect(resolveAny(catalogue, 'picture').model.type).toBe('image')
  })
})
