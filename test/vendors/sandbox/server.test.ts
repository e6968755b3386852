import { describe, expect, test } from 'bun:test'
import OpenAI, { APIConnectionError, APIError } from 'openai'
import type { ChatCompletionCreateParams, ChatCompletionTool } from 'openai/resources'
import { vendorFailure } from '../../../src/gateway/vendors/failure'
import { brokenConnections, faults } from '../../../src/gateway/vendors/sandbox/faults'
import { serve } from '../../../src/gateway/vendors/sandbox/server'

/** The official client with the sandbox in place of the network. */
const client = new OpenAI({
  apiKey: 'none',
  baseURL: 'http://sandbox.invalid/v1',
  maxRetries: 0,
  fetch: (url: string | URL | Request, init?: RequestInit) =>
    serve(new Request(url instanceof Request ? url.url : String(url), init)),
})
const user = (content: string) => [{ role: 'user' as const, content }]
const ask = (content: string, rest: Partial<ChatCompletionCreateParams> = {}) => ({
  model: 'echo',
  messages: user(content),
  ...rest,
})
type Rest = Omit<Partial<ChatCompletionCreateParams>, 'stream'>
const whole = (content: string, rest: Rest = {}) =>
  client.chat.completions.create({ ...ask(content), ...rest, stream: false })
const streamed = (content: string, rest: Rest = {}) =>
  client.chat.completions.stream({ ...ask(content), ...rest, stream: true })
const raw = (body: object, signal?: AbortSignal) =>
  serve(
    new Request('http://sandbox.invalid/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    }),
  )

const tool = (name: string, properties: Record<string, unknown> = {}): ChatCompletionTool => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties, required: Object.keys(properties) } },
})
const weather = tool('weather', { city: { type: 'string' }, days: { type: 'integer', minimum: 2 } })
const clock = tool('clock')
const callsOf = (answer: OpenAI.ChatCompletion) =>
  (answer.choices[0]?.message.tool_calls ?? []).map((call) => {
    if (call.type !== 'function') throw new Error('a call of another type')
    const { name, arguments: text } = call.function
    return { id: call.id, name, given: JSON.parse(text) as unknown }
  })

