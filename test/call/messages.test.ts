import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RunningStream } from '../../src/gateway/call/running'
import { messageEvents, readMessageStream } from '../matrix/messages-client'
import { messagesStream, ping, textBlock } from '../support/anthropic-stand-in'
import { addModel, openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { readUntil } from '../support/sse'
import {
  chunk,
  failure,
  openaiStream,
  openStandIn,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let claude: StandIn
let chapar: TestGateway
let running: RunningStream | null = null

beforeAll(async () => {
  vendor = openStandIn()
  claude = openStandIn()
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    async prepare(storage) {
      await addHubVendor({ kind: 'anthropic', url: claude.url, models: { claude: {} } })(storage)
      await storage.catalogue.saveVendor({
        name: 'thinker',
        kind: 'openai',
        dialect: 'deepseek',
        baseUrl: vendor.url,
        credential: 'sk-vendor-secret',
        timeoutMs: 10_000,
        transport: 'own',
        active: true,
        source: 'command',
      })
      await addModel(storage, 'thinking', ['thinker'])
    },
  })
  const { streams } = chapar.gateway.parts
  const { add } = streams
  Object.assign(streams, {
    add(stream: RunningStream) {
      running = stream
      add(stream)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
  await claude.close()
})

const send = (body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${chapar.url}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify({
      max_tokens: 1000,
      messages: [{ role: 'user', content: 'Hello' }],
      ...body,
    }),
    ...(signal === undefined ? {} : { signal }),
  })

const tool = (name: string, rest: object = {}) => ({
  name,
  input_schema: { type: 'object', properties: {} },
  ...rest,
})

/** What a coding CLI asks of any model, whoever made it. */
const coding = {
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.329;' },
    { type: 'text', text: 'You write code.', cache_control: { type: 'ephemeral' } },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Fix it' }] },
    { role: 'system', content: 'It is night.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Where is it?', signature: '' },
        { type: 'tool_use', id: 'call_1', name: 'ToolSearch', input: { query: 'fetch' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          content: [{ type: 'tool_reference', tool_name: 'WebFetch' }],
        },
      ],
    },
  ],
  tools: [
    tool('ToolSearch'),
    tool('WebFetch', { defer_loading: true }),
    tool('DeferredToolPlaceholder', { defer_loading: true }),
    { type: 'web_search_20260318', name: 'web_search' },
  ],
  metadata: { user_id: '{"device_id":"d"}' },
  thinking: { type: 'adaptive', display: 'omitted' },
  context_management: { edits: [{ type: 'clear_thinking_20251015' }] },
  output_config: { effort: 'high' },
}

