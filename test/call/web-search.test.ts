import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { messageEvents } from '../matrix/messages-client'
import { responseEvents } from '../matrix/responses-client'
import { messageEvent, messagesStream, wholeMessage } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { geminiEvent, geminiReply, isStreaming } from '../support/google-stand-in'
import { addHubVendor } from '../support/hub-vendor'
import { message, responds } from '../support/responses-stand-in'
import { chunksOf } from '../support/sse'
import { openStandIn, replies, streamReply, type Script, type StandIn } from '../support/stand-in'

const found = 'هوا آفتابی است. Sunny.'
const url = 'https://a.example/weather'
const cited = { start_index: 0, end_index: found.length, url, title: 'Weather' }
const bytes = new TextEncoder().encode(found).length

/** Searches twice, and says where it found what it says. */
const claude: Script = (seen) => {
  const citation = { type: 'web_search_result_location', url, title: 'Weather', cited_text: 'x' }
  const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search' }
  const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
  const searched = { server_tool_use: { web_search_requests: 2 } }
  if (seen.body['stream'] !== true)
    return wholeMessage(
      [
        { ...use, input: { query: 'x' } },
        result,
        { type: 'text', text: found, citations: [citation] },
      ],
      'end_turn',
      { input_tokens: 1000, output_tokens: 50, ...searched },
    )
  const delta = (index: number, each: object) =>
    messageEvent({ type: 'content_block_delta', index, delta: each })
  const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
    messageEvent({ type: 'content_block_start', index, content_block }),
    ...deltas.map((each) => delta(index, each)),
    messageEvent({ type: 'content_block_stop', index }),
  ]
  const events = messagesStream([
    ...block(0, { ...use, input: {} }, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
    ...block(1, result),
    ...block(
      2,
      { type: 'text', text: '', citations: [] },
      { type: 'text_delta', text: found.slice(0, 5) },
      { type: 'citations_delta', citation },
      { type: 'text_delta', text: found.slice(5) },
    ),
  ])
  const last = messageEvent({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { input_tokens: 1000, output_tokens: 50, ...searched },
  })
  return streamReply([...events.slice(0, -2), last, ...events.slice(-1)])
}

const gemini: Script = (seen) => {
  const groundingMetadata = {
    webSearchQueries: ['weather', 'weather today'],
    groundingChunks: [{ web: { uri: url, title: 'Weather' } }],
    groundingSupports: [
      { segment: { startIndex: 0, endIndex: bytes, text: found }, groundingChunkIndices: [0] },
    ],
  }
  const grounded = (reply: object) => {
    const [candidate] = listOf(fieldsOf(reply)['candidates'])
    return { ...reply, candidates: [{ ...fieldsOf(candidate), groundingMetadata }] }
  }
  const last = (text: string) => grounded(geminiReply([{ text }], 'STOP'))
  return isStreaming(seen)
    ? streamReply([
        geminiEvent(geminiReply([{ text: found.slice(0, 5) }])),
        geminiEvent(last(found.slice(5))),
      ])
    : Response.json(last(found))
}

const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' }
const codex = responds([
  search as never,
  { ...search, action: { type: 'open_page', url } } as never,
  message(found, { annotations: [{ type: 'url_citation', ...cited }] }),
])

interface Kind {
  readonly kind: 'anthropic' | 'google' | 'openai'
  readonly model: string
  readonly script: Script
  readonly searches: number
  readonly cites: boolean
  readonly asked: object
}
const location = { city: 'Shiraz', country: 'IR' }
const kinds: readonly Kind[] = [
  {
    kind: 'anthropic',
    model: 'claude',
    script: claude,
    searches: 2,
    cites: true,
    asked: {
      tools: [
        {
          type: 'web_search_20250305',
          name: 'web_search',
          max_uses: 4,
          user_location: { type: 'approximate', ...location },
        },
      ],
    },
  },
  {
    kind: 'google',
    model: 'gemini',
    script: gemini,
    searches: 2,
    cites: true,
    asked: { tools: [{ googleSearch: {} }] },
  },
  {
    // By the question, as models of that generation are paid.
    kind: 'google',
    model: 'gemini-old',
    script: gemini,
    searches: 1,
    cites: true,
    asked: { tools: [{ googleSearch: {} }] },
  },
  {
    kind: 'openai',
    model: 'codex',
    script: codex,
    searches: 1,
    cites: true,
    asked: {
      tools: [{ type: 'web_search', user_location: { type: 'approximate', ...location } }],
      max_tool_calls: 4,
    },
  },
  {
    // It does not tell how often: it bills by the answer.
    kind: 'openai',
    model: 'plain',
    script: replies(found),
    searches: 1,
    cites: false,
    asked: {
      web_search_options: {
        user_location: { type: 'approximate', approximate: location },
      },
    },
  },
]

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      const tools = { web_search: '0.01' }
      const add = async (
        kind: Kind['kind'],
        name: string,
        models: Parameters<typeof addHubVendor>[0]['models'],
      ) => {
        const dialect = name === 'plain' ? { dialect: 'generic' as const } : {}
        const all = { kind, name, url: vendor.url, ...dialect }
        await addHubVendor({ ...all, models, tools })(storage)
        const dry = Object.entries(models).map(([id, traits]) => [`${id}-dry`, traits])
        await addHubVendor({ ...all, models: Object.fromEntries(dry) as typeof models })(storage)
      }
      await add('anthropic', 'anthropic', { claude: {} })
      await add('google', 'google', {
        gemini: { thinking: 'level' },
        'gemini-old': { thinking: 'budget' },
      })
      await add('openai', 'openai', { codex: { chat: 'responses' } })
      await add('openai', 'plain', { plain: {} })
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const post = (path: string, body: object, headers: object = {}): Promise<Response> =>
  fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, ...headers },
    body: JSON.stringify(body),
  })
