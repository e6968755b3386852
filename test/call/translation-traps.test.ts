import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { requestedWrite } from '../../src/gateway/endpoints/text/cache-writes'
import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, replies, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    stop_reason: 'end_turn',
  }
  const text = {
    content: [{ type: 'text', text: 'Hi' }],
    usage: { input_tokens: 5, output_tokens: 2 },
  }
  vendor = openStandIn((seen, request) =>
    seen.path.endsWith('/messages')
      ? Response.json({ ...message, ...text })
      : replies()(seen, request),
  )
  const { url } = vendor
  chapar = await openTestGateway({
    async prepare(storage) {
      const add = (name: string, parts: Partial<Parameters<typeof addHubVendor>[0]>) =>
        addHubVendor({
          kind: 'openai',
          name,
          url,
          tools: { web_search: '0.01' },
          models: { [name]: { reasoning: true } },
          ...parts,
        })(storage)
      await add('plain', { dialect: 'generic' })
      await add('qwen', { dialect: 'alibaba' })
      await add('mistral', { dialect: 'mistral' })
      await add('claude', { kind: 'anthropic' })
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const send = (path: string, body: object) =>
  fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify(body),
  })

const said = [{ role: 'user', content: 'hi' }]

test.each([
  [String.raw`{"cache_control":{"type":"ephemeral"}}`, 'cache_write_5m'],
  [String.raw`{"cache_control":{"type":"ephemeral","ttl":"1h"}}`, 'cache_write_1h'],
  [String.raw`{"prompt_cache_breakpoint":{"mode":"explicit","ttl":"12h"}}`, 'cache_write_1h'],
  // A mark that is spelt by escapes is one.
  [String.raw`{"cache\u005fcontrol":{"type":"ephemeral","ttl":"\u0031h"}}`, 'cache_write_1h'],
  [String.raw`{"\u0063ache_control":{"type":"ephemeral"}}`, 'cache_write_1h'],
  // What programs escape of their own, and what a text says of escapes, is none.
  [String.raw`{"content":"\u0633\u003c\u003e\u0026\u0027\u00e9 cache_control"}`, null],
  [String.raw`{"content":"\\u0063 \\\\u0031"}`, null],
])('of %s money is held for %p', (text, write) => {
  expect(requestedWrite(text)).toBe(write as ReturnType<typeof requestedWrite>)
})

describe('values that are no texts', () => {
  const odd = { toString: 1 }
  const fetched = {
    type: 'web_fetch_result',
    url: 'https://a.example',
    content: { source: { type: 'text', data: odd } },
  }
  test.each([
    [
      '/messages',
      {
        tools: [
          {
            type: 'computer_20251124',
            name: 'computer',
            display_width_px: odd,
            display_height_px: odd,
          },
        ],
      },
    ],
    [
      '/messages',
      {
        messages: [
          ...said,
          {
            role: 'assistant',
            content: [
              { type: 'server_tool_use', id: 's', name: odd, input: { query: 'q' } },
              { type: 'web_fetch_tool_result', tool_use_id: 's', content: fetched },
            ],
          },
          ...said,
        ],
      },
    ],
    [
      '/responses',
      {
        input: 'hi',
        tools: [
          { type: 'computer_use_preview', display_width: odd, display_height: 1, environment: odd },
        ],
      },
    ],
    [
      '/responses',
      {
        input: [
          { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } },
          {
            type: 'shell_call_output',
            call_id: 'c',
            output: [{ outcome: { type: 'exit', exit_code: odd } }],
          },
          { type: 'web_search_call', id: 'w', action: { type: odd, query: odd } },
          { role: 'user', content: 'hi' },
        ],
      },
    ],
  ] as const)('at %s are no fault of the program: %j', async (path, body) => {
    const rest = path === '/messages' ? { max_tokens: 5, messages: said } : {}
    const answer = await send(path, { model: 'plain', ...rest, ...body })
    await answer.text()
    expect([200, 400]).toContain(answer.status)
  })
})

test.each(['qwen', 'mistral', 'plain'])(
  'an offered search and an effort pass at %s',
  async (model) => {
    const search = { type: 'web_search_20250305', name: 'web_search' }
    const wishes = { output_config: { effort: 'high' }, tools: [search] }
    const answer = await send('/messages', { model, max_tokens: 5, messages: said, ...wishes })
    await answer.text()
    expect(answer.status).toBe(200)
    const { body = {} } = vendor.seen.at(-1) ?? {}
    expect('web_search_options' in body).toBe(model !== 'mistral')
  },
)

test('a member of chat that no list has is left out of a translation, and named', async () => {
  const answer = await send('/chat/completions', {
    model: 'claude',
    messages: said,
    extra_body: { google: {} },
    parallel_tool_calls: true,
  })
  await answer.text()
  expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([200, 'extra_body'])
})

test.each([
  [
    [
      { type: 'function', name: 'a__b' },
      { type: 'namespace', name: 'a', tools: [{ type: 'function', name: 'b' }] },
    ],
    'tools[1].tools[0].name',
  ],
  [
    [
      { type: 'function', name: 'tool_search' },
      { type: 'tool_search', execution: 'client' },
    ],
    'tools[1].type',
  ],
  [[{ type: 'computer' }, { type: 'computer_use_preview' }], 'tools[1].type'],
])('two tools of one name are refused: %j', async (tools, param) => {
  const answer = await send('/responses', { model: 'plain', input: 'hi', tools })
  const { error } = fieldsOf(await answer.json())
  expect([answer.status, fieldsOf(error)['param']]).toEqual([400, param])
})

test('thousands of allowed tools take no seconds', async () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `tool_${at}`)
  const tools: Fields[] = names.map((name) => ({ type: 'function', name }))
  const allowed = names.map((name) => ({ type: 'function', name }))
  const began = performance.now()
  const choice = { type: 'allowed_tools', mode: 'auto', tools: allowed }
  const answer = await send('/responses', {
    model: 'plain',
    input: 'hi',
    tools,
    tool_choice: choice,
  })
  await answer.text()
  expect(answer.status).toBe(200)
  expect(performance.now() - began).toBeLessThan(3000)
})
