import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mayBePublicUrl } from '../../src/net/address'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, replies, type StandIn } from '../support/stand-in'

/** Spellings of addresses inside of some network, as one or another program reads them. */
const inside = [
  'https://127.0.0.1/a.png',
  'https://127.0.0.1:8443/a.png',
  'https://127.1/a.png',
  'https://2130706433/a.png',
  'https://0x7f000001/a.png',
  'https://0177.0.0.1/a.png',
  'https://127.0.0.1./a.png',
  'https://%31%32%37.0.0.1/a.png',
  'https://１２７.0.0.1/a.png',
  'https://user:password@127.0.0.1/a.png',
  'https://0.0.0.0/a.png',
  'https://10.0.0.1/a.png',
  'https://172.16.0.1/a.png',
  'https://192.168.1.1/a.png',
  'https://100.64.0.1/a.png',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/a.png',
  'https://[::ffff:127.0.0.1]/a.png',
  'https://[::ffff:a9fe:a9fe]/a.png',
  'https://[fd00::1]/a.png',
  'https://[fe80::1]/a.png',
  'https://[64:ff9b::7f00:1]/a.png',
  'https://localhost/a.png',
  'https://LOCALHOST./a.png',
  'https://a.localhost/a.png',
  'https://vllm/a.png',
  'https://metadata.google.internal/a.png',
  'https://printer.local/a.png',
  // Read by some up to the backslash, by others behind it.
  'https://example.com\\@127.0.0.1/a.png',
  'https://127.0.0.1\\@example.com/a.png',
  'https://exa\tmple.com/a.png',
  'https://',
] as const

const outside = [
  'https://example.com/a.png',
  'https://example.com:8443/a.png?x=127.0.0.1#localhost',
  'https://8.8.8.8/a.png',
  'https://[2606:4700::1111]/a.png',
  'https://local.example.com/a.png',
  'https://مثال.ایران/a.png',
] as const

test.each(inside)('%s is not public', (url) => expect(mayBePublicUrl(url)).toBe(false))
test.each(outside)('%s may be', (url) => expect(mayBePublicUrl(url)).toBe(true))
test('files of a machine are not public', () =>
  expect(mayBePublicUrl('file:///etc/passwd')).toBe(false))

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    usd: '10',
    async prepare(storage) {
      await addHubVendor({ kind: 'openai', url: vendor.url, models: { gpt: {} } })(storage)
      await addHubVendor({ kind: 'anthropic', url: vendor.url, models: { claude: {} } })(storage)
      await addHubVendor({ kind: 'google', url: vendor.url, models: { gemini: {} } })(storage)
    },
  })
})
beforeEach(() => vendor.play(replies()))
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const post = (path: string, body: object) =>
  fetch(`${chapar.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const chat = (part: object) => ({ messages: [{ role: 'user', content: [part] }] })
const messages = (block: object) => ({
  max_tokens: 9,
  messages: [{ role: 'user', content: [block] }],
})
const inTool = (block: object) =>
  messages({ type: 'tool_result', tool_use_id: 'a', content: [block] })
const responses = (part: object) => ({ input: [{ role: 'user', content: [part] }] })

/** Members that a vendor fetches from: path, a body with an address, its place. */
const places: readonly (readonly [string, (url: string) => object, string])[] = [
  [
    'chat/completions',
    (url) => chat({ type: 'image_url', image_url: { url } }),
    'messages[0].content[0].image_url.url',
  ],
  [
    'chat/completions',
    (url) => chat({ type: 'file', file: { file_data: url } }),
    'messages[0].content[0].file.file_data',
  ],
  [
    'chat/completions',
    (url) => chat({ type: 'video_url', video_url: { url } }),
    'messages[0].content[0].video_url.url',
  ],
  [
    'chat/completions',
    (url) => chat({ type: 'document_url', document_url: url }),
    'messages[0].content[0].document_url',
  ],
  [
    'messages',
    (url) => messages({ type: 'image', source: { type: 'url', url } }),
    'messages[0].content[0].source.url',
  ],
  [
    'messages',
    (url) => messages({ type: 'document', source: { type: 'url', url } }),
    'messages[0].content[0].source.url',
  ],
  [
    'messages',
    (url) => inTool({ type: 'image', source: { type: 'url', url } }),
    'messages[0].content[0].content[0].source.url',
  ],
  [
    'messages',
    (url) => ({
      ...messages({ type: 'text', text: 'a' }),
      mcp_servers: [{ type: 'url', name: 'a', url }],
    }),
    'mcp_servers[0].url',
  ],
  [
    'messages/count_tokens',
    (url) => messages({ type: 'image', source: { type: 'url', url } }),
    'messages[0].content[0].source.url',
  ],
  [
    'responses',
    (url) => responses({ type: 'input_image', image_url: url }),
    'input[0].content[0].image_url',
  ],
  [
    'responses',
    (url) => responses({ type: 'input_file', file_url: url }),
    'input[0].content[0].file_url',
  ],
  [
    'responses',
    (url) => ({
      input: [
        {
          type: 'function_call_output',
          call_id: 'a',
          output: [{ type: 'input_image', image_url: url }],
        },
      ],
    }),
    'input[0].output[0].image_url',
  ],
  [
    'responses',
    (url) => ({
      input: [{ type: 'computer_call_output', call_id: 'a', output: { image_url: url } }],
    }),
    'input[0].output.image_url',
  ],
  [
    'responses',
    (url) => ({ input: 'a', tools: [{ type: 'mcp', server_label: 'a', server_url: url }] }),
    'tools[0].server_url',
  ],
  [
    'responses/compact',
    (url) => responses({ type: 'input_image', image_url: url }),
    'input[0].content[0].image_url',
  ],
]

describe.each(places)('an address in %s %o', (path, bodyWith, param) => {
  test('that is not public is refused, whoever would fetch it', async () => {
    for (const model of ['gpt', 'claude', 'gemini'])
      for (const url of [
        'https://127.0.0.1/a.png',
        'https://169.254.169.254/x',
        'https://[::1]/a',
      ]) {
        const from = vendor.seen.length
        const answer = await post(path, { model, ...bodyWith(url) })
        const { error } = (await answer.json()) as { error?: { param: string } }
        expect([answer.status, error?.param]).toEqual([400, param])
        expect(vendor.seen.length).toBe(from)
      }
  })
})

test('an address that nobody fetches may be any', async () => {
  const url = 'http://localhost:3000/'
  const call = { name: 'open', arguments: JSON.stringify({ url }) }
  const body = {
    model: 'gpt',
    messages: [
      { role: 'user', content: [{ type: 'text', text: url }] },
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'a', content: url },
    ],
  }
  expect((await chapar.post(body)).status).toBe(200)
  const blocks = {
    model: 'gpt',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'open', input: { url } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: url }] },
    ],
  }
  expect((await post('messages', blocks)).status).toBe(200)
})
