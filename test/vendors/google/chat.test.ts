import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { ask, openTestGateway, type TestGateway } from '../../support/gateway'
import {
  answers,
  call,
  geminiError,
  geminiEvent,
  geminiReply,
  geminiStream,
  saysGemini,
  toldUsage,
} from '../../support/google-stand-in'
import { addHubVendor } from '../../support/hub-vendor'
import { chunksOf, eventsOf, saidIn } from '../../support/sse'
import { openStandIn, streamReply, type StandIn } from '../../support/stand-in'

const models = {
  gemini: {
    thinking: 'level',
    thinkingOnTop: true,
    efforts: ['low', 'medium', 'high'],
    reasoning: true,
  },
  'gemini-25': {
    thinking: 'budget',
    thinkingOnTop: true,
    efforts: ['none', 'minimal', 'low', 'medium', 'high'],
    schemaWithTools: false,
    drop: ['presence_penalty', 'frequency_penalty'],
  },
  'gemini-new': {},
  gemma: { systemRole: 'user', efforts: [] },
} as const

let vendor: StandIn
let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    prepare: addHubVendor({ kind: 'google', url: vendor.url, models }),
  })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
beforeEach(() => vendor.play(saysGemini()))
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const model = 'gemini'
const hello = [{ role: 'user' as const, content: 'Hello there' }]
const sent = () => vendor.seen.at(-1)?.body ?? {}
const config = () => sent()['generationConfig']
const balance = async () => Number((await chapar.rest()).balance)
/** 40 in, 1000 read, 25 out. */
const cost = '0.000795'

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
      id: response.headers.get('x-request-id'),
      model,
      choices: [{ index: 0, finish_reason: 'stop', message: { content: 'Hello from Gemini' } }],
      usage: toldUsage,
    })
    expect(response.headers.get('x-cost-usd')).toBe(cost)
    const request = vendor.seen.at(-1)
    expect(request?.path).toBe('/v1/models/gemini-vendor:generateContent')
    expect(request?.headers.get('x-goog-api-key')).toBe('sk-vendor-secret')
    expect(request?.headers.get('authorization')).toBeNull()
  })

  test('streams: one role, one finish, one usage with the cost, the terminator', async () => {
    const persian = 'سلام! این یک آزمون بلند است 🌍 با نیم‌فاصله و اعداد ۱۲۳. '.repeat(40).trim()
    vendor.play(saysGemini(persian, { bytesAtATime: 97 }))
    const text = await (await chapar.post(ask(model, { stream: true }))).text()
    const chunks = chunksOf(text)
    expect(eventsOf(text).at(-1)).toBe('[DONE]')
    const choices = chunks.flatMap((each) => each.choices ?? [])
    expect(saidIn(text, 'content')).toBe(persian)
    expect(choices.filter(({ delta }) => delta['role'])).toHaveLength(1)
    expect(choices.map((each) => each.finish_reason).filter(Boolean)).toEqual(['stop'])
    expect(chunks.filter(({ usage }) => usage)).toHaveLength(1)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: toldUsage, cost_usd: cost })
  })

  test('calls two tools, and their results go back by the names of the tools', async () => {
    vendor.play(
      answers([
        [{ text: 'Let me look.' }],
        [call('weather', { city: 'تهران' }, 'sig-a')],
        [call('time', {})],
      ]),
    )
    const answer = await client.chat.completions
      .stream({ model, messages: hello, tools: functions })
      .finalChatCompletion()
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls')
    const tools = (answer.choices[0]?.message.tool_calls ?? []).flatMap((each) =>
      each.type === 'function' ? [{ id: each.id, ...each.function }] : [],
    )
    expect(tools).toMatchObject([
      { name: 'weather', arguments: '{"city":"تهران"}' },
      { name: 'time', arguments: '{}' },
    ])
    expect(new Set(tools.map(({ id }) => id)).size).toBe(2)

    vendor.play(saysGemini('sunny'))
    await client.chat.completions.create({
      model,
      tools: functions,
      messages: [
        ...hello,
        {
          role: 'assistant',
          content: 'Let me look.',
          tool_calls: tools.map(({ id, name, arguments: args }) => ({
            id,
            type: 'function' as const,
            function: { name, arguments: args },
          })),
        },
        { role: 'tool', tool_call_id: tools[1]?.id ?? '', content: '12:00' },
        { role: 'tool', tool_call_id: tools[0]?.id ?? '', content: '{"sky":"clear"}' },
      ],
    })
    const [a, b] = tools
    // The signature of the first call comes from memory: the client lost it.
    expect(sent()['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Hello there' }] },
      {
        role: 'model',
        parts: [
          { text: 'Let me look.' },
          {
            functionCall: { id: a?.id, name: 'weather', args: { city: 'تهران' } },
            thoughtSignature: 'sig-a',
          },
          { functionCall: { id: b?.id, name: 'time', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: a?.id, name: 'weather', response: { sky: 'clear' } } },
          { functionResponse: { id: b?.id, name: 'time', response: { result: '12:00' } } },
        ],
      },
    ])
  })

  const history = (rest: object = {}) => [
    ...hello,
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'unheard-of', type: 'function', function: { name: 'time', arguments: '' }, ...rest },
      ],
    },
    { role: 'tool', tool_call_id: 'unheard-of', content: '12:00' },
  ]
  const called = (rest: object) => [
    {},
    { parts: [{ functionCall: { name: 'time', args: {} }, ...rest }] },
    {},
  ]

  test('a signature that the client kept is believed, an unknown one has a sentinel', async () => {
    const extra_content = { google: { thought_signature: 'kept' } }
    await chapar.post(ask(model, { messages: history({ extra_content }) }))
    expect(sent()['contents']).toMatchObject(called({ thoughtSignature: 'kept' }))
    await chapar.post(ask(model, { messages: history() }))
    const sentinel = 'skip_thought_signature_validator'
    expect(sent()['contents']).toMatchObject(called({ thoughtSignature: sentinel }))
    await chapar.post(ask('gemini-new', { messages: history() }))
    expect(sent()['contents']).toMatchObject(called({ thoughtSignature: sentinel }))
    for (const unsigned of ['gemini-25', 'gemma']) {
      await chapar.post(ask(unsigned, { messages: history() }))
      expect(JSON.stringify(sent())).not.toContain('thoughtSignature')
    }
  })

  test('clients that keep unknown members get the signature, whole and streamed', async () => {
    vendor.play(answers([[call('time', {}, 'sig-b', 'own-id')]]))
    const wanted = { google: { thought_signature: 'sig-b' } }
    const whole = (await (await chapar.post(ask(model))).json()) as object
    expect(whole).toMatchObject({
      choices: [{ message: { tool_calls: [{ id: 'own-id', extra_content: wanted }] } }],
    })
    const text = await (await chapar.post(ask(model, { stream: true }))).text()
    const deltas = chunksOf(text).flatMap((each) => each.choices ?? [])
    expect(deltas.flatMap(({ delta }) => delta['tool_calls'] ?? [])).toMatchObject([
      { index: 0, id: 'own-id', extra_content: wanted },
      { index: 0, function: { arguments: '{}' } },
    ])
  })

  test('reads thoughts, asked for by level or by budget, with room for them', async () => {
    vendor.play(answers([[{ text: 'Hm.', thought: true }], [{ text: 'Yes.' }]]))
    const asked = { messages: hello, reasoning_effort: 'high', max_tokens: 100 }
    const text = await (await chapar.post(ask(model, { ...asked, stream: true }))).text()
    expect(saidIn(text, 'reasoning_content')).toBe('Hm.')
    expect(saidIn(text, 'content')).toBe('Yes.')
    expect(config()).toEqual({
      maxOutputTokens: 24_676,
      thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: true },
    })
    await chapar.post(ask('gemini-25', { ...asked, reasoning_effort: 'low' }))
    expect(config()).toEqual({
      maxOutputTokens: 1124,
      thinkingConfig: { thinkingBudget: 1024, includeThoughts: true },
    })
    await chapar.post(ask('gemini-25', { ...asked, reasoning_effort: 'none' }))
    expect(config()).toEqual({ maxOutputTokens: 100, thinkingConfig: { thinkingBudget: 0 } })
    // A model that cannot stop thinking thinks as little as it can.
    await chapar.post(ask(model, { ...asked, reasoning_effort: 'none' }))
    expect(config()).toMatchObject({ thinkingConfig: { thinkingLevel: 'LOW' } })
  })

  test('room for thoughts is held too', async () => {
    const poor = await chapar.customer({ usd: '0.1' })
    const response = await chapar.post(ask(model, { max_tokens: 10, reasoning_effort: 'high' }), {
      authorization: `Bearer ${poor.key}`,
    })
    expect(response.status).toBe(402)
  })

  const schema = { type: 'object', properties: { n: { type: 'integer', exclusiveMinimum: 3 } } }
  const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } }

  test('asks for JSON by schema, and for tools by ordinary JSON Schema', async () => {
    const tools = [
      { type: 'function', function: { name: 'f', parameters: schema } },
      { type: 'function', function: { name: 'g', parameters: { type: 'object', properties: {} } } },
    ]
    await chapar.post(ask(model, { response_format, tools, tool_choice: 'required' }))
    expect(config()).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    })
    expect(sent()).toMatchObject({
      tools: [
        { functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }, { name: 'g' }] },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    })
    expect(JSON.stringify(sent())).not.toContain('"parameters"')
    // Both together only where the model can.
    await chapar.post(ask('gemini-25', { response_format, tools }))
    expect(config()).toBeUndefined()
    expect(JSON.stringify(sent()['systemInstruction'])).toContain('exclusiveMinimum')
  })

  test.each([
    ['none', { mode: 'NONE' }],
    ['auto', { mode: 'AUTO' }],
    ['required', { mode: 'ANY' }],
    [
      { type: 'function', function: { name: 'time' } },
      { mode: 'ANY', allowedFunctionNames: ['time'] },
    ],
  ])('tool_choice %j is %j', async (tool_choice, functionCallingConfig) => {
    await chapar.post(ask(model, { tools: functions, tool_choice }))
    expect(sent()['toolConfig']).toEqual({ functionCallingConfig })
  })

  test('instructions are system text wherever they stand, or the user’s first words', async () => {
    const messages = [
      { role: 'system', content: 'one' },
      ...hello,
      { role: 'developer', content: 'two' },
      { role: 'user', content: 'more' },
    ]
    await chapar.post(ask(model, { messages }))
    expect(sent()).toMatchObject({
      systemInstruction: { parts: [{ text: 'one' }, { text: 'two' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hello there' }, { text: 'more' }] }],
    })
    await chapar.post(ask('gemma', { messages }))
    expect(sent()).not.toHaveProperty('systemInstruction')
    expect(sent()['contents']).toMatchObject([
      { parts: [{ text: 'one' }, { text: 'two' }, { text: 'Hello there' }, { text: 'more' }] },
    ])
  })

  test('sampling goes by the names of the format, without what the model refuses', async () => {
    const sampling = { temperature: 1.5, top_p: 0.9, seed: 7, presence_penalty: 1, n: 2 }
    await chapar.post(ask(model, { ...sampling, stop: ['a', ' ', 'b'] }))
    expect(config()).toEqual({
      temperature: 1.5,
      topP: 0.9,
      seed: 7,
      presencePenalty: 1,
      candidateCount: 2,
      stopSequences: ['a', ' ', 'b'],
    })
    await chapar.post(ask('gemini-25', { presence_penalty: 1 }))
    expect(config()).toBeUndefined()
  })

  test('two candidates are two choices', async () => {
    const candidate = (index: number, text: string) => ({
      index,
      content: { parts: [{ text }] },
      finishReason: 'STOP',
    })
    const both = geminiReply([], null, { candidates: [candidate(0, 'a'), candidate(1, 'b')] })
    vendor.play(() => Response.json(both))
    const reply = await client.chat.completions.create({ model, messages: hello, n: 2 })
    expect(reply.choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, 'a'],
      [1, 'b'],
    ])
  })

  test('shows pictures and sounds', async () => {
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
    ]
    await chapar.post(ask(model, { messages: [{ role: 'user', content }] }))
    expect(sent()['contents']).toEqual([
      {
        role: 'user',
        parts: [
          { text: 'look' },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { inlineData: { mimeType: 'audio/wav', data: 'BBBB' } },
        ],
      },
    ])
  })

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['MALFORMED_FUNCTION_CALL', 'stop'],
    ['OTHER', 'stop'],
  ])('is told of %s after words as %s, whole and streamed', async (reason, finish) => {
    vendor.play(answers([[{ text: 'some' }], []], reason))
    const reply = await client.chat.completions.create({ model, messages: hello })
    expect(reply.choices[0]?.finish_reason).toBe(finish as never)
    const text = await (await chapar.post(ask(model, { stream: true }))).text()
    const finishes = chunksOf(text).flatMap((each) => each.choices ?? [])
    expect(finishes.map((each) => each.finish_reason).filter(Boolean)).toEqual([finish])
  })
})

