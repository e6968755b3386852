import Newest from '@anthropic-ai/sdk'
import Older from 'anthropic-0'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { picture, scenarioNamed, type Scenario } from '../matrix/scenarios'
import { playScenario, vendorReplies } from '../matrix/vendor-replies'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, streamReply, type StandIn } from '../support/stand-in'

const vendorKinds = ['openai', 'anthropic', 'google'] as const
type VendorKind = (typeof vendorKinds)[number]
const models: Readonly<Record<VendorKind, string>> = {
  openai: 'gpt',
  anthropic: 'claude',
  google: 'gemini',
}

let vendors: Readonly<Record<VendorKind, StandIn>>
let chapar: TestGateway

beforeAll(async () => {
  vendors = { openai: openStandIn(), anthropic: openStandIn(), google: openStandIn() }
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const kind of vendorKinds)
        await addHubVendor({
          kind,
          url: vendors[kind].url,
          models: { [models[kind]]: { reasoning: true } },
        })(storage)
    },
  })
})
beforeEach(() => {
  for (const kind of vendorKinds) plays(kind, scenarioNamed('plain text'))
})
afterAll(async () => {
  await chapar.close()
  for (const vendor of Object.values(vendors)) await vendor.close()
})

const plays = (kind: VendorKind, scenario: Scenario): void =>
  playScenario(vendors[kind], kind, scenario)

