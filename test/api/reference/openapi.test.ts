import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { codes, errorType, type ErrorCode } from '../../../src/errors/codes'
import { errorExample, isRetryable } from '../../../src/gateway/api/reference/examples'
import { notes } from '../../../src/gateway/api/reference/fa/notes'
import { prose } from '../../../src/gateway/api/reference/fa/prose'
import { inPersian } from '../../../src/gateway/api/reference/fa/translate'
import { openApiOf } from '../../../src/gateway/api/reference/openapi'
import { reference, table } from '../../../src/gateway/api/table'
import { ask, openTestGateway, type TestGateway } from '../../support/gateway'
import { fields, misfits, resolved } from '../../support/json-schema'
import { eventsOf } from '../../support/sse'

const document: unknown = JSON.parse(JSON.stringify(reference.document()))
const part = (...way: string[]) => way.reduce<unknown>((at, name) => fields(at)[name], document)

interface Operation {
  readonly path: string
  readonly method: string
  readonly told: Readonly<Record<string, unknown>>
}

const operations: readonly Operation[] = Object.entries(fields(part('paths'))).flatMap(
  ([path, methods]) =>
    Object.entries(fields(methods)).map(([method, told]) => ({
      path,
      method,
      told: fields(told),
    })),
)

/** Every object below this one, with the way to it. */
const below = (value: unknown, way: readonly string[] = []): [string[], unknown][] =>
  typeof value !== 'object' || value === null
    ? []
    : [
        [[...way], value],
        ...Object.entries(value).flatMap(([name, inner]) => below(inner, [...way, name])),
      ]

describe('the document of the interface', () => {
  test('has every route of the table, and nothing else', () => {
    const served = table.map(({ method, path, doc }) => {
      const rest = doc?.rest === undefined ? '*' : `{${doc.rest.name}}`
      return `${method} ${path.replace('*', rest)}`
    })
    const told = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    expect(told.sort()).toEqual(served.sort())
  })

  test('has no route without a description', () => {
    expect(table.filter(({ doc }) => doc === undefined).map(({ path }) => path)).toEqual([])
    expect(() => openApiOf([{ method: 'GET', path: '/v1/new' }])).toThrow(
      'GET /v1/new is not described',
    )
  })

  test('is OpenAPI 3.1 of version 1.0.0', () => {
    expect(part('openapi')).toBe('3.1.0')
    expect(part('info')).toMatchObject({ title: 'Chapar', version: '1.0.0' })
    expect(Object.keys(fields(document)).filter((name) => !name.startsWith('x-'))).toEqual([
      'openapi',
      'info',
      'servers',
      'tags',
      'paths',
      'components',
    ])
  })

  test('has no reference to nothing, and none to elsewhere', () => {
    const references = below(document).flatMap(([, value]) =>
      '$ref' in fields({ ...(value as object) }) ? [String(fields(value)['$ref'])] : [],
    )
    expect(references.length).toBeGreaterThan(50)
    for (const each of references) expect(resolved(document, each)).toBeDefined()
    // What nothing refers to is left over from something.
    const names = Object.keys(fields(part('components', 'schemas')))
    const used = (name: string) => references.includes(`#/components/schemas/${name}`)
    expect(names.filter((name) => !used(name))).toEqual([])
  })

  test('names each operation once, and tags it with what it declares', () => {
    const ids = operations.map(({ told }) => told['operationId'])
    expect(new Set(ids).size).toBe(operations.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/)
    const tags = (part('tags') as { name: string }[]).map(({ name }) => name)
    for (const { told } of operations)
      for (const tag of told['tags'] as string[]) expect(tags).toContain(tag)
  })

  test.each([...operations])('$method $path is well formed', ({ path, method, told }) => {
    expect(['get', 'post', 'put', 'patch', 'delete']).toContain(method)
    expect(String(told['summary'])).toMatch(/\.$/)
    const parameters = told['parameters'] as Readonly<Record<string, unknown>>[]
    const inPath = parameters.filter((each) => each['in'] === 'path').map((each) => each['name'])
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))
    for (const each of parameters) {
      expect(['path', 'query', 'header']).toContain(String(each['in']))
      expect(each['in'] === 'path' ? each['required'] : true).toBe(true)
      expect(typeof each['schema']).toBe('object')
    }
    const answers = Object.entries(fields(told['responses']))
    expect(answers.some(([status]) => status.startsWith('2'))).toBe(true)
    for (const [status, answer] of answers) {
      expect(status).toMatch(/^[1-5]\d\d$/)
      expect(String(fields(answer)['description'])).not.toBe('')
      for (const [type, content] of Object.entries(fields(fields(answer)['content']))) {
        expect(type).toMatch(/^\w+\/[\w.+-]+$/)
        expect(typeof fields(content)['schema']).toBe('object')
      }
    }
    for (const needed of told['security'] as object[])
      for (const name of Object.keys(needed))
        expect(part('components', 'securitySchemes', name)).toBeDefined()
    const body = told['requestBody']
    if (body !== undefined) {
      expect(['post', 'put', 'patch']).toContain(method)
      for (const content of Object.values(fields(fields(body)['content']))) {
        const { schema, example } = fields(content)
        if (example !== undefined) expect(misfits(document, schema, example)).toEqual([])
      }
    }
  })

  test('says of exactly those routes that they need a key which refuse without one', async () => {
    for (const { path, method, told } of operations) {
      const url = chapar.url.replace(/\/v1$/, path.replaceAll(/\{\w+\}/g, 'vid_none'))
      const { status } = await fetch(url, { method: method.toUpperCase() })
      expect({ path, refused: status === 401 }).toEqual({
        path,
        refused: (told['security'] as unknown[]).length > 0,
      })
    }
  })
})