describe('the echo model', () => {
  test('says again what it is told, and counts words', async () => {
    const answer = await whole('Hello there, سلام دنیا')
    expect(answer.choices).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Hello there, سلام دنیا',
          refusal: null,
          annotations: [],
        },
        logprobs: null,
        finish_reason: 'stop',
      },
    ])
    expect(answer.usage).toEqual({
      prompt_tokens: 4,
      completion_tokens: 4,
      total_tokens: 8,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    })
    expect(await whole('Hello there, سلام دنیا')).toEqual(answer)
  })

  test('answers the last user message', async () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief' },
      ...user('first'),
      { role: 'assistant' as const, content: 'first' },
      ...user('second one'),
    ]
    const answer = await whole('', { messages })
    expect(answer.choices[0]?.message.content).toBe('second one')
    expect(answer.usage?.prompt_tokens).toBe(6)
  })

  test('streams what it would say whole', async () => {
    const text = ' Two  words,\nthree\u00a0… 🌍\n'
    const stream = streamed(text, { stream_options: { include_usage: true } })
    const answer = await stream.finalChatCompletion()
    expect(answer.choices[0]?.message.content).toBe(text)
    expect(answer.choices[0]?.finish_reason).toBe('stop')
    expect(answer.usage).toEqual((await whole(text)).usage)
  })

  test('streams to the letter what the reference streams', async () => {
    const response = await raw({
      ...ask('Hello dear world'),
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(response.headers.get('content-type')).toStartWith('text/event-stream')
    const events = (await response.text()).split('\n\n')
    expect(events.splice(-2)).toEqual(['data: [DONE]', ''])
    const chunks = events.map(
      (event) => JSON.parse(event.replace(/^data: /, '')) as OpenAI.ChatCompletionChunk,
    )
    for (const chunk of chunks)
      expect(chunk).toMatchObject({
        id: 'chatcmpl-sandbox',
        object: 'chat.completion.chunk',
        model: 'echo',
      })
    const deltas = [
      { role: 'assistant', content: '', refusal: null },
      { content: 'Hello' },
      { content: ' dear' },
      { content: ' world' },
      {},
    ]
    expect(chunks.slice(0, -1).map(({ choices, usage }) => ({ choices, usage }))).toEqual(
      deltas.map((delta, at) => ({
        choices: [
          { index: 0, delta, logprobs: null, finish_reason: at === 4 ? ('stop' as const) : null },
        ],
        usage: null,
      })) as never,
    )
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 6 } })
  })

  test('tells no usage in a stream that did not ask for it', async () => {
    const text = await (await raw({ ...ask('Hello'), stream: true })).text()
    expect(text).not.toContain('usage')
    expect(text).toEndWith('data: [DONE]\n\n')
  })

  test('gives as many choices as asked, whole and streamed', async () => {
    const answer = await whole('Hello there', { n: 3 })
    expect(answer.choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, 'Hello there'],
      [1, 'Hello there'],
      [2, 'Hello there'],
    ])
    expect(answer.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 6, total_tokens: 8 })
    const { choices } = await streamed('Hello there', { n: 3 }).finalChatCompletion()
    expect(choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual(
      Array.from({ length: 3 }, () => ['Hello there', 'stop']),
    )
  })

  test.each([
    [{ max_tokens: 2 }, 'one two', 'length', 2],
    [{ max_completion_tokens: 3, max_tokens: 9 }, 'one two three', 'length', 3],
    [{ max_tokens: 4 }, 'one two three four', 'stop', 4],
    [{ stop: ' three' }, 'one two', 'stop', 2],
    [{ stop: ['zzz', 'our', 'two'] }, 'one ', 'stop', 1],
  ] as const)('keeps to %j', async (limits, text, finish, tokens) => {
    const answer = await whole('one two three four', limits as Rest)
    expect(answer.choices[0]).toMatchObject({ message: { content: text }, finish_reason: finish })
    expect(answer.usage?.completion_tokens).toBe(tokens)
  })

  test('thinks aloud when an effort is asked for, inside its ceiling', async () => {
    const answer = await whole('Hello', { reasoning_effort: 'low' })
    expect(answer.choices[0]?.message).toMatchObject({
      content: 'Hello',
      reasoning_content: 'The user said 1 words. I will say them again.',
    })
    const reasoning = answer.usage?.completion_tokens_details?.reasoning_tokens ?? 0
    expect(reasoning).toBeGreaterThan(0)
    expect(answer.usage?.completion_tokens).toBe(reasoning + 1)
    expect(
      (await whole('Hello', { reasoning_effort: 'none' })).choices[0]?.message,
    ).not.toHaveProperty('reasoning_content')
    const cut = await whole('Hello', { reasoning_effort: 'low', max_tokens: 3 })
    expect(cut.choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'length' })
    expect(cut.usage?.completion_tokens).toBe(3)
    const text = await (
      await raw({ ...ask('Hello'), reasoning_effort: 'high', stream: true })
    ).text()
    expect(text.indexOf('reasoning_content')).toBeLessThan(text.indexOf('"content":"Hello"'))
  })

  test('says that it saw an image', async () => {
    const part = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } }
    const content = [{ type: 'text' as const, text: 'Look' }, part, part]
    const answer = await whole('', { messages: [{ role: 'user', content }] })
    expect(answer.choices[0]?.message.content).toBe('Look (2 images seen)')
  })

  test('ends before a text of a million words does', async () => {
    const answer = await whole('word '.repeat(1_000_000))
    expect(answer.usage?.completion_tokens).toBe(16_384)
    expect(answer.choices[0]?.finish_reason).toBe('length')
  })

  test('counts a long word by its length, and blanks between words by theirs', async () => {
    const long = await whole('x'.repeat(2_000_000))
    expect(long.choices[0]?.message.content).toHaveLength(16_384 * 16)
    expect(long.usage?.completion_tokens).toBe(16_384)
    expect(long.choices[0]?.finish_reason).toBe('length')
    const cut = await whole(`a${' '.repeat(1_000_000)}b`, { max_tokens: 3 })
    expect(cut.choices[0]?.message.content).toHaveLength(1 + 2 * 16)
    expect(await (await raw({ ...ask('😀'.repeat(99)), stream: true })).text()).not.toMatch(
      /\ufffd|\\ud83d"/,
    )
  })
})

