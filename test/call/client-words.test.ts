import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fieldsOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, type StandIn } from '../support/stand-in'
import type { Storage } from '../../src/business/data/storage'

/* What a vendor of another format cannot be asked is named as the client wrote it, and wishes reach those who have them. */

let vendor: StandIn
let chapar: TestGateway

async function prepare(storage: Storage): Promise<void> {
  const { url } = vendor
  const searching = { tools: { web_search: '0.01' } }
  const models = { claude: {} }
  await addHubVendor({ kind: 'anthropic', url, models, ...searching })(storage)
  await addHubVendor({ kind: 'google', url, models: { gemini: {} }, ...searching })(storage)
  const plain = { kind: 'openai', dialect: 'generic', url, ...searching } as const
  await addHubVendor({ ...plain, name: 'plain', models: { plain: {} } })(storage)
  const capabilities = { reasoning: true }
  await addHubVendor({ ...plain, name: 'thinker', capabilities, models: { thinker: {} } })(storage)
}

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ prepare })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

async function paramOf(path: string, body: object): Promise<unknown> {
  const before = vendor.seen.length
  const answer = await fetch(chapar.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${chapar.key}`,
      'content-type': 'application/json',
      'accept-language': 'en',
    },
    body: JSON.stringify(body),
  })
  const { error } = fieldsOf(await answer.json())
  const { param, message } = fieldsOf(error)
  expect([answer.status, vendor.seen.length]).toEqual([400, before])
  expect(String(message)).toContain(String(param))
  return param
}

const picture = 'https://pictures.example/a/picture.png'
const sound = { type: 'input_audio', input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' } }

test.each([
  [
    '/messages',
    'gemini',
    {
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: picture } }] },
      ],
    },
    'messages[0].content[0].source.url',
  ],
  [
    '/responses',
    'gemini',
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: picture }] }] },
    'input[0].content[0].image_url',
  ],
  ['/responses', 'claude', { input: [{ role: 'user', content: [sound] }] }, 'input'],
  ['/messages', 'plain', { stop_sequences: ['a', 'b', 'c', 'd', 'e'] }, 'stop_sequences'],
  [
    '/messages',
    'gemini',
    {
      tools: [{ type: 'web_search_20250305', name: 'web_search', allowed_domains: ['a.example'] }],
    },
    'tools',
  ],
  [
    '/messages',
    'gemini',
    {
      tools: [{ type: 'web_search_20250305', name: 'web_search', blocked_domains: ['a.example'] }],
    },
    'tools[0].blocked_domains',
  ],
  [
    '/responses',
    'plain',
    { input: 'hi', tools: [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }] },
    'tools',
  ],
  [
    '/chat/completions',
    'plain',
    { web_search_options: { filters: { allowed_domains: ['a.example'] } } },
    'web_search_options.filters',
  ],
  [
    '/messages',
    'plain',
    {
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'a' },
              citations: { enabled: true },
            },
          ],
        },
      ],
    },
    'messages[0].content[0].citations',
  ],
])('of %s to %s %j is refused as %s', async (path, model, body, param) => {
  const messages = [{ role: 'user', content: 'hi' }]
  const rest = path === '/responses' ? {} : { max_tokens: 5, messages }
  expect(await paramOf(path, { model, ...rest, ...body })).toBe(param)
})

test.each([
  [
    '/messages',
    {
      max_tokens: 5,
      messages: [{ role: 'user', content: 'hi' }],
      output_config: { effort: 'high' },
    },
  ],
  ['/responses', { input: 'hi', reasoning: { effort: 'high' } }],
])('an effort of %s reaches a model that is said to reason, and no other', async (path, body) => {
  for (const [model, effort] of [
    ['thinker', 'high'],
    ['plain', undefined],
  ] as const) {
    const answer = await fetch(chapar.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}` },
      body: JSON.stringify({ model, ...body }),
    })
    expect(answer.status).toBe(200)
    await answer.text()
    expect(vendor.seen.at(-1)?.body['reasoning_effort']).toBe(effort)
  }
})

test.each(['claude', 'gemini', 'plain'])('the name of a user reaches %s', async (model) => {
  const user = (content: unknown) => ({ role: 'user', name: 'Ali', content })
  const parts = [{ type: 'text', text: 'two' }]
  const answer = await chapar.post({ model, max_tokens: 5, messages: [user('one'), user(parts)] })
  await answer.text()
  const sent = JSON.stringify(vendor.seen.at(-1)?.body)
  expect(sent).toMatch(model === 'plain' ? /"name":"Ali"/ : /Ali: one.*Ali: two/)
})