describe('errors in the document', () => {
  const all = Object.keys(codes) as ErrorCode[]

  test('are every code, with its status, type and whether to repeat', () => {
    expect(part('x-error-codes')).toEqual(
      all.map((code) => ({
        code,
        status: codes[code].status,
        type: errorType(code),
        retry: isRetryable(code),
        on_wire: 'wireCode' in codes[code] ? null : code,
      })),
    )
  })

  test.each(all)('%s has an example that is an Error, with nothing left open', (code) => {
    const example = errorExample(code)
    expect(part('components', 'examples', code)).toMatchObject({ value: example })
    expect(misfits(document, { $ref: '#/components/schemas/Error' }, example)).toEqual([])
    expect(example.error.message).not.toMatch(/undefined|NaN|null|\[object/)
  })

  test('stand under their own status in each route', () => {
    for (const { told } of operations)
      for (const [status, answer] of Object.entries(fields(told['responses']))) {
        const json = fields(fields(answer)['content'])['application/json']
        const examples = json === undefined ? undefined : fields(json)['examples']
        for (const code of Object.keys(examples === undefined ? {} : fields(examples)))
          expect(String(codes[code as ErrorCode].status)).toBe(status)
      }
  })
})

let chapar: TestGateway
beforeAll(async () => void (chapar = await openTestGateway()))
afterAll(() => chapar.close())

const schemaOf = (path: string, method: string, status: number, type = 'application/json') =>
  part('paths', path, method, 'responses', String(status), 'content', type, 'schema')
const root = () => chapar.url.replace(/\/v1$/, '')
const keyed = () => ({ authorization: `Bearer ${chapar.key}` })

describe('what is answered is what the document says', () => {
  const whole = async (path: string, url: string, init: RequestInit = {}) => {
    const response = await fetch(root() + url, init)
    const method = (init.method ?? 'GET').toLowerCase()
    const body: unknown = await response.json()
    expect(misfits(document, schemaOf(path, method, response.status), body)).toEqual([])
    return body
  }

  test('the list of models, and one', async () => {
    const list = fields(await whole('/v1/models', '/v1/models'))
    expect((list['data'] as unknown[]).length).toBeGreaterThan(3)
    await whole('/v1/models/{id}', '/v1/models/sandbox/echo')
    await whole('/v1/models/{id}', '/v1/models/nothing')
    await whole('/v1/models', '/v1/models?type=none')
  })

  test('a model that lacks a field would be noticed', async () => {
    const model = fields(await whole('/v1/models/{id}', '/v1/models/sandbox/echo'))
    const schema = schemaOf('/v1/models/{id}', 'get', 200)
    for (const name of Object.keys(model)) {
      const { [name]: _, ...rest } = model
      expect(misfits(document, schema, rest)).toEqual([`$.${name}: missing`])
    }
    expect(misfits(document, schema, { ...model, type: 'poem' })).toHaveLength(1)
  })

  const chatPath = '/v1/chat/completions'
  const post = (body: object, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { ...keyed(), ...headers },
    body: JSON.stringify(body),
  })

  test('a whole answer, one with calls of tools, and a dry run', async () => {
    const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }]
    for (const body of [
      ask('sandbox/echo-priced'),
      ask('sandbox/echo', { n: 2 }),
      ask('sandbox/echo', { tools, tool_choice: 'required' }),
    ])
      expect(await whole(chatPath, chatPath, post(body))).toMatchObject({
        object: 'chat.completion',
      })
    expect(
      await whole(chatPath, chatPath, post(ask('sandbox/echo'), { 'x-dry-run': '1' })),
    ).toMatchObject({ object: 'dry_run' })
  })

  test('every chunk of a stream', async () => {
    const response = await chapar.post(ask('sandbox/echo-priced', { stream: true }))
    const schema = fields(schemaOf(chatPath, 'post', 200, 'text/event-stream'))['contentSchema']
    const chunks = eventsOf(await response.text()).filter((data) => data !== '[DONE]')
    expect(chunks.length).toBeGreaterThan(2)
    for (const data of chunks) expect(misfits(document, schema, JSON.parse(data))).toEqual([])
  })

  test('refusals', async () => {
    await whole(chatPath, chatPath, post({ model: 'sandbox/echo' }))
    await whole(chatPath, chatPath, post(ask('nothing')))
    await whole(chatPath, chatPath, post(ask('sandbox/error-upstream_rate_limited')))
    await whole(chatPath, chatPath, { method: 'POST' })
  })

  test('every example of a JSON body, sent as it stands', async () => {
    const sent = operations.flatMap(({ path, method, told }) => {
      const request = fields(told['requestBody'] ?? { content: {} })
      const json = fields(request['content'])['application/json']
      return json === undefined ? [] : [{ path, method, example: fields(json)['example'] }]
    })
    expect(sent.filter(({ example }) => example === undefined)).toEqual([])
    for (const { path, method, example } of sent) {
      const response = await fetch(root() + path, {
        ...post(fields(example)),
        method: method.toUpperCase(),
      })
      const body = await response.arrayBuffer()
      expect({ path, status: response.status }).toEqual({ path, status: 200 })
      if (response.headers.get('content-type')?.startsWith('application/json') !== true) continue
      const answer: unknown = JSON.parse(new TextDecoder().decode(body))
      expect(misfits(document, schemaOf(path, method, 200), answer)).toEqual([])
    }
  })

  test('the account, the usage, one request and whether it is alive', async () => {
    const answer = await chapar.post(ask('sandbox/echo-priced'))
    const id = answer.headers.get('x-request-id')
    await answer.body?.cancel()
    await whole('/v1/me', '/v1/me', { headers: keyed() })
    await whole('/v1/usage', '/v1/usage?group=model', { headers: keyed() })
    await whole('/v1/requests/{id}', `/v1/requests/${id}`, { headers: keyed() })
    await whole('/healthz', '/healthz')
    await whole('/readyz', '/readyz')
  })
})