async function linesOf(id: unknown): Promise<readonly Fields[]> {
  const headers = { authorization: `Bearer ${chapar.key}` }
  const answer = await fetch(`${chapar.url}/requests/${String(id)}`, { headers })
  return listOf(fieldsOf(fieldsOf(await answer.json())['receipt'])['lines']).map(fieldsOf)
}
const place = { type: 'approximate', ...location }
const bodies = {
  '/messages': {
    messages: [{ role: 'user', content: 'weather?' }],
    max_tokens: 1000,
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 4, user_location: place }],
  },
  '/responses': { input: 'weather?', tools: [{ type: 'web_search', user_location: place }] },
  '/chat/completions': {
    messages: [{ role: 'user', content: 'weather?' }],
    web_search_options: { user_location: { type: 'approximate', approximate: location } },
  },
} as const
type Path = keyof typeof bodies

/** Id, text and citations of an answer, as clients of the format read them. */
async function readAnswer(path: Path, answer: Response, stream: boolean) {
  expect(answer.status).toBe(200)
  const text = await answer.text()
  if (path === '/messages') return readMessage(text, stream)
  if (path === '/responses') {
    const response = stream
      ? fieldsOf(responseEvents(text).at(-1)?.['response'])
      : fieldsOf(JSON.parse(text))
    const items = listOf(response['output']).map(fieldsOf)
    const content = items.flatMap((item) => listOf(item['content'])).map(fieldsOf)
    return {
      id: response['id'],
      text: content.map((part) => String(part['text'])).join(''),
      cited: content
        .flatMap((part) => listOf(part['annotations']).map(fieldsOf))
        .map(({ type: _, ...each }) => each),
    }
  }
  const parts = stream ? (chunksOf(text) as unknown as Fields[]) : [JSON.parse(text) as Fields]
  const said = parts
    .map((part) => fieldsOf(listOf(part['choices'])[0]))
    .map((choice) => fieldsOf(choice['delta'] ?? choice['message']))
  return {
    id: parts[0]?.['id'],
    text: said.map(({ content }) => (typeof content === 'string' ? content : '')).join(''),
    cited: said.flatMap(({ annotations }) =>
      listOf(annotations).map((each) => fieldsOf(fieldsOf(each)['url_citation'])),
    ),
  }
}

/** A streamed message as it would have come whole; texts and their citations are all that grows. */
function wholeOf(text: string): Fields {
  const events = messageEvents(text)
  const blocks = events
    .filter(({ type }) => type === 'content_block_start')
    .map((event) => fieldsOf(event['content_block']))
  const deltas = events.filter(({ type }) => type === 'content_block_delta')
  const content = blocks.map((block, at) => {
    const own = deltas.filter(({ index }) => index === at).map(({ delta }) => fieldsOf(delta))
    if (block['type'] !== 'text') return block
    return {
      type: 'text',
      text: own.map(({ text: piece }) => (typeof piece === 'string' ? piece : '')).join(''),
      citations: own.flatMap(({ citation }) => (citation === undefined ? [] : [citation])),
    }
  })
  return { ...fieldsOf(events[0]?.['message']), content }
}

function readMessage(text: string, stream: boolean) {
  const message = stream ? wholeOf(text) : fieldsOf(JSON.parse(text))
  const blocks = listOf(message['content']).map(fieldsOf)
  const citations = blocks.flatMap(({ citations: each }) => listOf(each).map(fieldsOf))
  const results = blocks
    .filter(({ type }) => type === 'web_search_tool_result')
    .flatMap(({ content }) => listOf(content).map(fieldsOf))
  expect(results.map(({ url: page, title }) => ({ url: page, title }))).toEqual(
    citations.map(({ url: page, title }) => ({ url: page, title })),
  )
  return {
    id: message['id'],
    text: blocks.map(({ text: said }) => (typeof said === 'string' ? said : '')).join(''),
    cited: citations.map(({ url: page, title }) => ({
      start_index: 0,
      end_index: found.length,
      url: page,
      title,
    })),
  }
}

