import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Newest from 'openai'
import Older from 'openai-6'
import { scenarios, type Scenario } from '../matrix/scenarios'
import { vendorReplies, type VendorKind } from '../matrix/vendor-replies'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, streamReply, type StandIn } from '../support/stand-in'

const kinds = ['responses', 'anthropic', 'google'] as const satisfies readonly VendorKind[]
type Kind = (typeof kinds)[number]

let vendors: Readonly<Record<Kind, StandIn>>
let chapar: TestGateway
beforeAll(() => {
  vendors = { responses: openStandIn(), anthropic: openStandIn(), google: openStandIn() }
  chapar = openTestGateway({
    prepare(storage) {
      for (const kind of kinds)
        addHubVendor({
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

function named(name: string): Scenario {
  const found = scenarios.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no scenario ${name}`)
  return found
}

function plays(kind: Kind, scenario: Scenario): void {
  const replies = vendorReplies[kind]
  vendors[kind].play((seen) =>
    replies.streams(seen)
      ? streamReply(replies.events(scenario))
      : Response.json(replies.whole(scenario)),
  )
}

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
      plays(model, named('plain text'))
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
      plays(model, named('plain text'))
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