const hello: Newest.MessageParam[] = [{ role: 'user', content: 'Hello there' }]
const tools: Newest.Tool[] = ['weather', 'time'].map((name) => ({
  name,
  description: `Tells the ${name}`,
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
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

/** Our code: the older major has no name for it, but the body that it came in. */
function codeOf(error: unknown): unknown {
  const { errorCode, error: body } = error as {
    readonly errorCode?: unknown
    readonly error: { readonly error: { readonly code: unknown } }
  }
  return errorCode ?? body.error.code
}

const textIn = ({ content }: Newest.Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')
const callsIn = ({ content }: Newest.Message) =>
  content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))

// What we use of it has not changed between the two.
const majors: readonly (readonly [string, typeof Newest])[] = [
  ['newest', Newest],
  ['one before', Older as unknown as typeof Newest],
]

describe.each(majors)('the official client, %s major', (_, Anthropic) => {
  let client: Newest
  beforeAll(() => {
    client = new Anthropic({
      authToken: chapar.key,
      baseURL: chapar.url.replace(/\/v1$/, ''),
      maxRetries: 0,
    })
  })

  describe.each(vendorKinds)('at a vendor of kind %s', (kind) => {
    const model = models[kind]

    test('gets a message', async () => {
      const { data, response, request_id } = await client.messages
        .create({ model, max_tokens: 100, messages: hello })
        .withResponse()
      expect(data).toMatchObject({
        type: 'message',
        role: 'assistant',
        model,
        stop_reason: 'end_turn',
        stop_sequence: null,
      })
      expect(textIn(data)).toBe('Hello to you')
      expect(request_id).toMatch(/^req_[0-9a-f]{32}$/)
      expect(data.id).toBe(String(request_id).replace('req_', 'msg_'))
      expect(response.headers.get('x-request-id')).toBe(String(request_id))
      expect(Number(response.headers.get('x-cost-usd'))).toBeGreaterThan(0)
      const { told } = vendorReplies[kind]
      expect(data.usage).toMatchObject({
        input_tokens: told.input - told.cached - told.written,
        cache_read_input_tokens: told.cached,
        cache_creation_input_tokens: told.written,
        output_tokens: told.output,
      })
    })

    test('streams a message with the usage of the whole one', async () => {
      const stream = client.messages.stream({ model, max_tokens: 100, messages: hello })
      let text = ''
      stream.on('text', (piece) => (text += piece))
      const final = await stream.finalMessage()
      const whole = await client.messages.create({ model, max_tokens: 100, messages: hello })
      expect(text).toBe('Hello to you')
      expect(textIn(final)).toBe(text)
      expect(final.stop_reason).toBe('end_turn')
      for (const name of ['input_tokens', 'cache_read_input_tokens', 'output_tokens'] as const)
        expect(final.usage[name]).toBe(whole.usage[name])
      expect(stream.request_id).toMatch(/^req_/)
    })

    test('calls tools in parallel, streamed and whole, and answers with their results', async () => {
      const scenario = scenarioNamed('two parallel tools')
      plays(kind, scenario)
      const asked = { model, max_tokens: 1000, messages: hello, tools }
      const final = await client.messages.stream(asked).finalMessage()
      const whole = await client.messages.create(asked)
      expect(final.stop_reason).toBe('tool_use')
      for (const message of [final, whole]) {
        expect(textIn(message)).toBe('Let me look.')
        expect(callsIn(message).map(({ name, input }) => ({ name, arguments: input }))).toEqual(
          scenario.says.calls as never,
        )
      }
      plays(kind, scenarioNamed('plain text'))
      const results = callsIn(final).map(({ id }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: [{ type: 'text' as const, text: `sunny by ${id}` }],
      }))
      const next = await client.messages.create({
        ...asked,
        messages: [
          ...hello,
          { role: 'assistant', content: final.content },
          { role: 'user', content: results },
        ],
      })
      expect(textIn(next)).toBe('Hello to you')
      const sent = JSON.stringify(vendors[kind].seen.at(-1)?.body)
      for (const { id } of callsIn(final)) expect(sent).toContain(`sunny by ${id}`)
    })

    test('has a tool called that has a type in place of a schema', async () => {
      const says = { ...scenarioNamed('two parallel tools').says, text: '' }
      const call = { name: 'bash', arguments: { command: 'ls' } }
      plays(kind, { name: '', question: { text: '' }, says: { ...says, calls: [call] } })
      const stream = client.messages.stream({
        model,
        max_tokens: 100,
        messages: hello,
        tools: [{ type: 'bash_20250124', name: 'bash' }],
        tool_choice: { type: 'tool', name: 'bash' },
      })
      expect(callsIn(await stream.finalMessage())).toMatchObject([
        { name: 'bash', input: { command: 'ls' } },
      ])
      expect(JSON.stringify(vendors[kind].seen.at(-1)?.body)).toContain('"bash"')
    })

    test('reads thinking apart from the answer', async () => {
      plays(kind, scenarioNamed('reasoning'))
      const thinking = { type: 'enabled' as const, budget_tokens: 2048 }
      const asked = { model, max_tokens: 4000, messages: hello, thinking }
      for (const message of [
        await client.messages.stream(asked).finalMessage(),
        await client.messages.create(asked),
      ]) {
        const [first, second] = message.content
        expect(first).toMatchObject({
          type: 'thinking',
          thinking: 'First I think.',
          signature: kind === 'anthropic' ? 'sig-of-thought' : '',
        })
        expect(second).toMatchObject({ type: 'text', text: 'Forty-two.' })
      }
    })

    test('counts tokens, and nobody is asked', async () => {
      const before = vendors[kind].seen.length
      const { input_tokens: few } = await client.messages.countTokens({ model, messages: hello })
      const { input_tokens: many } = await client.messages.countTokens({
        model,
        tools,
        system: 'You are helpful. '.repeat(50),
        messages: hello,
      })
      expect(few).toBeGreaterThan(3)
      // What these vendors tell of small prompts has taught that they count much.
      expect(few).toBeLessThan(60)
      expect(many).toBeGreaterThan(few + 150)
      expect(vendors[kind].seen.length).toBe(before)
    })

    test('meets a stream that breaks as an error with our code', async () => {
      const scenario = scenarioNamed('plain text')
      const events = vendorReplies[kind].events(scenario)
      const cutAfter = kind === 'google' ? 1 : events.length - 3
      vendors[kind].play(() => streamReply(events, { cutAfter, delayMs: 20 }))
      const error = await thrown(() =>
        client.messages.stream({ model, max_tokens: 100, messages: hello }).finalMessage(),
      )
      expect(error).toBeInstanceOf(Anthropic.APIError)
      expect(error).toMatchObject({ type: 'upstream_error' })
      expect(codeOf(error)).toBe('stream_interrupted')
    })
  })

  describe('with the sandbox', () => {
    const model = 'sandbox/echo'
    const asked = { model, max_tokens: 1000 }

    test('chats, streamed and whole', async () => {
      expect(textIn(await client.messages.create({ ...asked, messages: hello }))).toBe(
        'Hello there',
      )
      const final = await client.messages.stream({ ...asked, messages: hello }).finalMessage()
      expect(textIn(final)).toBe('Hello there')
    })

    test('calls both tools and hears what they said', async () => {
      const messages: Newest.MessageParam[] = [{ role: 'user', content: 'call both tools' }]
      const final = await client.messages.stream({ ...asked, messages, tools }).finalMessage()
      expect(callsIn(final).map(({ name }) => name)).toEqual(['weather', 'time'])
      for (const { input } of callsIn(final)) expect(input).toHaveProperty('city')
      const next = await client.messages.create({
        ...asked,
        tools,
        messages: [
          ...messages,
          { role: 'assistant', content: final.content },
          {
            role: 'user',
            content: callsIn(final).map(({ id }) => ({
              type: 'tool_result',
              tool_use_id: id,
              content: 'sunny',
            })),
          },
        ],
      })
      expect(textIn(next)).toContain('sunny, sunny')
    })

    test('sees a picture, thinks, and fills a schema', async () => {
      const source = { type: 'base64' as const, media_type: 'image/png' as const, data: picture }
      const seen = await client.messages.create({
        ...asked,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source },
              { type: 'text', text: 'look' },
            ],
          },
        ],
      })
      expect(textIn(seen)).toContain('1 image seen')
      const thought = await client.messages.create({
        ...asked,
        messages: hello,
        thinking: { type: 'enabled', budget_tokens: 1024 },
      })
      expect(thought.content[0]?.type).toBe('thinking')
      const schema = {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      }
      const filled = await client.messages.create({
        ...asked,
        messages: hello,
        output_config: { format: { type: 'json_schema', schema } },
      })
      expect(JSON.parse(textIn(filled))).toEqual({ city: 'Hello there' })
    })
  })

  describe('everywhere', () => {
    test('lists models page by page, and finds one', async () => {
      const ids: string[] = []
      for await (const each of client.models.list({ limit: 3 })) {
        expect(each.type).toBe('model')
        expect(each.display_name.length).toBeGreaterThan(0)
        expect(Number.isNaN(Date.parse(each.created_at))).toBe(false)
        ids.push(each.id)
      }
      expect(ids).toContain('claude')
      expect(ids).toContain('sandbox/echo')
      expect(new Set(ids).size).toBe(ids.length)
      const all = await client.models.list({ limit: 1000 })
      expect(all.data.map(({ id }) => id)).toEqual(ids)
      expect(all.has_more).toBe(false)
      expect([all.first_id, all.last_id]).toEqual([ids[0] ?? '', ids.at(-1) ?? ''])
      const before = await client.models.list({ limit: 2, before_id: ids[3] ?? '' })
      expect(before.data.map(({ id }) => id)).toEqual(ids.slice(1, 3))
      expect(before.has_more).toBe(true)
      const one = await client.models.retrieve('sandbox/echo')
      expect(one).toMatchObject({ id: 'sandbox/echo', type: 'model', max_tokens: 16_384 })
      expect(one).toMatchObject({ model_type: 'chat', is_free: true })
      const missing = await thrown(async () => client.models.retrieve('nothing'))
      expect(missing).toMatchObject({ status: 404 })
      expect(codeOf(missing)).toBe('model_not_found')
    })

    test.each([
      [
        'a wrong key',
        { key: 'sk-chapar-v1-wrong' },
        Anthropic.AuthenticationError,
        'invalid_api_key',
      ],
      ['no such model', { model: 'nothing' }, Anthropic.NotFoundError, 'model_not_found'],
      ['a bad field', { temperature: 3 }, Anthropic.BadRequestError, null],
      [
        'a vendor that refuses',
        { model: 'sandbox/error-upstream_rejected' },
        Anthropic.BadRequestError,
        'upstream_rejected',
      ],
      [
        'a full vendor',
        { model: 'sandbox/error-upstream_capacity_full' },
        Anthropic.RateLimitError,
        'upstream_capacity_full',
      ],
      [
        'a vendor that fails',
        { model: 'sandbox/error-upstream_error' },
        Anthropic.InternalServerError,
        'upstream_error',
      ],
      [
        'a vendor that is gone',
        { model: 'sandbox/error-upstream_unreachable' },
        Anthropic.InternalServerError,
        'upstream_unreachable',
      ],
    ])(
      'meets %s as its own class of errors',
      async (
        _,
        { key, ...wrong }: { key?: string; model?: string; temperature?: number },
        kind,
        code,
      ) => {
        const one = key === undefined ? client : client.withOptions({ authToken: key })
        const body = { model: 'sandbox/echo', max_tokens: 10, messages: hello, ...wrong }
        for (const stream of [false, true]) {
          const error = await thrown(async () => one.messages.create({ ...body, stream }))
          expect(error).toBeInstanceOf(kind)
          expect(codeOf(error)).toBe(code)
          expect(String((error as { requestID?: unknown }).requestID)).toMatch(/^req_/)
        }
      },
    )

    test('retries by Retry-After', async () => {
      let tries = 0
      vendors.openai.play((seen) => {
        if (++tries === 1)
          return Response.json(
            { error: { message: 'slow' } },
            { status: 429, headers: { 'retry-after': '1' } },
          )
        expect(seen.body['stream']).toBe(false)
        return Response.json(vendorReplies.openai.whole(scenarioNamed('plain text')))
      })
      const began = performance.now()
      const patient = client.withOptions({ maxRetries: 1 })
      const reply = await patient.messages.create({ model: 'gpt', max_tokens: 9, messages: hello })
      expect(textIn(reply)).toBe('Hello to you')
      expect(performance.now() - began).toBeGreaterThan(900)
    })

    test('may ask for betas, which reach a vendor of the format', async () => {
      const asked = {
        model: 'claude',
        max_tokens: 100,
        messages: [
          {
            role: 'user' as const,
            content: [
              {
                type: 'document' as const,
                source: { type: 'text' as const, media_type: 'text/plain' as const, data: 'words' },
                cache_control: { type: 'ephemeral' as const, ttl: '1h' as const },
              },
            ],
          },
        ],
        betas: ['interleaved-thinking-2025-05-14', 'compact-2026-01-12'],
      }
      const reply = await client.beta.messages.create(asked)
      expect(reply.content[0]).toMatchObject({ type: 'text', text: 'Hello to you' })
      const seen = vendors.anthropic.seen.at(-1)
      expect(seen?.headers.get('anthropic-beta')).toBe('interleaved-thinking-2025-05-14')
      expect(seen?.body['messages']).toEqual(asked.messages)
      const { input_tokens: tokens } = await client.beta.messages.countTokens({
        model: 'claude',
        messages: asked.messages,
        betas: asked.betas,
      })
      expect(tokens).toBeGreaterThan(0)
    })

    test('may send its key by either header', async () => {
      const keyed = new Anthropic({
        apiKey: chapar.key,
        authToken: null,
        baseURL: chapar.url.replace(/\/v1$/, ''),
        maxRetries: 0,
      })
      const reply = await keyed.messages.create({
        model: 'sandbox/echo',
        max_tokens: 9,
        messages: hello,
      })
      expect(reply.type).toBe('message')
    })
  })
})
