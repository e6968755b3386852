import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { Traits } from '../../../src/domain/model'
import {
  messagesError,
  messagesStream,
  messageEvent,
  messageStart,
  ping,
  saysMessage,
  textBlock,
  thinkingBlock,
  toldUsage,
  toolBlock,
  wholeMessage,
} from '../../support/anthropic-stand-in'
import { ask, openTestGateway, type TestGateway } from '../../support/gateway'
import { addHubVendor } from '../../support/hub-vendor'
import { chunksOf, eventsOf, readUntil, saidIn } from '../../support/sse'
import { openStandIn, streamReply, type StandIn } from '../../support/stand-in'

const budget: Traits = {
  thinking: 'budget',
  efforts: ['none', 'minimal', 'low', 'medium', 'high'],
  structured: 'tool',
  reasoning: true,
}
const models = {
  claude: {},
  'claude-budget': budget,
  'claude-several': { oneChoice: true },
  'claude-counts': { tokenFactor: 1.5 },
  'claude-unheard': {},
}

let vendor: StandIn
let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    prepare: addHubVendor({ kind: 'anthropic', url: vendor.url, models }),
  })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
beforeEach(() => vendor.play(saysMessage()))
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const model = 'claude'
const hello = [{ role: 'user' as const, content: 'Hello there' }]
const sent = () => vendor.seen.at(-1)?.body ?? {}
const balance = async () => Number((await chapar.rest()).balance)
/** 40 in, 1000 read, 20 and 10 written, 25 out. */
const cost = '0.000930'

const functions = ['weather', 'time'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}))