describe('the addresses of the document', () => {
  test('GET /openapi.json is the document', async () => {
    const response = await fetch(`${root()}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(document)
  })

  test.each(['en', 'fa'] as const)(
    'GET /docs is a page that names everything and loads nothing, in %s',
    async (language) => {
      const response = await fetch(`${root()}/docs`, { headers: { 'accept-language': language } })
      const page = await response.text()
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page).toContain(`<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">`)
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toStartWith("default-src 'none'; style-src 'sha256-")
      const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? ''
      expect(policy).toContain(new Bun.CryptoHasher('sha256').update(style).digest('base64'))
      expect(page).not.toMatch(/<script|<link|<img|<iframe|\bsrc=|\bon\w+=|@import|url\(/i)
      expect([...page.matchAll(/href="([^#"][^"]*)"/g)].map(([, href]) => href)).toEqual([
        '/openapi.json',
      ])
      for (const { path } of operations) expect(page).toContain(path)
      for (const [code, row] of Object.entries(codes))
        // A word of our own, which clients never read, is not taught to them.
        expect(page.includes(`<code dir="ltr">${code}</code>`)).toBe(!('wireCode' in row))
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
    },
  )
})

/** Texts for people, but not those of examples. */
const textsOf = (value: unknown, name = ''): readonly string[] => {
  if (typeof value === 'string') return /^(?:summary|description)$/.test(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([inner, each]) =>
    /^(?:examples?|default|enum)$/.test(inner) ? [] : textsOf(each, inner),
  )
}

describe('the reference in Persian', () => {
  const texts = [...new Set(textsOf(document))]

  test('says everything that the document says', () => {
    expect(texts.length).toBeGreaterThan(250)
    expect(texts.filter((text) => inPersian(text) === null)).toEqual([])
  })

  test('has the words of the interface as they are, and no sentence of a text that is gone', () => {
    const marked = (text: string) => [...text.matchAll(/`([\w/.-]+)`/g)].map(([, word]) => word)
    const paragraphs = texts
      .flatMap((text) => text.split(/\n\s*\n/))
      .map((each) => each.replaceAll(/\s+/g, ' '))
    for (const [english, persian] of Object.entries(prose)) {
      expect(paragraphs).toContain(english)
      expect(marked(english).filter((word) => !marked(persian).includes(word))).toEqual([])
    }
    const all = paragraphs.join('\n')
    expect(Object.keys(notes).filter((english) => !all.includes(english))).toEqual([])
  })
})
