import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Newest from 'openai'
import Older from 'openai-6'
import { scenarioNamed, scenarios, type Scenario } from '../matrix/scenarios'
import { playScenario, vendorReplies, type VendorKind } from '../matrix/vendor-replies'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, streamReply, type StandIn } from '../support/stand-in'

const kinds = ['responses', 'anthropic', 'google'] as const satisfies readonly VendorKind[]
type Kind = (typeof kinds)[number]

let vendors: Readonly<Record<Kind, StandIn>>
let chapar: TestGateway
beforeAll(async () => {
  vendors = { responses: openStandIn(), anthropic: openStandIn(), google: openStandIn() }
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const kind of kinds)
        await addHubVendor({
          kind: kind === 'responses' ? 'openai' : kind,
          url: vendors[kind].url,
          models: { [kind]: { reasoning: true } },
        })(storage)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  for (const vendor of Object.values(vendors)) await vendor.close()
})

const plays = (kind: Kind, scenario: Scenario): void => playScenario(vendors[kind], kind, scenario)

// What we use of it has not changed between the two.
const majors: readonly (readonly [string, typeof Newest])[] = [
  ['newest', Newest],
  ['one before', Older as unknown as typeof Newest],
]
const tools = ['weather', 'time'].map((name) => ({
  type: 'function' as const,
  name,
  strict: true,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}))