describe('the official client', () => {
  test('chats, and pays each meter by its own price', async () => {
    const { data, response } = await client.chat.completions
      .create({ model, messages: hello })
      .withResponse()
    expect(data).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: 'Hello from Claude', refusal: null },
        },
      ],
      usage: toldUsage,
    })
    expect(data.id).toBe(response.headers.get('x-request-id') ?? '')
    expect(response.headers.get('x-cost-usd')).toBe(cost)
    const request = vendor.seen.at(-1)
    expect(request?.path).toBe('/v1/messages')
    expect(request?.headers.get('x-api-key')).toBe('sk-vendor-secret')
    expect(request?.headers.get('anthropic-version')).toBe('2023-06-01')
    expect(request?.headers.get('authorization')).toBeNull()
  })

  test('streams: one role, one finish, one usage with the cost, the terminator', async () => {
    const persian = 'سلام! این یک آزمون بلند است 🌍 با نیم‌فاصله و اعداد ۱۲۳. '.repeat(40).trim()
    vendor.play(saysMessage(persian, { bytesAtATime: 97 }))
    const response = await chapar.post(ask(model, { stream: true }))
    const text = await response.text()
    const chunks = chunksOf(text)
    expect(eventsOf(text).at(-1)).toBe('[DONE]')
    const choices = chunks.flatMap((each) => each.choices ?? [])
    expect(saidIn(text, 'content')).toBe(persian)
    expect(choices.filter(({ delta }) => delta['role'])).toHaveLength(1)
    expect(choices.map((each) => each.finish_reason).filter(Boolean)).toEqual(['stop'])
    expect(chunks.filter(({ usage }) => usage)).toHaveLength(1)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: toldUsage, cost_usd: cost })
    for (const each of chunks)
      expect(each).toMatchObject({ id: response.headers.get('x-request-id'), model })
  })

  test('calls two tools in one answer, and sends their results back in one turn', async () => {
    const blocks = [
      ...textBlock(0, 'Let me', ' look.'),
      ...toolBlock(1, 'toolu_a', 'weather', '{"ci', 'ty":"تهران"}'),
      ...toolBlock(2, 'toolu_b', 'time'),
    ]
    vendor.play(() => streamReply(messagesStream(blocks, 'tool_use')))
    const answer = await client.chat.completions
      .stream({ model, messages: hello, tools: functions })
      .finalChatCompletion()
    const message = answer.choices[0]?.message
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls')
    expect(message?.content).toBe('Let me look.')
    const calls = (message?.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [{ id: call.id, ...call.function }] : [],
    )
    expect(calls).toMatchObject([
      { id: 'toolu_a', name: 'weather', arguments: '{"city":"تهران"}' },
      { id: 'toolu_b', name: 'time', arguments: '{}' },
    ])

    vendor.play(saysMessage('sunny'))
    const results = calls.map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: `result of ${id}`,
    }))
    await client.chat.completions.create({
      model,
      tools: functions,
      messages: [
        ...hello,
        { role: 'assistant', content: 'Let me look.', tool_calls: message?.tool_calls ?? [] },
        ...results,
        { role: 'user', content: 'and?' },
      ],
    })
    expect(sent()['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hello there' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'toolu_a', name: 'weather', input: { city: 'تهران' } },
          { type: 'tool_use', id: 'toolu_b', name: 'time', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_a', content: 'result of toolu_a' },
          { type: 'tool_result', tool_use_id: 'toolu_b', content: 'result of toolu_b' },
          { type: 'text', text: 'and?' },
        ],
      },
    ])
  })

  test('reads reasoning, and the vendor gets it back signed though the client lost it', async () => {
    const blocks = [
      ...thinkingBlock(0, 'I should look.', 'sig-1'),
      ...toolBlock(1, 'toolu_think', 'weather', '{}'),
    ]
    vendor.play(() => streamReply(messagesStream(blocks, 'tool_use')))
    const asked = { model: 'claude-budget', tools: functions, reasoning_effort: 'high' as const }
    const stream = client.chat.completions.stream({ ...asked, messages: hello })
    let thought = ''
    for await (const chunk of stream) {
      const delta: object = chunk.choices[0]?.delta ?? {}
      if ('reasoning_content' in delta) thought += String(delta.reasoning_content)
    }
    expect(thought).toBe('I should look.')
    expect(sent()).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 24_576 } })

    const call = {
      id: 'toolu_think',
      type: 'function' as const,
      function: { name: 'weather', arguments: '{}' },
    }
    const history = [
      ...hello,
      { role: 'assistant' as const, content: null, tool_calls: [call] },
      { role: 'tool' as const, tool_call_id: 'toolu_think', content: 'sunny' },
    ]
    vendor.play(saysMessage('It is sunny.'))
    await client.chat.completions.create({ ...asked, messages: history })
    expect(sent()).toMatchObject({
      thinking: { type: 'enabled' },
      messages: [
        {},
        {
          content: [
            { type: 'thinking', thinking: 'I should look.', signature: 'sig-1' },
            { type: 'tool_use', id: 'toolu_think' },
          ],
        },
        {},
      ],
    })
    // Another project knows nothing of it: thinking is left off rather than refused.
    const other = new OpenAI({ apiKey: (await chapar.customer()).key, baseURL: chapar.url })
    await other.chat.completions.create({ ...asked, messages: history })
    expect(sent()).not.toHaveProperty('thinking')
    expect(JSON.stringify(sent())).not.toContain('sig-1')
    // Neither does another model.
    await client.chat.completions.create({ ...asked, model, messages: history })
    expect(JSON.stringify(sent())).not.toContain('sig-1')
  })

  const schema = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 3 } },
    required: ['city', 'days'],
    additionalProperties: false,
  }
  const response_format = {
    type: 'json_schema' as const,
    json_schema: { name: 'trip', schema, strict: true },
  }

  test('gets JSON by schema from a model that has a field for it', async () => {
    vendor.play(saysMessage('{"city":"Yazd","days":3}'))
    const reply = await client.chat.completions.create({ model, messages: hello, response_format })
    expect(JSON.parse(String(reply.choices[0]?.message.content))).toEqual({ city: 'Yazd', days: 3 })
    expect(sent()['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          ...schema,
          properties: {
            city: { type: 'string' },
            days: { type: 'integer', description: 'minimum: 3' },
          },
        },
      },
    })
  })

  test('gets JSON by a forced tool from a model that has none, whole and streamed', async () => {
    const input = { city: 'Yazd', days: 3 }
    const asked = { model: 'claude-budget', messages: hello, response_format }
    vendor.play(() =>
      wholeMessage([{ type: 'tool_use', id: 't', name: 'json', input }], 'tool_use'),
    )
    const reply = await client.chat.completions.create(asked)
    expect(reply.choices[0]).toMatchObject({ finish_reason: 'stop' })
    expect(reply.choices[0]?.message.tool_calls).toBeUndefined()
    expect(JSON.parse(String(reply.choices[0]?.message.content))).toEqual(input)
    expect(sent()).toMatchObject({
      tools: [{ name: 'json', input_schema: schema }],
      tool_choice: { type: 'tool', name: 'json' },
    })

    const pieces = toolBlock(0, 't', 'json', '{"city":"Ya', 'zd","days":3}')
    vendor.play(() => streamReply(messagesStream(pieces, 'tool_use')))
    const final = await client.chat.completions.stream(asked).finalChatCompletion()
    expect(final.choices[0]?.finish_reason).toBe('stop')
    expect(JSON.parse(String(final.choices[0]?.message.content))).toEqual(input)
  })

  test('shows pictures and documents', async () => {
    await chapar.post(
      ask(model, {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'look' },
              {
                type: 'image_url',
                image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' },
              },
              { type: 'image_url', image_url: { url: 'https://host.example/a.jpg' } },
              {
                type: 'file',
                file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
              },
            ],
          },
        ],
      }),
    )
    expect(sent()['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'image', source: { type: 'url', url: 'https://host.example/a.jpg' } },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
            title: 'a.pdf',
          },
        ],
      },
    ])
  })

  test.each([
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
  ])('is told of %s as %s, whole and streamed', async (stop, finish) => {
    vendor.play(() => wholeMessage([{ type: 'text', text: 'some' }], stop))
    const reply = await client.chat.completions.create({ model, messages: hello })
    expect(reply.choices[0]?.finish_reason).toBe(finish as never)
    vendor.play(() => streamReply(messagesStream(textBlock(0, 'some'), stop)))
    const text = await (await chapar.post(ask(model, { stream: true }))).text()
    const finishes = chunksOf(text).flatMap((each) => each.choices ?? [])
    expect(finishes.map((each) => each.finish_reason).filter(Boolean)).toEqual([finish])
  })
})