const paths = Object.keys(bodies) as Path[]
describe.each(paths.flatMap((path) => [false, true].map((stream) => [path, stream] as const)))(
  'a search, asked for at %s (streamed: %p)',
  (path, stream) => {
    // The same format on both sides is told elsewhere.
    const native = { '/responses': 'openai', '/messages': 'anthropic', '/chat/completions': '' }
    const translated = kinds.filter(
      ({ kind, model }) => kind !== native[path] || (model === 'plain' && path === '/responses'),
    )
    test.each(translated.map((each) => [each.model, each] as const))(
      'of %s is the vendor’s own, cited, and a line of the receipt',
      async (model, { script, searches, asked, cites }) => {
        vendor.play(script)
        const answer = await post(path, { ...bodies[path], model, stream })
        const { id, text, cited: sources } = await readAnswer(path, answer, stream)
        expect(text).toBe(found)
        expect(sources).toEqual(cites ? [cited] : [])
        expect(vendor.seen.at(-1)?.body).toMatchObject(asked)
        expect(await linesOf(id)).toContainEqual({
          meter: 'tool:web_search',
          units: searches,
          unit_price_usd: '0.01',
          amount_usd: String(searches / 100),
        })
      },
    )

    test.each(kinds.map(({ model }) => `${model}-dry`))(
      'of %s, which has no price for it, is left out and costs nothing',
      async (model) => {
        const of = kinds.find((each) => `${each.model}-dry` === model)
        if (of === undefined) throw new Error('no kind')
        vendor.play(of.model === 'plain' ? of.script : unsearched(of.kind))
        const answer = await post(path, { ...bodies[path], model, stream })
        const { id } = await readAnswer(path, answer, stream)
        expect(JSON.stringify(vendor.seen.at(-1)?.body)).not.toMatch(/search/i)
        for (const { meter } of await linesOf(id)) expect(meter).not.toStartWith('tool:')
      },
    )
  },
)

/** The same answers without a search. */
function unsearched(kind: Kind['kind']): Script {
  if (kind === 'openai') return responds([message(found)])
  if (kind === 'google')
    return (seen) =>
      isStreaming(seen)
        ? streamReply([geminiEvent(geminiReply([{ text: found }], 'STOP'))])
        : Response.json(geminiReply([{ text: found }], 'STOP'))
  return (seen) =>
    seen.body['stream'] === true
      ? streamReply(
          messagesStream([
            messageEvent({
              type: 'content_block_start',
              index: 0,
              content_block: { type: 'text', text: found },
            }),
            messageEvent({ type: 'content_block_stop', index: 0 }),
          ]),
        )
      : wholeMessage([{ type: 'text', text: found }])
}

test('what searches may cost is set aside', async () => {
  const unitsOf = async (path: Path, model: string, more: object = {}) => {
    const answer = await post(path, { ...bodies[path], model, ...more }, { 'x-dry-run': '1' })
    return fieldsOf(fieldsOf(fieldsOf(await answer.json())['estimate'])['high'])['units']
  }
  for (const path of paths)
    expect(await unitsOf(path, 'claude')).toMatchObject({ 'tool:web_search': 4 })
  expect(await unitsOf('/responses', 'claude', { max_tool_calls: 9 })).toMatchObject({
    'tool:web_search': 9,
  })
  expect(await unitsOf('/responses', 'claude-dry')).not.toHaveProperty('tool:web_search')
})

test('functions go before a search where a vendor takes only one of them', async () => {
  vendor.play(gemini)
  const tools = [...bodies['/responses'].tools, { type: 'function', name: 'f', parameters: null }]
  await (await post('/responses', { model: 'gemini', input: 'x', tools })).text()
  expect(vendor.seen.at(-1)?.body['tools']).toEqual([{ functionDeclarations: [{ name: 'f' }] }])
})

test.each([
  ['a tool that is nowhere but at its vendor', { type: 'code_interpreter' }, 'claude'],
  ['a search that has no price', { type: 'web_search' }, 'claude-dry'],
])('%s cannot be forced', async (_, choice, model) => {
  const count = vendor.seen.length
  const tools = [{ ...choice }, { type: 'function', name: 'f', parameters: {} }]
  const forced = await post('/responses', { model, input: 'x', tools, tool_choice: choice })
  expect(forced.status).toBe(400)
  expect(fieldsOf(fieldsOf(await forced.json())['error'])).toMatchObject({
    code: 'endpoint_not_supported',
    param: 'tool_choice',
  })
  const only = { model, input: 'x', tools: tools.slice(0, 1), tool_choice: 'required' }
  expect((await post('/responses', only)).status).toBe(400)
  expect(vendor.seen.length).toBe(count)
})
