import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { messageEvents } from '../matrix/messages-client'
import { responseEvents } from '../matrix/responses-client'
import { messageEvent, messagesStream, wholeMessage } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { message, responds, responseStream } from '../support/responses-stand-in'
import { openStandIn, replies, streamReply, type Script, type StandIn } from '../support/stand-in'

let gpt: StandIn
let claude: StandIn
let chat: StandIn
let chapar: TestGateway

/** Each price is another, so that an amount tells which one was charged. */
const responsesPrices = {
  web_search: '0.010000001',
  file_search: '0.0025',
  code_interpreter: '0.03',
  'code_interpreter:4g': '0.12',
  shell: '0.031',
  'shell:64g': '1.92',
  x_search: '0.005',
  code_execution: '0.006',
  mcp: '0',
  programmatic_tool_calling: '0.0007',
  image_generation: '0.05',
  'image_generation:high 1024x1024': '0.167',
  'image_generation:low': '0.011',
  'image_generation:gpt-image-2 high': '0.3',
  'image_generation:low partial': '0.02',
}
const messagesPrices = {
  web_search: '0.010000001',
  web_fetch: '0',
  code_execution: '0.05',
  mcp: '0.002',
  advisor: '0.4',
}

beforeAll(async () => {
  gpt = openStandIn(responds([message('Hello')]))
  claude = openStandIn()
  chat = openStandIn(replies())
  const model = (kind: 'openai' | 'anthropic', url: string) => ({ kind, url }) as const
  chapar = await openTestGateway({
    vendorUrl: chat.url,
    usd: '1000',
    async prepare(storage) {
      const openai = model('openai', gpt.url)
      await addHubVendor({ ...openai, models: { gpt: {} } })(storage)
      await addHubVendor({ ...openai, models: { 'gpt-tools': {} }, tools: responsesPrices })(
        storage,
      )
      const xai = { code_execution: '0.006', web_search: '0.005' }
      await addHubVendor({ ...openai, models: { grok: {} }, tools: xai })(storage)
      const anthropic = model('anthropic', claude.url)
      await addHubVendor({ ...anthropic, models: { claude: {} } })(storage)
      await addHubVendor({ ...anthropic, models: { 'claude-tools': {} }, tools: messagesPrices })(
        storage,
      )
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await Promise.all([gpt.close(), claude.close(), chat.close()])
})

type Path = 'responses' | 'messages' | 'chat/completions'
const question = {
  'chat/completions': { messages: [{ role: 'user', content: 'go' }], max_tokens: 16 },
  responses: { input: 'go', max_output_tokens: 16 },
  messages: { messages: [{ role: 'user', content: 'go' }], max_tokens: 16 },
}
const vendorOf = (path: Path): StandIn => (path === 'responses' ? gpt : claude)

const send = (path: Path, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${chapar.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, ...headers },
    body: JSON.stringify({ ...question[path], ...body }),
  })

/** The tools that the vendor was offered. */
async function offered(path: Path, body: object): Promise<readonly unknown[]> {
  vendorOf(path).play(path === 'responses' ? responds([message('Hello')]) : says([]))
  const answer = await send(path, body)
  expect(await answer.text()).toContain('Hello')
  return listOf(vendorOf(path).seen.at(-1)?.body['tools'])
}

async function refusal(path: Path, body: object): Promise<unknown> {
  const count = gpt.seen.length + claude.seen.length + chat.seen.length
  const answer = await send(path, body)
  const error = fieldsOf(fieldsOf(await answer.json())['error'])
  const details = fieldsOf(error['details'])
  expect([answer.status, details['error_code'] ?? error['code']]).toEqual([
    400,
    'endpoint_not_supported',
  ])
  expect(gpt.seen.length + claude.seen.length + chat.seen.length).toBe(count)
  return error['param'] ?? details['param']
}

/** Units of tools that are held for a request. */
async function heldFor(path: Path, body: object): Promise<Fields> {
  const answer = await send(path, body, { 'x-dry-run': '1' })
  const { units } = fieldsOf(fieldsOf(fieldsOf(await answer.json())['estimate'])['high'])
  return Object.fromEntries(
    Object.entries(fieldsOf(units)).filter(([meter]) => meter.startsWith('tool:')),
  )
}

/** Units and amount by meter. */
type Lines = Readonly<Record<string, readonly [units: number, amount: string]>>

/** Lines of tools on the receipt of a call; the sum of all lines is what was charged, to the nano-dollar. */
async function linesOf(id: unknown): Promise<Lines> {
  const answer = await fetch(`${chapar.url}/requests/${String(id)}`, {
    headers: { authorization: `Bearer ${chapar.key}` },
  })
  const { lines, charged_usd: charged } = fieldsOf(fieldsOf(await answer.json())['receipt'])
  const all = listOf(lines).map(fieldsOf)
  const sum = all.reduce((total, { amount_usd: amount }) => total + picos(String(amount)), 0n)
  expect(picos(String(charged))).toBe(((sum + 999n) / 1000n) * 1000n)
  for (const { units, unit_price_usd: price, amount_usd: amount } of all)
    expect(picos(String(amount))).toBe(BigInt(Number(units)) * picos(String(price)))
  return Object.fromEntries(
    all
      .filter(({ meter }) => String(meter).startsWith('tool:'))
      .map(({ meter, units, amount_usd: amount }) => [
        String(meter),
        [Number(units), String(amount)] as const,
      ]),
  )
}

const picos = (usd: string): bigint => {
  const [whole = '', digits = ''] = usd.split('.')
  return BigInt(whole + digits.padEnd(12, '0'))
}

/** What a call is charged for tools, whole and streamed. */
async function chargedFor(path: Path, body: object, script: Script): Promise<Lines> {
  const charged: Lines[] = []
  for (const stream of [false, true]) {
    vendorOf(path).play(script)
    const answer = await send(path, { ...body, stream })
    const text = await answer.text()
    charged.push(await linesOf(stream ? idIn(path, text) : fieldsOf(JSON.parse(text))['id']))
  }
  expect(charged[1]).toEqual(charged[0])
  return charged[0] ?? {}
}

const idIn = (path: Path, text: string): unknown =>
  path === 'responses'
    ? fieldsOf(responseEvents(text).at(-1)?.['response'])['id']
    : fieldsOf(fieldsOf(messageEvents(text)[0])['message'])['id']

/** A message with these blocks before its text. */
const says =
  (blocks: readonly object[], server: object = {}): Script =>
  (seen) => {
    const usage = { input_tokens: 100, output_tokens: 10, ...server }
    const text = { type: 'text', text: 'Hello' }
    if (seen.body['stream'] !== true) return wholeMessage([...blocks, text], 'end_turn', usage)
    const events = messagesStream(
      [...blocks, text].flatMap((content_block, index) => [
        messageEvent({ type: 'content_block_start', index, content_block }),
        messageEvent({ type: 'content_block_stop', index }),
      ]),
    )
    const last = messageEvent({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage,
    })
    return streamReply([...events.slice(0, -2), last, ...events.slice(-1)])
  }

const call = (type: string, rest: object = {}) =>
  ({ id: 'x_1', type, status: 'completed', ...rest }) as never
const used = (name: string) => ({ type: 'server_tool_use', id: 'srvtoolu_1', name, input: {} })

const local = { type: 'shell', environment: { type: 'local' } }
const container = (type: string, limit?: string) => ({
  type,
  [type === 'shell' ? 'environment' : 'container']: {
    type: type === 'shell' ? 'container_auto' : 'auto',
    ...(limit === undefined ? {} : { memory_limit: limit }),
  },
})

describe('tools that the client runs', () => {
  test('pass to a vendor of Responses, whatever the model has prices for', async () => {
    const tools = [
      { type: 'function', name: 'f', parameters: {} },
      { type: 'custom', name: 'c' },
      { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'g' }] },
      { type: 'computer' },
      { type: 'computer_use_preview', display_width: 1, display_height: 1, environment: 'linux' },
      { type: 'local_shell' },
      { type: 'apply_patch' },
      local,
      { type: 'tool_search' },
      { type: 'tool_search', execution: 'client' },
      { type: 'bash_20250124', name: 'bash' },
    ]
    expect(await offered('responses', { model: 'gpt', tools })).toEqual(tools)
    expect(await heldFor('responses', { model: 'gpt-tools', tools })).toEqual({})
  })

  test('a shell that names no place is told to be the client’s', async () => {
    expect(await offered('responses', { model: 'gpt', tools: [{ type: 'shell' }] })).toEqual([
      local,
    ])
  })

  test('pass to a vendor of Messages', async () => {
    const tools = [
      { name: 'f', input_schema: { type: 'object' } },
      { type: 'custom', name: 'c', input_schema: { type: 'object' } },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      { type: 'memory_20250818', name: 'memory' },
      { type: 'computer_20251124', name: 'computer', display_width_px: 1, display_height_px: 1 },
      { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
      { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
      { type: 'computer_toolset_20260801', configs: { zoom: { enabled: false } } },
      { type: 'browser_toolset_20260801' },
    ]
    expect(await offered('messages', { model: 'claude', tools })).toEqual(tools)
  })
})

const hostedByResponses = [
  { type: 'file_search' },
  { type: 'code_interpreter', container: { type: 'auto' } },
  { type: 'image_generation' },
  { type: 'mcp', server_label: 's', server_url: 'https://a.example' },
  { type: 'x_search' },
  { type: 'code_execution' },
  { type: 'collections_search' },
  { type: 'programmatic_tool_calling' },
  { type: 'shell', environment: { type: 'container_auto' } },
  { type: 'shell', environment: {} },
  { type: 'namespace', name: 'n', tools: [{ type: 'web_search' }] },
  { type: 'hologram_20990101' },
]
const hostedByMessages = [
  { type: 'code_execution_20250825', name: 'code_execution' },
  { type: 'web_fetch_20260318', name: 'web_fetch' },
  { type: 'advisor_20260301', name: 'advisor', model: 'dearer' },
  { type: 'mcp_toolset', mcp_server_name: 's' },
  { type: 'hologram_20990101', name: 'hologram' },
]
const own = {
  responses: { type: 'function', name: 'f' },
  messages: { name: 'f', input_schema: {} },
}

describe('tools that the vendor runs, without a price', () => {
  // At a vendor of the format, at one of another, and at one of chat.
  const models = {
    responses: ['gpt', 'claude', 'priced'],
    messages: ['claude', 'gpt', 'priced'],
  }
  for (const path of ['responses', 'messages'] as const)
    for (const model of models[path]) {
      const tools = path === 'responses' ? hostedByResponses : hostedByMessages
      test(`are refused by ${model} on ${path}, with their place`, async () => {
        for (const tool of tools)
          expect(await refusal(path, { model, tools: [own[path], tool] })).toBe('tools[1].type')
      })

      test(`leave a search out in silence, unless it is forced: ${model} on ${path}`, async () => {
        const search =
          path === 'responses'
            ? { type: 'web_search' }
            : { type: 'web_search_20260318', name: 'web_search' }
        // Another format than the client's: chat at the one, Messages at the other.
        gpt.play(path === 'messages' ? replies() : responds([message('Hello')]))
        claude.play(says([]))
        const answer = await send(path, { model, tools: [search, own[path]] })
        expect([answer.status, await answer.text()]).toEqual([200, expect.any(String) as string])
        const stands = { gpt, claude, priced: chat }
        const body = stands[model as keyof typeof stands].seen.at(-1)?.body
        expect(listOf(body?.['tools']).length).toBe(1)
        expect(JSON.stringify(body)).not.toContain('web_search')
        const named = path === 'responses' ? search : { type: 'tool', name: 'web_search' }
        const any = path === 'responses' ? 'required' : { type: 'any' }
        for (const wrong of [
          { tools: [search, own[path]], tool_choice: named },
          { tools: [search], tool_choice: any },
        ])
          expect(await refusal(path, { model, ...wrong })).toBe('tool_choice')
      })
    }

  test('are refused on chat, where no vendor tells how often they ran', async () => {
    const tools = [
      { type: 'function', function: { name: 'f' } },
      { type: 'builtin_function', function: { name: '$web_search' } },
    ]
    expect(await refusal('chat/completions', { model: 'priced', tools })).toBe('tools[1].type')
    tools[1] = { type: 'web_search' } as never
    expect(await refusal('chat/completions', { model: 'priced', tools })).toBe('tools[1].type')
  })

  test('are refused where they come later in a conversation', async () => {
    const tools = [{ type: 'web_search' }]
    for (const type of ['tool_search_output', 'additional_tools']) {
      const input = [
        { role: 'user', content: 'go' },
        { type, tools },
      ]
      for (const model of ['gpt', 'priced'])
        expect(await refusal('responses', { model, input })).toBe('input[1].tools[0].type')
    }
    for (const name of ['code_execution', 'web_search']) {
      const definition = { type: `${name}_20250825`, name }
      const added = { role: 'system', content: [{ type: 'tool_addition', tool: { definition } }] }
      const messages = [{ role: 'user', content: 'go' }, added]
      expect(await refusal('messages', { model: 'claude', messages })).toBe(
        'messages[1].content[0].tool.definition.type',
      )
    }
    const servers = [{ type: 'url', url: 'https://a.example', name: 's' }]
    expect(await refusal('messages', { model: 'claude', mcp_servers: servers })).toBe('mcp_servers')
  })

  test('are taken out of the tools that a model may choose from', async () => {
    const tools = [{ type: 'web_search' }, own.responses]
    const choice = (mode: string, ...allowed: object[]) => ({
      model: 'gpt',
      tools,
      tool_choice: { type: 'allowed_tools', mode, tools: allowed },
    })
    await offered('responses', choice('required', ...tools))
    expect(gpt.seen.at(-1)?.body['tool_choice']).toMatchObject({ tools: [own.responses] })
    await offered('responses', choice('auto', { type: 'web_search' }))
    expect(gpt.seen.at(-1)?.body['tool_choice']).toBe('none')
    expect(await refusal('responses', choice('required', { type: 'web_search' }))).toBe(
      'tool_choice',
    )
  })
})

describe('tools that the vendor runs, at a price', () => {
  const model = 'gpt-tools'
  const code = (id: string) => call('code_interpreter_call', { container_id: id })
  const shell = (id: string) =>
    call('shell_call', { environment: { type: 'container_reference', container_id: id } })
  const picture = call('image_generation_call')

  test.each<[string, object, readonly never[], string, number, number, string]>([
    [
      'searches',
      { type: 'web_search_2025_08_26' },
      [call('web_search_call'), call('web_search_call')],
      'web_search',
      4,
      2,
      '0.020000002',
    ],
    [
      'searches of files',
      { type: 'file_search' },
      [call('file_search_call')],
      'file_search',
      4,
      1,
      '0.0025',
    ],
    [
      'a container',
      container('code_interpreter'),
      [code('a'), code('a')],
      'code_interpreter',
      1,
      1,
      '0.03',
    ],
    [
      'a container of the default size',
      container('code_interpreter', '1g'),
      [code('a')],
      'code_interpreter',
      1,
      1,
      '0.03',
    ],
    [
      'a larger container',
      container('code_interpreter', '4g'),
      [code('a')],
      'code_interpreter:4g',
      1,
      1,
      '0.12',
    ],
    ['a shell', container('shell'), [shell('a'), shell('a')], 'shell', 1, 1, '0.031'],
    [
      'a shell in a large container',
      container('shell', '64g'),
      [shell('a'), shell('a')],
      'shell:64g',
      1,
      1,
      '1.92',
    ],
    [
      'searches of posts',
      { type: 'x_search' },
      [call('custom_tool_call', { name: 'x_keyword_search', input: '' })],
      'x_search',
      4,
      1,
      '0.005',
    ],
    [
      'programs',
      { type: 'programmatic_tool_calling' },
      [call('program')],
      'programmatic_tool_calling',
      4,
      1,
      '0.0007',
    ],
    [
      'other servers, for nothing',
      { type: 'mcp', server_label: 's' },
      [call('mcp_call')],
      'mcp',
      4,
      1,
      '0',
    ],
    [
      'pictures',
      { type: 'image_generation', quality: 'auto' },
      [picture, picture],
      'image_generation',
      4,
      2,
      '0.1',
    ],
    [
      'pictures of a size and quality',
      { type: 'image_generation', quality: 'high', size: '1024x1024' },
      [picture],
      'image_generation:high 1024x1024',
      4,
      1,
      '0.167',
    ],
    [
      'pictures of a quality',
      { type: 'image_generation', quality: 'low', size: '1536x1024' },
      [picture],
      'image_generation:low',
      4,
      1,
      '0.011',
    ],
    [
      'pictures of another model',
      { type: 'image_generation', model: 'gpt-image-2', quality: 'high' },
      [picture],
      'image_generation:gpt-image-2 high',
      4,
      1,
      '0.3',
    ],
    [
      'pictures that are shown before they are done',
      { type: 'image_generation', quality: 'low', partial_images: 2 },
      [picture],
      'image_generation:low partial',
      4,
      1,
      '0.02',
    ],
    [
      'pictures of which nothing is shown before',
      { type: 'image_generation', partial_images: 0, input_fidelity: 'low' },
      [picture],
      'image_generation',
      4,
      1,
      '0.05',
    ],
  ])('%s are held and charged', async (_, tool, items, name, most, units, amount) => {
    const body = { model, tools: [tool] }
    expect(await heldFor('responses', body)).toEqual({ [`tool:${name}`]: most })
    expect(await chargedFor('responses', body, responds([...items, message('Hello')]))).toEqual({
      [`tool:${name}`]: [units, amount],
    })
    expect(gpt.seen.at(-1)?.body['tools']).toEqual([tool])
  })

  test.each([
    ['a container', container('code_interpreter', '16g')],
    ['a shell', container('shell', '4g')],
    ['a quality', { type: 'image_generation', quality: 'high' }],
    ['a size', { type: 'image_generation', size: '1536x1024' }],
    ['a model', { type: 'image_generation', model: 'gpt-image-2' }],
    ['what is shown before the end', { type: 'image_generation', partial_images: 1 }],
    ['an exact look', { type: 'image_generation', quality: 'low', input_fidelity: 'high' }],
    ['a quality of a model', { type: 'image_generation', model: 'gpt-image-2', quality: 'low' }],
  ])('%s that no price names is refused', async (_, tool) => {
    expect(await refusal('responses', { model, tools: [tool] })).toBe('tools[0].type')
  })

  test('two whose calls could not be told apart are refused', async () => {
    const tools = [
      { type: 'image_generation' },
      { type: 'image_generation', quality: 'high', size: '1024x1024' },
    ]
    expect(await refusal('responses', { model, tools })).toBe('tools[1].type')
  })

  test('are counted as the vendor tells, where it does', async () => {
    const usage = {
      input_tokens: 100,
      output_tokens: 10,
      total_tokens: 110,
      server_side_tool_usage_details: { web_search_calls: 3, code_interpreter_calls: 2 },
    }
    const body = { model: 'grok', tools: [{ type: 'web_search' }, { type: 'code_execution' }] }
    expect(await chargedFor('responses', body, responds([message('Hello')], { usage }))).toEqual({
      'tool:web_search': [3, '0.015'],
      'tool:code_execution': [2, '0.012'],
    })
  })

  test('in any number are charged as their prices say', async () => {
    const kinds = {
      web_search: ['web_search_call', { type: 'web_search' }],
      file_search: ['file_search_call', { type: 'file_search' }],
      x_search: ['x_search_call', { type: 'x_search' }],
      'image_generation:low': [
        'image_generation_call',
        { type: 'image_generation', quality: 'low' },
      ],
      'code_interpreter:4g': ['code_interpreter_call', container('code_interpreter', '4g')],
    } as const
    let seed = 7
    const upTo = (most: number): number => (seed = (seed * 48271) % 0x7fffffff) % (most + 1)
    for (let round = 0; round < 20; round++) {
      const counts = Object.keys(kinds).map(
        (name) => [name as keyof typeof kinds, upTo(9)] as const,
      )
      const items = counts.flatMap(([name, count]) =>
        Array.from({ length: count }, (_, each) => call(kinds[name][0], { id: `${name}${each}` })),
      )
      const tools = counts.map(([name]) => kinds[name][1])
      const charged = await chargedFor(
        'responses',
        { model, tools },
        responds([...items, message('Hello')]),
      )
      for (const [name, count] of counts) {
        const [units, amount] = charged[`tool:${name}`] ?? [0, '0']
        expect(units).toBe(count)
        expect(picos(amount)).toBe(BigInt(count) * picos(responsesPrices[name]))
      }
    }
  })

  test('as many as nobody runs are neither held nor charged', async () => {
    const told = { tool_usage: { web_search: { num_requests: 9e9 } } }
    const body = { model, tools: [{ type: 'web_search' }] }
    expect(await chargedFor('responses', body, responds([message('Hello')], told))).toEqual({
      'tool:web_search': [128, '1.280000128'],
    })
    expect(await heldFor('responses', { ...body, max_tool_calls: 1e12 })).toEqual({
      'tool:web_search': 1000,
    })
  })

  test('that nobody asked for are not charged', async () => {
    const items = [code('a'), call('web_search_call'), message('Hello')]
    const body = { model, tools: [{ type: 'web_search' }] }
    expect(await chargedFor('responses', body, responds(items))).toEqual({
      'tool:web_search': [1, '0.010000001'],
    })
  })

  test('that ran before a stream broke are charged', async () => {
    const events = responseStream([call('web_search_call'), code('a'), message('Hello')])
    gpt.play(() => streamReply(events.slice(0, -1)))
    const tools = [{ type: 'web_search' }, container('code_interpreter')]
    const text = await (await send('responses', { model, tools, stream: true })).text()
    expect(text).toContain('response.failed')
    expect(await linesOf(idIn('responses', text))).toEqual({
      'tool:web_search': [1, '0.010000001'],
      'tool:code_interpreter': [1, '0.03'],
    })
  })

  test('have their beta passed, where it is one that others buy more by', async () => {
    const betas = async (asked: string) => {
      claude.play(says([]))
      const told = { 'anthropic-beta': 'advisor-tool-2026-03-01,new-2026-01-01' }
      expect((await send('messages', { model: asked }, told)).status).toBe(200)
      return claude.seen.at(-1)?.headers.get('anthropic-beta')
    }
    expect(await betas('claude')).toBe('new-2026-01-01')
    expect(await betas('claude-tools')).toBe('advisor-tool-2026-03-01,new-2026-01-01')
  })

  test('that ran before a stream of Messages broke are charged', async () => {
    const blocks = [used('code_execution'), used('web_search'), { type: 'text', text: 'Hello' }]
    const events = messagesStream(
      blocks.map((content_block, index) =>
        messageEvent({ type: 'content_block_start', index, content_block }),
      ),
    )
    claude.play(() => streamReply(events.slice(0, -2)))
    const tools = [
      { type: 'code_execution_20250825', name: 'code_execution' },
      { type: 'web_search_20260318', name: 'web_search' },
    ]
    const answer = await send('messages', { model: 'claude-tools', tools, stream: true })
    const text = await answer.text()
    expect(text).toContain('event: error')
    expect(await linesOf(idIn('messages', text))).toEqual({
      'tool:code_execution': [1, '0.05'],
      'tool:web_search': [1, '0.010000001'],
    })
  })

  test.each<[string, object, readonly object[], object, string, number, string]>([
    [
      'searches',
      { type: 'web_search_20260318', name: 'web_search', max_uses: 7 },
      [used('web_search')],
      { server_tool_use: { web_search_requests: 2 } },
      'web_search',
      7,
      '0.020000002',
    ],
    [
      'fetched pages',
      { type: 'web_fetch_20260318', name: 'web_fetch' },
      [],
      { server_tool_use: { web_fetch_requests: 3 } },
      'web_fetch',
      4,
      '0',
    ],
    [
      'code',
      { type: 'code_execution_20250825', name: 'code_execution' },
      [used('bash_code_execution'), used('text_editor_code_execution')],
      {},
      'code_execution',
      4,
      '0.1',
    ],
    [
      'advice',
      { type: 'advisor_20260301', name: 'advisor', model: 'dearer', max_uses: 2 },
      [used('advisor')],
      {},
      'advisor',
      2,
      '0.4',
    ],
    [
      'other servers',
      { type: 'mcp_toolset', mcp_server_name: 's' },
      [{ type: 'mcp_tool_use', id: 'm', name: 'f', input: {} }],
      {},
      'mcp',
      4,
      '0.002',
    ],
  ])('of Messages: %s are held and charged', async (_, tool, blocks, told, name, most, amount) => {
    const body = { model: 'claude-tools', tools: [tool] }
    expect(await heldFor('messages', body)).toEqual({ [`tool:${name}`]: most })
    const charged = await chargedFor('messages', body, says(blocks, told))
    expect(charged[`tool:${name}`]?.[1]).toBe(amount)
    expect(Object.keys(charged)).toEqual([`tool:${name}`])
    expect(claude.seen.at(-1)?.body['tools']).toEqual([tool])
  })
})
