import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fieldsOf, type Fields } from '../../src/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { message, responds } from '../support/responses-stand-in'
import { openStandIn, wholeReply, type StandIn } from '../support/stand-in'

/* Vendors that have the Responses endpoint, and are asked there where a translation cannot say what is asked. */

let vendor: StandIn
let chapar: TestGateway
const dialects = ['azure', 'xai', 'groq'] as const
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
          models: { [dialect]: {}, [`${dialect}-only`]: { chat: 'responses' } },
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

const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }
const user = { role: 'user', content: 'hi' }

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
    ['sealed reasoning', { input: [reasoning, user] }],
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
    const messages = [{ role: 'system', content: 'Be brief.' }, user]
    const seen = await asked('/chat/completions', { model: `${model}-only`, messages })
    expect(seen.path).toEndWith('/responses')
    expect(seen.body['user']).toBeString()
    expect(seen.body).not.toHaveProperty('safety_identifier')
    const role = model === 'azure' ? 'developer' : 'system'
    expect(fieldsOf((seen.body['input'] as unknown[])[0])['role']).toBe(role)
  })
})

test('a vendor without the endpoint is asked in chat, whatever the traits say', async () => {
  for (const model of ['groq', 'groq-only'])
    expect((await asked('/responses', { model, input: 'hi' })).path).toEndWith('/chat/completions')
})