describe('several choices', () => {
  const several = { model: 'claude-several', messages: hello, n: 3 }
  /** Each answers with its own number, the later ones first. */
  const numbered = (stream: boolean) => {
    let calls = 0
    vendor.play(async () => {
      const number = calls++
      await Bun.sleep((3 - number) * 5)
      const text = `answer ${number}`
      return stream
        ? streamReply(messagesStream(textBlock(0, 'answer', ` ${number}`)), { delayMs: 1 })
        : wholeMessage([{ type: 'text', text }])
    })
  }
  const numbers = new Set(['answer 0', 'answer 1', 'answer 2'])
  const usage = {
    prompt_tokens: 3 * toldUsage.prompt_tokens,
    completion_tokens: 3 * toldUsage.completion_tokens,
    prompt_tokens_details: { cached_tokens: 3000 },
  }

  test('are as many calls at once, and all are paid', async () => {
    numbered(false)
    const before = vendor.seen.length
    const { data, response } = await client.chat.completions.create(several).withResponse()
    expect(vendor.seen.length).toBe(before + 3)
    expect(sent()).not.toHaveProperty('n')
    expect(data.choices.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(new Set(data.choices.map(({ message }) => message.content))).toEqual(numbers)
    expect(data.usage).toMatchObject(usage)
    expect(response.headers.get('x-cost-usd')).toBe('0.002790')
  })

  test('stream side by side', async () => {
    numbered(true)
    const final = await client.chat.completions.stream(several).finalChatCompletion()
    expect(new Set(final.choices.map(({ message }) => message.content))).toEqual(numbers)
    expect(final.choices.map((each) => each.finish_reason)).toEqual(['stop', 'stop', 'stop'])
    expect(final.usage).toMatchObject(usage)
  })

  test('cost nothing when one of them fails, and the others are dropped', async () => {
    let calls = 0
    vendor.play((seen, request) =>
      calls++ === 1
        ? messagesError(529, 'overloaded_error', 'full')(seen, request)
        : saysMessage()(seen, request),
    )
    const before = await balance()
    for (const stream of [false, true]) {
      calls = 0
      expect((await chapar.post({ ...several, stream })).status).toBe(429)
    }
    expect(await balance()).toBe(before)
  })

  test('are cut when one of them is cut', async () => {
    let calls = 0
    vendor.play(() => {
      const events = messagesStream(textBlock(0, 'one', ' two', ' three'))
      return streamReply(events, { delayMs: 5, ...(calls++ === 1 ? { cutAfter: 5 } : {}) })
    })
    const text = await (await chapar.post({ ...several, stream: true })).text()
    expect(chunksOf(text).find((each) => each.error)?.error?.code).toBe('stream_interrupted')
    const { held, slots } = await chapar.rest()
    expect({ held, slots }).toEqual({ held: 0, slots: 0 })
  })
})

describe('failures', () => {
  test.each([
    [529, 'overloaded_error', 'Overloaded', 429, 'upstream_capacity_full'],
    [429, 'rate_limit_error', 'slow down', 429, 'upstream_rate_limited'],
    [402, 'billing_error', 'pay', 429, 'upstream_capacity_full'],
    [
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API.',
      429,
      'upstream_capacity_full',
    ],
    [
      400,
      'invalid_request_error',
      'prompt is too long: 210000 tokens > 200000 maximum',
      400,
      'upstream_rejected',
    ],
    [413, 'request_too_large', 'Request exceeds the maximum size', 400, 'upstream_rejected'],
    [401, 'authentication_error', 'invalid x-api-key', 502, 'upstream_error'],
    [403, 'permission_error', 'no', 502, 'upstream_error'],
    [404, 'not_found_error', 'model: claude-x', 503, 'model_temporarily_unavailable'],
    [500, 'api_error', 'Internal server error', 502, 'upstream_error'],
    [504, 'timeout_error', 'late', 502, 'upstream_unreachable'],
  ])(
    'a vendor’s %d %s (%s) is our %d %s and costs nothing',
    async (status, type, said, ours, code) => {
      const before = await balance()
      vendor.play(messagesError(status, type, said, { 'retry-after': '9' }))
      for (const stream of [false, true]) {
        const response = await chapar.post(ask(model, { stream }), { 'accept-language': 'en' })
        const { error } = (await response.json()) as { error: { code: string; message: string } }
        expect({ status: response.status, code: error.code }).toEqual({ status: ours, code })
        if (ours === 429) expect(response.headers.get('retry-after')).toBe('9')
        if (code === 'upstream_rejected') expect(error.message).toContain(said)
      }
      expect(await balance()).toBe(before)
    },
  )

  test('an error event before an answer is an ordinary error', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' }
    vendor.play(() => streamReply([messageEvent({ type: 'error', error })]))
    const response = await chapar.post(ask(model, { stream: true }))
    expect(response.status).toBe(429)
    expect(await response.text()).toContain('upstream_capacity_full')
  })

  test('an error event midway ends the stream in order; what was sent is charged', async () => {
    const before = await balance()
    const error = { type: 'api_error', message: 'broke' }
    const begun = [messageStart(), ...textBlock(0, 'Half an')]
    vendor.play(() => streamReply([...begun, messageEvent({ type: 'error', error })]))
    const text = await (await chapar.post(ask(model, { stream: true }))).text()
    expect(text).toContain('Half an')
    expect(chunksOf(text).find((each) => each.error)?.error?.code).toBe('stream_interrupted')
    expect(text).toEndWith('data: [DONE]\n\n')
    const spent = before - (await balance())
    // All that went in, and a few words out, not the one token that the start announces.
    expect(spent).toBeGreaterThan(40 * 3000 + 1000 * 300)
    expect(spent).toBeLessThan(930_000)
  })

  test('a client that leaves before the first word pays nothing', async () => {
    const before = await balance()
    const leaving = new AbortController()
    vendor.play(() => {
      queueMicrotask(() => leaving.abort())
      return streamReply([messageStart(), ping], { hangAfter: 2 })
    })
    const asked = chapar.post(ask(model, { stream: true }), {}, leaving.signal)
    expect(await asked.catch((thrown: unknown) => thrown)).toHaveProperty('name', 'AbortError')
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
    expect(await balance()).toBe(before)
  })

  test('a stream that ends without its last events is a cut', async () => {
    vendor.play(() => streamReply([messageStart(), ...textBlock(0, 'Half an')]))
    const text = await (await chapar.post(ask(model, { stream: true }))).text()
    expect(text).toContain('stream_interrupted')
  })

  test('a second message in one stream is a cut, a repeated start is not', async () => {
    const rest = textBlock(0, 'whole')
    vendor.play(() => streamReply([messageStart(), ...messagesStream(rest)]))
    expect(await (await chapar.post(ask(model, { stream: true }))).text()).not.toContain('"error"')
    vendor.play(() => streamReply([messageStart(), ...rest, messageStart('msg_other')]))
    expect(await (await chapar.post(ask(model, { stream: true }))).text()).toContain(
      'stream_interrupted',
    )
  })

  test('a client that leaves drops the vendor and pays for what it got', async () => {
    const before = await balance()
    vendor.play(() =>
      streamReply([messageStart(), ...textBlock(0, 'a', ' b', ' c')], { hangAfter: 4 }),
    )
    const leaving = new AbortController()
    const response = await chapar.post(ask(model, { stream: true }), {}, leaving.signal)
    await readUntil(response, ' b')
    leaving.abort()
    const { held, slots } = await chapar.rest()
    expect({ held, slots }).toEqual({ held: 0, slots: 0 })
    expect(before - (await balance())).toBeGreaterThan(40 * 3000)
    for (let tries = 0; vendor.seen.at(-1)?.abortedAt === null && tries < 100; tries++)
      await Bun.sleep(5)
    expect(vendor.seen.at(-1)?.abortedAt).not.toBeNull()
  })

  test('several choices are refused where nobody knows what they cost', async () => {
    const asked = vendor.seen.length
    const response = await chapar.post(ask(model, { n: 2 }))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'n' } })
    expect(vendor.seen.length).toBe(asked)
  })

  test('what a vendor counts is expected before anything was learnt of it', async () => {
    const held = async (of: string) => {
      const asked = ask(of, { messages: [{ role: 'user', content: 'word '.repeat(4000) }] })
      const response = await chapar.post({ ...asked, max_tokens: 1 }, { 'x-dry-run': '1' })
      return Number(((await response.json()) as { hold_usd: string }).hold_usd)
    }
    expect((await held('claude-counts')) / (await held('claude-unheard'))).toBeCloseTo(1.5, 1)
  })

  test('without usage the answer is counted by us', async () => {
    vendor.play(() => wholeMessage([{ type: 'text', text: 'some words' }], 'end_turn', null))
    const reply = (await (await chapar.post(ask(model))).json()) as { usage: typeof toldUsage }
    expect(reply.usage.prompt_tokens).toBeGreaterThan(3)
    expect(reply.usage.completion_tokens).toBeGreaterThan(1)
  })

  test('a vendor that answers a stream request whole is streamed', async () => {
    vendor.play(() => wholeMessage([{ type: 'text', text: 'all at once' }]))
    const text = await (await chapar.post(ask(model, { stream: true }))).text()
    expect(text).toContain('all at once')
    expect(chunksOf(text).at(-1)).toMatchObject({ usage: toldUsage, cost_usd: cost })
    expect(text).toEndWith('data: [DONE]\n\n')
  })
})
