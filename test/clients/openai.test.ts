import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import Newest from 'openai'
import Older from 'openai-6'
import { addModel, addVendor, openTestGateway, type TestGateway } from '../support/gateway'
import { failure, openStandIn, refusingUrl, replies, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  const down = await refusingUrl()
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    async prepare(storage) {
      await addVendor(storage, 'down', down)
      await addModel(storage, 'failing', ['down'])
    },
  })
})
beforeEach(() => vendor.play(replies()))
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const hello = [{ role: 'user' as const, content: 'Hello there' }]
const tools = ['weather', 'time'].map((name) => ({
  type: 'function' as const,
  function: {
    name,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}))

/** What a call throws; the client's promises are lazy. */
async function thrown(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

// What we use of it has not changed between the two.
const majors: readonly (readonly [string, typeof Newest])[] = [
  ['newest', Newest],
  ['one before', Older as unknown as typeof Newest],
]

describe.each(majors)('the official client, %s major', (_, OpenAI) => {
  let client: Newest
  beforeAll(() => {
    client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
  })

  test('lists models as it does with OpenRouter, and learns which answered', async () => {
    const extra = { models: ['failing', 'priced'], route: 'fallback' } as object
    const body = { model: 'failing', messages: hello, ...extra }
    const { data, response } = await client.chat.completions.create(body).withResponse()
    expect([data.model, response.headers.get('x-model')]).toEqual(['priced', 'priced'])
    expect(data.choices[0]?.message.content).toBe('Hello from the vendor')
    const told = new Set<string>()
    for await (const { model } of await client.chat.completions.create({ ...body, stream: true }))
      told.add(model)
    expect([...told]).toEqual(['priced'])
  })

  describe.each(['sandbox/echo', 'priced'])('with %s', (model) => {
    test('chats', async () => {
      const reply = await client.chat.completions.create({ model, messages: hello })
      expect(reply.choices[0]?.message.content?.length).toBeGreaterThan(3)
      expect(reply._request_id).toBe(reply.id)
      expect(reply.usage?.total_tokens).toBeGreaterThan(0)
    })

    test('streams', async () => {
      const stream = client.chat.completions.stream({ model, messages: hello })
      let text = ''
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
      const final = await stream.finalChatCompletion()
      expect(text).toBe(String(final.choices[0]?.message.content))
      expect(final.choices[0]?.finish_reason).toBe('stop')
      expect(final.usage?.total_tokens).toBeGreaterThan(0)
    })
  })

  describe('with the sandbox', () => {
    const model = 'sandbox/echo'

    test('calls tools in parallel, streamed, and answers with their results', async () => {
      const messages = [{ role: 'user' as const, content: 'call both tools' }]
      const final = await client.chat.completions
        .stream({ model, messages, tools })
        .finalChatCompletion()
      const message = final.choices[0]?.message
      expect(final.choices[0]?.finish_reason).toBe('tool_calls')
      const calls = message?.tool_calls ?? []
      expect(calls.map((call) => call.type === 'function' && call.function.name)).toEqual([
        'weather',
        'time',
      ])
      for (const call of calls)
        if (call.type === 'function')
          expect(JSON.parse(call.function.arguments)).toHaveProperty('city')
      const whole = await client.chat.completions.create({ model, messages, tools })
      expect(whole.choices[0]?.message.tool_calls).toEqual(
        calls.map(({ id, type, ...rest }) => ({ id, type, ...rest })) as never,
      )
      const results = calls.map((call) => ({
        role: 'tool' as const,
        tool_call_id: call.id,
        content: 'sunny',
      }))
      const next = await client.chat.completions.create({
        model,
        messages: [
          ...messages,
          { role: 'assistant', content: null, tool_calls: calls },
          ...results,
        ],
        tools,
      })
      expect(next.choices[0]?.message.content).toContain('sunny')
    })

    test('fills a JSON schema', async () => {
      const schema = {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 3 } },
        required: ['city', 'days'],
      }
      const reply = await client.chat.completions.create({
        model,
        messages: hello,
        response_format: { type: 'json_schema', json_schema: { name: 'trip', schema } },
      })
      expect(JSON.parse(String(reply.choices[0]?.message.content))).toEqual({
        city: 'Hello there',
        days: 3,
      })
    })

    test('sees an image part', async () => {
      const url =
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      const content = [
        { type: 'text' as const, text: 'look' },
        { type: 'image_url' as const, image_url: { url, detail: 'low' as const } },
      ]
      const reply = await client.chat.completions.create({
        model,
        messages: [{ role: 'user', content }],
      })
      expect(reply.choices[0]?.message.content).toContain('1 image seen')
    })

    test('completes a text, whole and streamed', async () => {
      const whole = await client.completions.create({ model, prompt: 'Once upon', echo: true })
      expect(whole.choices[0]?.text).toBe('Once uponOnce upon')
      expect(whole.object).toBe('text_completion')
      let text = ''
      let tokens = 0
      const stream = await client.completions.create({ model, prompt: ['Once upon'], stream: true })
      for await (const { choices, usage } of stream) {
        text += choices[0]?.text ?? ''
        tokens = usage?.total_tokens ?? tokens
      }
      expect(text).toBe('Once upon')
      expect(tokens).toBeGreaterThan(0)
      const two = await client.completions.create({ model, prompt: 'Once', n: 2, stop: ['!'] })
      expect(two.choices.map(({ index, text: said }) => [index, said])).toEqual([
        [0, 'Once'],
        [1, 'Once'],
      ])
    })

    test('lists models and finds one with a slash in its id', async () => {
      const ids: string[] = []
      for await (const each of client.models.list()) ids.push(each.id)
      expect(ids).toContain(model)
      expect(await client.models.retrieve(model)).toMatchObject({ id: model, is_free: true })
    })
  })

  describe('meets errors as its own classes', () => {
    test.each([
      ['a wrong key', { key: 'sk-chapar-v1-wrong' }, OpenAI.AuthenticationError, 'invalid_api_key'],
      ['no such model', { model: 'nothing' }, OpenAI.NotFoundError, 'model_not_found'],
      ['a bad field', { temperature: 3 }, OpenAI.BadRequestError, null],
      [
        'a vendor that refuses',
        { model: 'sandbox/error-upstream_rejected' },
        OpenAI.BadRequestError,
        'upstream_rejected',
      ],
      [
        'a full vendor',
        { model: 'sandbox/error-upstream_capacity_full' },
        OpenAI.RateLimitError,
        'upstream_capacity_full',
      ],
      [
        'a vendor that fails',
        { model: 'sandbox/error-upstream_error' },
        OpenAI.InternalServerError,
        'upstream_error',
      ],
      [
        'a vendor that is gone',
        { model: 'sandbox/error-upstream_unreachable' },
        OpenAI.InternalServerError,
        'upstream_unreachable',
      ],
    ])(
      '%s',
      async (
        _,
        { key, ...wrong }: { key?: string; model?: string; temperature?: number },
        kind,
        code,
      ) => {
        const one = key === undefined ? client : client.withOptions({ apiKey: key })
        const error = await thrown(async () =>
          one.chat.completions.create({ model: 'sandbox/echo', messages: hello, ...wrong }),
        )
        expect(error).toBeInstanceOf(kind)
        expect(error).toMatchObject({ code })
      },
    )

    test('a stream that breaks', async () => {
      const error = await thrown(async () => {
        const stream = await client.chat.completions.create({
          model: 'sandbox/error-stream_interrupted',
          messages: [{ role: 'user', content: 'one two three four five six' }],
          stream: true,
        })
        for await (const _ of stream);
      })
      expect(error).toMatchObject({ code: 'stream_interrupted' })
    })

    test('and retries by Retry-After', async () => {
      let tries = 0
      vendor.play((seen, request) =>
        ++tries === 1
          ? failure(429, { message: 'slow' }, { 'retry-after': '1' })(seen, request)
          : replies()(seen, request),
      )
      const began = performance.now()
      const patient = client.withOptions({ maxRetries: 1 })
      const reply = await patient.chat.completions.create({ model: 'priced', messages: hello })
      expect(reply.choices[0]?.message.content).toBe('Hello from the vendor')
      expect(performance.now() - began).toBeGreaterThan(900)
    })
  })
})