describe('tools', () => {
  const asked = (city: string) => ({ name: 'weather', given: { city, days: 2 } })
  const ticks = { name: 'clock', given: {} }
  const some = (name: string) => ({
    type: 'allowed_tools',
    allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name } }] },
  })
  const cases: readonly (readonly [string, string, object, readonly object[]])[] = [
    ['a choice that demands', 'Hello', { tool_choice: 'required' }, [asked('Hello')]],
    ['a choice that names', 'Hello', { tool_choice: clock }, [ticks]],
    ['a text with its name', 'The weather?', {}, [asked('The weather?')]],
    ['a text with the word', 'Use a tool', {}, [asked('Use a tool')]],
    ['a text that says both', 'Call both', {}, [asked('Call both'), ticks]],
    [
      'two names and parallel',
      'clock, weather, parallel',
      {},
      [asked('clock, weather, parallel'), ticks],
    ],
    [
      'one at a time',
      'Call both tools',
      { parallel_tool_calls: false },
      [asked('Call both tools')],
    ],
    ['a choice of only some', 'Use a tool', { tool_choice: some('clock') }, [ticks]],
    ['nothing', 'Hello', {}, []],
    ['a choice that forbids', 'Use a tool', { tool_choice: 'none' }, []],
  ]
  test.each([...cases])('are called for %s', async (_, text, rest, wanted) => {
    const answer = await whole(text, { tools: [weather, clock], ...(rest as Rest) })
    const calls = callsOf(answer)
    expect(calls.map(({ name, given }) => ({ name, given }))).toEqual([...wanted] as typeof calls)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    expect(answer.choices[0]?.finish_reason).toBe(calls.length > 0 ? 'tool_calls' : 'stop')
    expect(answer.choices[0]?.message.content).toBe(calls.length > 0 ? null : text)
  })

  test('alone is called twice when two are wanted', async () => {
    expect(callsOf(await whole('both', { tools: [clock] })).map(({ name }) => name)).toEqual([
      'clock',
      'clock',
    ])
  })

  test('two at once are streamed in turns and put together by the official client', async () => {
    const rest = { tools: [weather, clock] }
    const stream = streamed('Call both', rest)
    const order: number[] = []
    for await (const chunk of stream)
      for (const call of chunk.choices[0]?.delta.tool_calls ?? []) order.push(call.index)
    const answer = await stream.finalChatCompletion()
    expect(callsOf(answer as OpenAI.ChatCompletion)).toEqual(
      callsOf(await whole('Call both', rest)),
    )
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls')
    expect(order.slice(0, 4)).toEqual([0, 1, 0, 1])
  })

  test('are told of when they have answered', async () => {
    const call = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'weather', arguments: '{}' },
    })
    const answer = await whole('', {
      tools: [weather],
      messages: [
        ...user('Use both tools'),
        { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'rain' },
        { role: 'tool', tool_call_id: 'b', content: 'snow' },
      ],
    })
    expect(answer.choices[0]?.message.content).toBe('The tools said: rain, snow')
  })

  test('that do not fit under the ceiling are not called', async () => {
    const answer = await whole('Call both', { tools: [weather, clock], max_tokens: 1 })
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '' } })
    expect(answer.usage?.completion_tokens).toBe(1)
  })
})

describe('JSON', () => {
  test('is an object when any will do', async () => {
    const answer = await whole('Hi', { response_format: { type: 'json_object' } })
    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({ echo: 'Hi' })
  })

  test('is by the schema, whole and streamed', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        kind: { enum: ['a', 'b'] },
        list: { type: 'array', items: { type: 'integer' } },
      },
      required: ['name', 'kind', 'list'],
      additionalProperties: false,
    }
    const rest = {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: 'x', strict: true, schema },
      },
    }
    const wanted = { name: 'Hi', kind: 'a', list: [1] }
    const answer = await whole('Hi', rest)
    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual(wanted)
    const stream = await streamed('Hi', rest).finalChatCompletion()
    expect(JSON.parse(stream.choices[0]?.message.content ?? '')).toEqual(wanted)
  })
})