describe('a picture at an address', () => {
  const named = (url: string, rest: object = {}) =>
    ask(model, {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
      ...rest,
    })

  test('that is not of the open internet is refused, and nothing is held or charged', async () => {
    const before = await balance()
    const asked = vendor.seen.length
    for (const url of ['https://127.0.0.1/a.png', 'https://[::1]/a.png', 'http://host.example/a']) {
      const response = await chapar.post(named(url))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        error: { code: 'invalid_message', param: 'messages[0].content[0].image_url.url' },
      })
    }
    expect(vendor.seen.length).toBe(asked)
    expect(await chapar.rest()).toMatchObject({ held: 0, balance: String(before) })
  })

  test('is not fetched by a dry run', async () => {
    const response = await chapar.post(named('https://pictures.example/a.png'), {
      'x-dry-run': '1',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ object: 'dry_run', model })
  })
})

describe('failures', () => {
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }
  const perDay = { violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] }
  const badKey = { reason: 'API_KEY_INVALID' }
  const quota = 'You exceeded your current quota, please check your plan and billing details.'
  test.each([
    [429, 'RESOURCE_EXHAUSTED', quota, [retry], 429, 'upstream_rate_limited'],
    [429, 'RESOURCE_EXHAUSTED', quota, [retry, perDay], 429, 'upstream_capacity_full'],
    [400, 'INVALID_ARGUMENT', 'The input is too long', [], 400, 'upstream_rejected'],
    [400, 'INVALID_ARGUMENT', 'API key not valid', [badKey], 502, 'upstream_error'],
    [400, 'FAILED_PRECONDITION', 'User location is not supported', [], 502, 'upstream_error'],
    [403, 'PERMISSION_DENIED', 'no', [], 502, 'upstream_error'],
    [404, 'NOT_FOUND', 'models/x is not found', [], 503, 'model_temporarily_unavailable'],
    [500, 'INTERNAL', 'oops', [], 502, 'upstream_error'],
    [503, 'UNAVAILABLE', 'The model is overloaded', [], 429, 'upstream_capacity_full'],
    [504, 'DEADLINE_EXCEEDED', 'late', [], 502, 'upstream_unreachable'],
  ])('a vendor’s %d %s (%s) %j is our %d %s', async (status, name, said, details, ours, code) => {
    const before = await balance()
    vendor.play(geminiError(status, name, said, details))
    for (const stream of [false, true]) {
      const response = await chapar.post(ask(model, { stream }), { 'accept-language': 'en' })
      const { error } = (await response.json()) as { error: { code: string; message: string } }
      expect({ status: response.status, code: error.code }).toEqual({ status: ours, code })
      if (details.includes(retry as never)) expect(response.headers.get('retry-after')).toBe('35')
      if (code === 'upstream_rejected') expect(error.message).toContain(said)
    }
    expect(await balance()).toBe(before)
  })

  test('a prompt that is blocked is refused before a byte is sent', async () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: {} }
    vendor.play((seen) =>
      seen.path.includes('stream') ? streamReply([geminiEvent(blocked)]) : Response.json(blocked),
    )
    for (const stream of [false, true]) {
      const response = await chapar.post(ask(model, { stream }))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: 'upstream_rejected' } })
    }
  })

  test('a model that breaks down before it says anything is an error', async () => {
    vendor.play(answers([[]], 'MALFORMED_FUNCTION_CALL'))
    for (const stream of [false, true]) {
      const response = await chapar.post(ask(model, { stream }))
      expect(response.status).toBe(502)
      expect(await response.json()).toMatchObject({ error: { code: 'upstream_error' } })
    }
  })

  test('a stream that ends without a reason is a cut, charged by what was sent', async () => {
    const before = await balance()
    vendor.play(answers([[{ text: 'Half' }], [{ text: ' an' }]], null))
    const text = await (await chapar.post(ask(model, { stream: true }))).text()
    expect(text).toContain('Half')
    expect(chunksOf(text).find((each) => each.error)?.error?.code).toBe('stream_interrupted')
    expect(text).toEndWith('data: [DONE]\n\n')
    expect(await balance()).toBeLessThan(before)
  })

  test('an error midway ends the stream in order', async () => {
    const error = { code: 503, message: 'overloaded', status: 'UNAVAILABLE' }
    const begun = geminiStream([[{ text: 'Half an' }]], null)
    vendor.play(() => streamReply([...begun, geminiEvent({ error })]))
    const text = await (await chapar.post(ask(model, { stream: true }))).text()
    expect(text).toContain('Half an')
    expect(text).toContain('upstream_capacity_full')
  })
})
