import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { endpoints } from '../../src/gateway/catalogue/endpoints'
import type { EndpointName } from '../../src/domain/model'
import { mayBePublicUrl } from '../../src/gateway/net/address'
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
    headers: {
      authorization: `Bearer ${chapar.key}`,
      'content-type': 'application/json',
      'accept-language': 'en',
    },
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

/** A part of a text that vendors read a picture from, since it has an id of the client's (vLLM). */
const textWith = (members: object) => ({ type: 'text', text: 'a', uuid: 'a', ...members })
const cited = (url: string) => ({ type: 'url_citation', url_citation: { url, title: 'a' } })

/** Members that self-hosted and other vendors fetch from, of every endpoint that passes bodies on. */
const others: readonly (readonly [EndpointName, (url: string) => object, string])[] = [
  ...['image_url', 'video_url', 'audio_url'].flatMap((name): (typeof others)[number][] => [
    ['chat', (url) => chat(textWith({ [name]: { url } })), `messages[0].content[0].${name}.url`],
    ['chat', (url) => chat(textWith({ [name]: url })), `messages[0].content[0].${name}`],
    ['chat', (url) => chat({ type: 'any', [name]: url }), `messages[0].content[0].${name}`],
  ]),
  [
    'chat',
    (url) => chat({ type: 'any', Image_URL: { url } }),
    'messages[0].content[0].Image_URL.url',
  ],
  ['chat', (url) => chat({ type: 'image', image: url }), 'messages[0].content[0].image'],
  ['chat', (url) => chat({ type: 'video', video: [url] }), 'messages[0].content[0].video[0]'],
  ['chat', (url) => ({ ...chat({ type: 'text', text: 'a' }), image_urls: [url] }), 'image_urls[0]'],
  [
    'messages',
    (url) => messages(textWith({ source: { type: 'url', url } })),
    'messages[0].content[0].source.url',
  ],
  [
    'responses',
    (url) => responses({ type: 'input_text', text: 'a', image_url: url }),
    'input[0].content[0].image_url',
  ],
  [
    'responses',
    (url) => ({
      input: 'a',
      previous_input_messages: [
        { role: 'user', content: [{ type: 'input_image', image_url: url }] },
      ],
    }),
    'previous_input_messages[0].content[0].image_url',
  ],
  [
    'compact',
    (url) => responses({ type: 'input_text', text: 'a', image_url: url }),
    'input[0].content[0].image_url',
  ],
  ['embeddings', (url) => ({ input: 'a', images: [url] }), 'images[0]'],
  [
    'embeddings',
    (url) => ({ input: 'a', ...chat({ type: 'image_url', image_url: { url } }) }),
    'messages[0].content[0].image_url.url',
  ],
  [
    'moderations',
    (url) => ({ input: [{ type: 'image_url', image_url: { url } }] }),
    'input[0].image_url.url',
  ],
  ['images', (url) => ({ prompt: 'a', url }), 'url'],
  ['images', (url) => ({ prompt: 'a', image: url }), 'image'],
  ['images', (url) => ({ prompt: 'a', file: url }), 'file'],
  ['images', (url) => ({ prompt: 'a', ref_images: [url] }), 'ref_images[0]'],
  ['images', (url) => ({ prompt: 'a', images: [{ image_url: url }] }), 'images[0].image_url'],
  ['images', (url) => ({ prompt: 'a', mask: { url } }), 'mask.url'],
  ['speech', (url) => ({ input: 'a', voice: 'alloy', ref_audio: url }), 'ref_audio'],
  ['music', (url) => ({ prompt: 'a', reference_audio: url }), 'reference_audio'],
]

/** Endpoints whose addresses are tried elsewhere, or that no address passes through. */
const apart: readonly EndpointName[] = [
  // `test/endpoints/realtime/client-policy.test.ts`.
  'realtime',
  // The gateway fetches the picture itself: `test/endpoints/videos/`.
  'videos',
  // A member that is not listed is refused, and none that is holds an address.
  'completions',
  // Forms: below.
  'transcriptions',
  'translations',
]

test('every endpoint has its members in the table', () => {
  const named = [...new Set(others.map(([name]) => name)), ...apart]
  expect(named.toSorted()).toEqual((Object.keys(endpoints) as EndpointName[]).toSorted())
})

describe.each(others)('a member of %s %o', (name, bodyWith, param) => {
  const path = endpoints[name].path.replace('/v1/', '')
  const refusedAt = async (url: string) => {
    const answer = await post(path, { model: 'gpt', ...bodyWith(url) })
    const { error } = (await answer.json()) as { error?: { param: string; message: string } }
    return error?.message.includes('a public address') === true
      ? [answer.status, error.param]
      : null
  }

  test('whose address is not public is refused', async () => {
    const from = vendor.seen.length
    for (const url of [
      'http://169.254.169.254/latest/meta-data',
      '\u0001http://127.0.0.1/',
      'ht\ttp://127.0.0.1/',
      `${' '.repeat(300)}http://127.0.0.1/`,
      'file:///etc/passwd',
    ])
      expect([url, await refusedAt(url)]).toEqual([url, [400, param]])
    expect(vendor.seen.length).toBe(from)
  })

  test('is not refused for a public address, nor for data', async () => {
    for (const url of [
      'https://example.com/a.png',
      'data:image/png;base64,iVBORw0KGgo=',
      'iVBORw0KGgo=',
    ])
      expect(await refusedAt(url)).toBe(null)
  })
})

test('a recording of a form is not fetched from a private address', async () => {
  const form = new FormData()
  form.set('model', 'gpt')
  form.set('file', new File(['a'], 'a.mp3'))
  form.append('known_speaker_references[]', 'http://127.0.0.1/a.wav')
  const answer = await fetch(`${chapar.url}/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: form,
  })
  const { error } = (await answer.json()) as { error: { param: string } }
  expect([answer.status, error.param]).toEqual([400, 'known_speaker_references[]'])
})

test('a vendor is led to no other machine', async () => {
  const count = vendor.seen.length
  const hosts = { kv_transfer_params: { remote_host: '10.0.0.1' }, bootstrap_host: '10.0.0.1' }
  for (const [param, host] of Object.entries(hosts)) {
    const said = chat({ type: 'text', text: 'a' })
    const answer = await chapar.post({ model: 'gpt', ...said, [param]: host })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { param } }])
  }
  expect(vendor.seen).toHaveLength(count)
})

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
      { role: 'user', content: [{ type: 'text', text: url, annotations: [cited(url)] }] },
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