describe('a coding client', () => {
  test('gets a model that nobody described to answer: it is asked for nothing it may refuse', async () => {
    vendor.play(() => wholeReply('Fixed.'))
    expect((await send({ model: 'priced', ...coding })).status).toBe(200)
    const body = vendor.seen.at(-1)?.body ?? {}
    expect(Object.keys(body).sort()).toEqual(
      expect.arrayContaining(['max_tokens', 'messages', 'model', 'stream', 'tools']) as string[],
    )
    for (const name of ['reasoning_effort', 'metadata', 'thinking', 'system', 'output_config'])
      expect(body).not.toHaveProperty(name)
    expect(JSON.stringify(body)).not.toContain('device')
    expect(body['messages']).toEqual([
      { role: 'system', content: 'You write code.' },
      { role: 'user', content: 'Fix it' },
      { role: 'system', content: 'It is night.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'ToolSearch', arguments: '{"query":"fetch"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'loaded: WebFetch' },
    ])
    const tools = body['tools'] as { function: { name: string } }[]
    expect(tools.map((each) => each.function.name)).toEqual(['ToolSearch', 'WebFetch'])
  })

  test('gives a vendor back what was thought, where it wants that', async () => {
    vendor.play(() => wholeReply('Fixed.'))
    await send({ model: 'thinking', ...coding })
    const messages = vendor.seen.at(-1)?.body['messages'] as { reasoning_content?: string }[]
    expect(messages.map((each) => each.reasoning_content).filter(Boolean)).toEqual(['Where is it?'])
  })
})

/** The vendor sends no ping of its own. */
const silent = messagesStream(textBlock(0, 'first', 'second')).filter((each) => each !== ping)

describe('a stream that says nothing for a while', () => {
  test.each([
    ['priced', () => vendor, [chunk({ role: 'assistant', content: 'first' }), chunk({})]],
    ['claude', () => claude, silent],
  ] as const)('of %s is kept alive by pings', async (model, of, events) => {
    const hangAfter = events.findIndex((each) => each.includes('first')) + 1
    of().play(() => streamReply(events, { hangAfter }))
    const leave = new AbortController()
    const response = await send({ model, stream: true }, leave.signal)
    const until = readUntil(response, 'event: ping\ndata: {"type":"ping"}\n\n')
    await Bun.sleep(20)
    for (let ticks = 0; ticks < 3; ticks++) running?.tick()
    const text = await until
    expect(text).not.toContain(': keep-alive')
    expect(messageEvents(text).at(-1)).toEqual({ type: 'ping' })
    leave.abort()
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  })
})

describe('money that ends in the middle of a stream', () => {
  test('ends it by an error event with the code, and what was sent is paid', async () => {
    const { key, account } = await chapar.customer({ usd: '0.02' })
    const text = 'many words of an answer that goes on and on. '.repeat(2000)
    vendor.play(() => streamReply(openaiStream(text)))
    const response = await fetch(`${chapar.url}/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: JSON.stringify({
        model: 'priced',
        max_tokens: 2000,
        stream: true,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    })
    const read = readMessageStream(await response.text())
    expect(read.error).toBe('insufficient_credit')
    expect(text).toStartWith(read.text)
    await chapar.rest()
    const left = Number((await chapar.storage.directory.findAccount(account))?.balance)
    expect(left).toBe(20_000_000 - Math.round(Number(read.costUsd) * 1e9))
    expect(left).toBeGreaterThanOrEqual(0)
  })
})

test('a dry run tells what a message would cost, and asks nobody', async () => {
  const asks = vendor.seen.length
  const response = await fetch(`${chapar.url}/messages`, {
    method: 'POST',
    headers: { 'x-api-key': chapar.key, 'x-dry-run': '1' },
    body: JSON.stringify({
      model: 'priced',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  })
  expect(await response.json()).toMatchObject({
    object: 'dry_run',
    endpoint: 'messages',
    estimate: { high: { units: { output: 100 } } },
  })
  expect(vendor.seen.length).toBe(asks)
})

describe('what vendors of the reference format cached', () => {
  const prompt = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }
  test.each([
    [{ ...prompt, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 } }, 30, 10],
    [{ ...prompt, prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 }, 40, 0],
  ])('is told apart: %j', async (told, input, written) => {
    vendor.play((seen) =>
      seen.body['stream'] === true
        ? streamReply(openaiStream('Hello', told))
        : wholeReply('Hello', told),
    )
    const usage = {
      input_tokens: input,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: written,
      output_tokens: 50,
    }
    expect(await (await send({ model: 'priced' })).json()).toMatchObject({ usage })
    const events = messageEvents(await (await send({ model: 'priced', stream: true })).text())
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', usage })
  })
})

test('a vendor that tells no usage is counted, streamed and whole, and the client is told', async () => {
  const text = 'word '.repeat(50).trim()
  vendor.play((seen) =>
    seen.body['stream'] === true ? streamReply(openaiStream(text, null)) : wholeReply(text, null),
  )
  const whole = (await (await send({ model: 'priced' })).json()) as {
    usage: { output_tokens: number; input_tokens: number }
  }
  const events = messageEvents(await (await send({ model: 'priced', stream: true })).text())
  const streamed = events.at(-2)?.['usage'] as { output_tokens: number }
  for (const { output_tokens } of [whole.usage, streamed]) {
    expect(output_tokens).toBeGreaterThan(40)
    expect(output_tokens).toBeLessThan(80)
  }
  expect(whole.usage.input_tokens).toBeGreaterThan(3)
})

test.each([
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  'Your input exceeds the context window of this model.',
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
])('a prompt that is too long is told in the words that coding clients know: %s', async (said) => {
  vendor.play(failure(400, { message: said, type: 'invalid_request_error', code: null }))
  const { error } = (await (await send({ model: 'priced' })).json()) as {
    error: { code: string; message: string }
  }
  expect(error.code).toBe('upstream_rejected')
  expect(error.message).toContain('prompt is too long')
  vendor.play(failure(400, { message: 'Unknown parameter: input.', code: null }))
  expect(await (await send({ model: 'priced' })).text()).not.toContain('too long')
})

test('names of tools that are too long for others come back as they were', async () => {
  const name = `mcp__plugin_of_somebody__${'a_long_story_'.repeat(6)}end`
  const other = name.replace(/end$/, 'ending')
  const call = (called: string) => ({
    id: 'call_1',
    type: 'function',
    function: { name: called, arguments: '{}' },
  })
  vendor.play(({ body }) => {
    const [first, second] = (body['tools'] as { function: { name: string } }[]).map(
      (each) => each.function.name,
    )
    expect([first, second].every((each) => String(each).length <= 64)).toBe(true)
    expect(first).not.toBe(second)
    expect(body['tool_choice']).toEqual({ type: 'function', function: { name: second } })
    const history = JSON.stringify(body['messages'])
    expect(history).toContain(`"${first}"`)
    expect(history).not.toContain(name)
    if (body['stream'] === true)
      return streamReply([
        chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call(String(second)) }] }),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ])
    const message = { role: 'assistant', content: null, tool_calls: [call(String(second))] }
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
  })
  const asked = {
    model: 'priced',
    tools: [tool(name), tool(other)],
    tool_choice: { type: 'tool', name: other },
    messages: [
      { role: 'user', content: 'Go on' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name, input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_0', content: 'done' }] },
    ],
  }
  const whole = (await (await send(asked)).json()) as { content: { name: string }[] }
  expect(whole.content.map((each) => each.name)).toEqual([other])
  const streamed = readMessageStream(await (await send({ ...asked, stream: true })).text())
  expect(streamed.calls).toEqual([{ name: other, arguments: {} }])
})

test('whoever asks whether somebody is there gets an answer at once', async () => {
  const response = await fetch(chapar.url.replace(/\/v1$/, '/'), { method: 'HEAD' })
  expect(response.status).toBe(404)
})