describe.each(majors)('the official client, %s major', (_, OpenAI) => {
  let client: Newest
  beforeAll(() => {
    client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
  })

  describe.each(kinds)('at a vendor of kind %s', (model) => {
    test('gets a response, whole and streamed', async () => {
      plays(model, scenarioNamed('plain text'))
      const whole = await client.responses.create({ model, input: 'Hello there' })
      expect(whole.output_text).toBe('Hello to you')
      expect(whole.status).toBe('completed')
      expect(whole.id.replace('resp_', 'req_')).toBe(String(whole._request_id))
      const { told } = vendorReplies[model]
      expect(whole.usage).toMatchObject({
        input_tokens: told.input,
        input_tokens_details: { cached_tokens: told.cached },
        output_tokens: told.output,
        total_tokens: told.input + told.output,
      })
      const found = await fetch(`${chapar.url}/requests/${whole.id}`, {
        headers: { authorization: `Bearer ${chapar.key}` },
      })
      expect(await found.json()).toMatchObject({ endpoint: 'responses', status: 'success' })

      const stream = client.responses.stream({ model, input: 'Hello there' })
      let text = ''
      for await (const event of stream)
        if (event.type === 'response.output_text.delta') text += event.delta
      const final = await stream.finalResponse()
      expect(text).toBe('Hello to you')
      expect(final.output_text).toBe(text)
      expect(final.usage?.total_tokens).toBe(told.input + told.output)
    })

    test('is told of calls that run beside each other, and goes on with their results', async () => {
      const scenario = scenarios.find(({ says }) => says.calls.length > 1)
      if (scenario === undefined) throw new Error('no scenario with calls')
      plays(model, scenario)
      const input = [{ role: 'user' as const, content: 'call both' }]
      const final = await client.responses.stream({ model, input, tools }).finalResponse()
      const calls = final.output.filter((item) => item.type === 'function_call')
      expect(
        calls.map(({ name, arguments: text }) => ({
          name,
          arguments: JSON.parse(text) as unknown,
        })),
      ).toEqual([...scenario.says.calls])
      plays(model, scenarioNamed('plain text'))
      const results = calls.map(({ call_id }) => ({
        type: 'function_call_output' as const,
        call_id,
        output: 'sunny',
      }))
      const next = await client.responses.create({
        model,
        input: [...input, ...(final.output as typeof calls), ...results],
        tools,
      })
      expect(next.output_text).toBe('Hello to you')
      expect(JSON.stringify(vendors[model].seen.at(-1)?.body)).toContain('sunny')
    })

    test('has its schema filled, and parses it', async () => {
      const scenario = scenarioNamed('a JSON schema')
      plays(model, scenario)
      const format = {
        type: 'json_schema' as const,
        name: 'trip',
        strict: true,
        schema: scenario.question.schema as Record<string, unknown>,
      }
      const parsed = await client.responses.parse({ model, input: 'Plan', text: { format } })
      expect(parsed.output_parsed).toEqual(JSON.parse(scenario.says.text))
      const streamed = client.responses.stream({ model, input: 'Plan', text: { format } })
      const final = await streamed.finalResponse()
      expect(JSON.parse(final.output_text)).toEqual(JSON.parse(scenario.says.text))
    })

    test('gets a response that stops for length or by a filter, streamed too', async () => {
      for (const [name, reason] of [
        ['a length stop', 'max_output_tokens'],
        ['a refusal', 'content_filter'],
      ] as const) {
        plays(model, scenarioNamed(name))
        const whole = await client.responses.create({ model, input: 'Hello' })
        expect(whole).toMatchObject({ status: 'incomplete', incomplete_details: { reason } })
        const events: string[] = []
        const stream = await client.responses.create({ model, input: 'Hello', stream: true })
        for await (const { type } of stream) events.push(type)
        expect(events.at(-1)).toBe('response.incomplete')
      }
    })
  })

  test('goes on from an earlier response where its vendor keeps it', async () => {
    plays('responses', scenarioNamed('plain text'))
    const { id } = await client.responses.create({ model: 'responses', input: 'Hello there' })
    const next = { input: 'and then?', previous_response_id: id }
    const second = await client.responses.create({ model: 'responses', ...next })
    expect(second.previous_response_id).toBe(id)
    expect(vendors.responses.seen.at(-1)?.body).toMatchObject({
      previous_response_id: 'resp_vendor',
      input: 'and then?',
    })
    const refused = async (model: string): Promise<unknown> => {
      try {
        return await client.responses.create({ model, ...next })
      } catch (thrown) {
        return thrown
      }
    }
    expect(await refused('anthropic')).toMatchObject({
      status: 400,
      code: 'endpoint_not_supported',
      param: 'previous_response_id',
    })
  })

  test('has a custom tool called with a text, at a vendor that knows of none', async () => {
    const says = { ...scenarioNamed('two parallel tools').says, text: '' }
    const patch = { name: 'patch', arguments: { input: '*** Begin Patch' } }
    plays('anthropic', { name: '', question: { text: '' }, says: { ...says, calls: [patch] } })
    const stream = client.responses.stream({
      model: 'anthropic',
      input: 'patch it',
      tools: [{ type: 'custom', name: 'patch', description: 'Edits.' }],
    })
    const { output } = await stream.finalResponse()
    expect(output).toMatchObject([
      { type: 'custom_tool_call', name: 'patch', input: '*** Begin Patch' },
    ])
  })

  test('has a patch called in its own form, and tells what came of it', async () => {
    const says = { ...scenarioNamed('two parallel tools').says, text: '' }
    const operation = { type: 'create_file' as const, path: 'a.ts', diff: '+a' }
    const patch = { name: 'apply_patch', arguments: operation }
    plays('google', { name: '', question: { text: '' }, says: { ...says, calls: [patch] } })
    const asked = {
      model: 'google',
      tools: [{ type: 'apply_patch' as const }],
      tool_choice: { type: 'apply_patch' as const },
    }
    const { output } = await client.responses.stream({ ...asked, input: 'make it' }).finalResponse()
    expect(output).toMatchObject([{ type: 'apply_patch_call', operation, status: 'completed' }])
    const call = output.find((item) => item.type === 'apply_patch_call')
    if (call === undefined) throw new Error('no patch')
    plays('google', scenarioNamed('plain text'))
    const { call_id } = call
    const done = { type: 'apply_patch_call_output', call_id, status: 'completed' } as const
    const begun = { role: 'user', content: 'make it' } as const
    await client.responses.create({ ...asked, input: [begun, call, done] })
    expect(vendors.google.seen.at(-1)?.body['contents']).toMatchObject([
      { role: 'user', parts: [{ text: 'make it' }] },
      { role: 'model', parts: [{ functionCall: { name: 'apply_patch', args: operation } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'apply_patch' } }] },
    ])
  })

  test('reads how likely tokens were, streamed, of a vendor of another format', async () => {
    const chosenCandidates = [{ token: 'Hi', logProbability: -0.5 }]
    const topCandidates = [{ candidates: [{ token: 'Hi', logProbability: -0.5 }] }]
    const content = { role: 'model', parts: [{ text: 'Hi' }] }
    const candidate = {
      content,
      index: 0,
      finishReason: 'STOP',
      logprobsResult: { chosenCandidates, topCandidates },
    }
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 6 }
    vendors.google.play(() =>
      streamReply([`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\r\n\r\n`]),
    )
    const stream = client.responses.stream({
      model: 'google',
      input: 'Hi',
      include: ['message.output_text.logprobs'],
      top_logprobs: 1,
    })
    const { output } = await stream.finalResponse()
    const logprobs = [{ token: 'Hi', logprob: -0.5, top_logprobs: [{ token: 'Hi' }] }]
    expect(output).toMatchObject([{ content: [{ logprobs }] }])
    expect(vendors.google.seen.at(-1)?.body['generationConfig']).toMatchObject({
      responseLogprobs: true,
      logprobs: 1,
    })
    const chat = await client.chat.completions.create({
      model: 'google',
      messages: [{ role: 'user', content: 'Hi' }],
      logprobs: true,
      stream: true,
    })
    const told: unknown[] = []
    for await (const { choices } of chat) told.push(...(choices[0]?.logprobs?.content ?? []))
    expect(told).toMatchObject(logprobs)
  })

  test('fills a schema, and chats with the sandbox', async () => {
    const parsed = await client.responses.create({
      model: 'sandbox/echo',
      input: 'Hello there',
      text: {
        format: {
          type: 'json_schema',
          name: 'trip',
          strict: true,
          schema: {
            type: 'object',
            properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 3 } },
            required: ['city', 'days'],
            additionalProperties: false,
          },
        },
      },
    })
    expect(JSON.parse(parsed.output_text)).toEqual({ city: 'Hello there', days: 3 })
  })

  test('meets errors as its own classes, and a stream that breaks with our code', async () => {
    const failing = (model: string) => client.responses.create({ model, input: 'Hello' })
    const refused = async (model: string): Promise<unknown> => {
      try {
        return await failing(model)
      } catch (thrown) {
        return thrown
      }
    }
    expect(await refused('nothing')).toBeInstanceOf(OpenAI.NotFoundError)
    const rejected = await refused('sandbox/error-upstream_rejected')
    expect(rejected).toBeInstanceOf(OpenAI.BadRequestError)
    expect(rejected).toMatchObject({ code: 'upstream_rejected' })
    const events: string[] = []
    const stream = await client.responses.create({
      model: 'sandbox/error-stream_interrupted',
      input: 'one two three four five six',
      stream: true,
    })
    let code: unknown = null
    try {
      for await (const event of stream) {
        events.push(event.type)
        if (event.type === 'error') ({ code } = event)
      }
    } catch (thrown) {
      ;({ code } = thrown as { code: unknown })
    }
    expect(code).toBe('stream_interrupted')
    expect(events).toContain('response.output_text.delta')
  })
})