describe('the slow model', () => {
  test('streams a word every 50 ms', async () => {
    const began = performance.now()
    const response = await raw({ model: 'slow', messages: user('a b'), stream: true })
    const body = response.body as ReadableStream<Uint8Array> | null
    const decoder = new TextDecoder()
    const pieces: string[] = []
    for await (const piece of body ?? []) pieces.push(decoder.decode(piece, { stream: true }))
    // Role, two words, finish and terminator have four pauses between them.
    expect(pieces.length).toBeGreaterThanOrEqual(5)
    expect(pieces.findIndex((each) => each.includes('"content":" b"'))).toBe(2)
    expect(performance.now() - began).toBeGreaterThan(190)
  })

  test('takes a second for a whole answer', async () => {
    const began = performance.now()
    const answer = (await (
      await raw({ model: 'slow', messages: user('a') })
    ).json()) as OpenAI.ChatCompletion
    expect(answer.choices[0]?.message.content).toBe('a')
    expect(performance.now() - began).toBeGreaterThan(950)
  })

  test.each(['slow', 'error-timeout'])(
    '%s stops at once when the client gives up',
    async (model) => {
      const leaving = new AbortController()
      const answer = raw({ model, messages: user('a') }, leaving.signal).catch(
        (thrown: unknown) => thrown,
      )
      setTimeout(() => leaving.abort(), 10)
      // One that went on would answer, or never end.
      expect(await answer).toMatchObject({ name: 'AbortError' })
    },
  )

  test('stops its stream when the client gives up', async () => {
    const leaving = new AbortController()
    const response = await raw(
      { model: 'slow', messages: user('a b c d e f'), stream: true },
      leaving.signal,
    )
    const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
    await reader.read()
    const rest = reader.read().catch((thrown: unknown) => thrown)
    leaving.abort()
    expect(await rest).toMatchObject({ name: 'AbortError' })
  })
})

describe('a failing model', () => {
  test.each(Object.keys(faults))('error-%s fails so that it becomes that code', async (code) => {
    for (const stream of [false, true]) {
      const response = await raw({ model: `error-${code}`, messages: user('a'), stream })
      expect<string>(
        vendorFailure(response.status, response.headers, await response.text(), 'm').code,
      ).toBe(code)
    }
    const thrown: unknown = await whole('a', { model: `error-${code}` }).catch(
      (each: unknown) => each,
    )
    expect(thrown).toBeInstanceOf(APIError)
  })

  test('that is unreachable drops the connection', async () => {
    const dropped: unknown = await raw({
      model: 'error-upstream_unreachable',
      messages: user('a'),
    }).catch((each: unknown) => each)
    expect(dropped).toMatchObject({ code: 'ECONNRESET' })
    const seen: unknown = await whole('a', { model: 'error-upstream_unreachable' }).catch(
      (each: unknown) => each,
    )
    expect(seen).toBeInstanceOf(APIConnectionError)
  })

  test.each(['a', 'many more words than are ever said before it breaks'])(
    'breaks its stream off after a few words, told %j',
    async (text) => {
      const response = await raw({
        model: 'error-stream_interrupted',
        messages: user(text),
        stream: true,
      })
      let told = ''
      const read = async () => {
        for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>)
          told += new TextDecoder().decode(chunk)
      }
      expect(await read().catch((each: unknown) => each)).toMatchObject({ code: 'ECONNRESET' })
      expect(told.match(/"content":"[^"]/g)).toHaveLength(4)
      expect(told).not.toMatch(/"finish_reason":"|\[DONE\]/)
    },
  )

  test('whose stream would break is an error when it does not stream', async () => {
    const { status } = await raw({ model: 'error-stream_interrupted', messages: user('a') })
    expect(status).toBe(500)
  })

  test.each(['nobody', 'error-', 'error-nobody', 'upstream_error', 'error-constructor'])(
    '%j is not there',
    async (model) => {
      expect((await raw({ model, messages: user('a') })).status).toBe(404)
    },
  )

  test('exists for every way a vendor can fail', () => {
    expect([...Object.keys(faults), ...brokenConnections].sort()).toEqual([
      'model_temporarily_unavailable',
      'stream_interrupted',
      'timeout',
      'upstream_capacity_full',
      'upstream_error',
      'upstream_rate_limited',
      'upstream_rejected',
      'upstream_unreachable',
    ])
  })
})
