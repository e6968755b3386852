import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { message, responds } from '../support/responses-stand-in'
import { openStandIn, wholeReply, type StandIn } from '../support/stand-in'

/* Vendors that have the Responses endpoint, and are asked there where a translation cannot say what is asked. */

let vendor: StandIn
let chapar: TestGateway
const dialects = [
  'azure',
  'xai',
  'groq',
  'openrouter',
  'deepseek',
  'vllm',
  'generic',
  'mistral',
] as const
const declared = { responses: 'native' } as const
beforeAll(async () => {
  vendor = openStandIn()
  const { url } = vendor
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const dialect of dialects)
        await addHubVendor({
          kind: 'openai',
          dialect,
          name: dialect,
          url,
          tools: { code_interpreter: '0.01' },
          models: {
            [dialect]: {},
            [`${dialect}-only`]: { chat: 'responses' },
            [`${dialect}-native`]: declared,
          },
        })(storage)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})
beforeEach(() => {
  vendor.play((seen, request) =>
    seen.path.endsWith('/responses') ? responds([message('ok')])(seen, request) : wholeReply('ok'),
  )
})

async function asked(path: string, body: object): Promise<{ path: string; body: Fields }> {
  const answer = await fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect([answer.status, text.includes('ok')]).toEqual([200, true])
  const seen = vendor.seen.at(-1)
  return { path: seen?.path ?? '', body: fieldsOf(seen?.body) }
}

async function refusedAt(body: object): Promise<{ status: number; body: Fields }> {
  const answer = await fetch(`${chapar.url}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: fieldsOf(await answer.json()) }
}

const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }
const question = { role: 'user', content: 'hi' }

describe.each(['azure', 'xai'])('a Responses request at %s', (model) => {
  test('is translated where that says all of it', async () => {
    const tools = [{ type: 'function', name: 'f', parameters: {} }]
    const include = ['reasoning.encrypted_content']
    const seen = await asked('/responses', { model, input: 'hi', tools, include, store: false })
    expect(seen.path).toEndWith('/chat/completions')
  })

  test.each([
    [
      'a tool that the vendor runs',
      { input: 'hi', tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    ],
    ['sealed reasoning', { input: [reasoning, question] }],
  ])('with %s passes as it is', async (_, body) => {
    const seen = await asked('/responses', {
      model,
      ...body,
      safety_identifier: 'me',
      stream: false,
    })
    expect(seen.path).toEndWith('/responses')
    expect(seen.body).toMatchObject({ ...body, model: `${model}-vendor` })
    expect(seen.body['user']).toBeString()
    expect(seen.body).not.toHaveProperty('safety_identifier')
    expect(seen.body).not.toHaveProperty('stream_options')
  })

  test('passes as it is where its model is served so alone', async () => {
    const seen = await asked('/responses', { model: `${model}-only`, input: 'hi', user: 'me' })
    expect(seen.path).toEndWith('/responses')
    expect(seen.body['user']).not.toBe('me')
  })

  test('is what chat of a model that is served so alone becomes', async () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, question]
    const seen = await asked('/chat/completions', { model: `${model}-only`, messages })
    expect(seen.path).toEndWith('/responses')
    expect(seen.body['user']).toBeString()
    expect(seen.body).not.toHaveProperty('safety_identifier')
    const role = model === 'azure' ? 'developer' : 'system'
    expect(fieldsOf((seen.body['input'] as unknown[])[0])['role']).toBe(role)
  })
})

test('a vendor without a known endpoint is asked in chat, whatever is said of the model', async () => {
  for (const model of ['groq', 'groq-only', 'generic', 'generic-only', 'mistral-native'])
    expect((await asked('/responses', { model, input: 'hi' })).path).toEndWith('/chat/completions')
})

/** What endpoints that keep nothing do not take. */
const unkept: readonly (readonly [dialect: string, store: false | undefined, user: boolean])[] = [
  ['groq', undefined, true],
  ['openrouter', false, true],
  ['deepseek', undefined, false],
  ['vllm', false, false],
  ['generic', false, false],
]

describe.each(unkept)(
  'a Responses request at %s that is said to be served so',
  (name, store, user) => {
    const model = `${name}-native`

    test('passes without what the endpoint does not take', async () => {
      const own = { type: 'reasoning', id: 'of-it', summary: [], content: [] }
      const seen = await asked('/responses', {
        model,
        input: [own, question],
        include: ['reasoning.encrypted_content'],
        truncation: 'disabled',
        store: true,
        prompt_cache_key: 'k',
        safety_identifier: 'me',
      })
      expect(seen.path).toEndWith('/responses')
      expect(seen.body).toMatchObject({ model: `${model}-vendor`, input: [own, question] })
      expect(seen.body['store']).toBe(store)
      expect(typeof seen.body['user']).toBe(user ? 'string' : 'undefined')
      expect(seen.body).not.toHaveProperty('safety_identifier')
      const lacksInclude = ['groq', 'deepseek'].includes(name)
      expect('include' in seen.body).toBe(!lacksInclude)
      expect('truncation' in seen.body).toBe(!lacksInclude)
      expect('prompt_cache_key' in seen.body).toBe(name !== 'groq')
    })

    test('says sealed reasoning only where that is read', async () => {
      const seen = await asked('/responses', { model, input: [reasoning, question] })
      const isRead = ['openrouter', 'generic'].includes(name)
      expect(seen.body['input']).toEqual(isRead ? [reasoning, question] : [question])
    })

    test('leaves chat where it is', async () => {
      const seen = await asked('/chat/completions', { model, messages: [question] })
      expect(seen.path).toEndWith('/chat/completions')
    })

    test('is refused by the name of what goes on from an answer that is not kept', async () => {
      const before = vendor.seen.length
      const { status, body } = await refusedAt({
        model,
        input: 'hi',
        previous_response_id: 'resp_1',
      })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(fieldsOf(body['error'])['param']).toBe('previous_response_id')
      expect(vendor.seen.length).toBe(before)
    })
  },
)

test.each(['groq', 'deepseek'])(
  'what %s lacks and would change an answer is refused',
  async (name) => {
    const { status, body } = await refusedAt({
      model: `${name}-native`,
      input: 'hi',
      truncation: 'auto',
    })
    expect([status, fieldsOf(body['error'])['param']]).toEqual([400, 'truncation'])
  },
)

test('conditions on sellers go along to a vendor that chooses among them', async () => {
  const provider = { data_collection: 'deny' }
  const seen = await asked('/responses', { model: 'openrouter-native', input: 'hi', provider })
  expect(seen.path).toEndWith('/responses')
  expect(seen.body['provider']).toMatchObject(provider)
})
