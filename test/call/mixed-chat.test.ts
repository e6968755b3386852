import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { saysMessage } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, openaiStream, streamReply, wholeReply } from '../support/stand-in'
import type { StandIn } from '../support/stand-in'

/* Chat bodies that are written partly or wholly in the words of the Responses format. */

let vendor: StandIn
let chapar: TestGateway
let before = 0
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      const { url } = vendor
      await addHubVendor({ kind: 'anthropic', url, models: { claude: {} } })(storage)
      const plain = { kind: 'openai', dialect: 'generic', url, name: 'plain' } as const
      await addHubVendor({ ...plain, models: { plain: {} } })(storage)
      const limited = { kind: 'openai', dialect: 'zhipu', url, name: 'zhipu' } as const
      await addHubVendor({ ...limited, models: { limited: {} } })(storage)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})
beforeEach(() => {
  before = vendor.seen.length
  vendor.play(() => wholeReply('ok'))
})

const sent = (): Fields => fieldsOf(vendor.seen.at(-1)?.body)
const english = { 'accept-language': 'en' }

async function answered(body: object): Promise<Fields> {
  const answer = await chapar.post(body, english)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(text)
  return fieldsOf(JSON.parse(text))
}

async function refusal(body: object): Promise<unknown> {
  const answer = await chapar.post(body, english)
  const { error } = fieldsOf(await answer.json())
  expect([answer.status, vendor.seen.length]).toEqual([400, before])
  return fieldsOf(error)['param']
}

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { name: 'weather', description: 'of a city', parameters, strict: true }
const messages = [{ role: 'user', content: 'How is the weather?' }]

describe('flat tools of a chat body', () => {
  const flat = { type: 'function', ...weather }
  const nested = { type: 'function', function: weather }

  test('reach a vendor of the format as it has them', async () => {
    const clock = { type: 'function', function: { name: 'clock' } }
    const tools = [flat, clock]
    await answered({
      model: 'plain',
      messages,
      tools,
      tool_choice: { type: 'function', name: 'weather' },
    })
    expect(sent()).toMatchObject({
      tools: [nested, clock],
      tool_choice: { type: 'function', function: { name: 'weather' } },
    })
  })

  test('of a custom kind have their grammar where the format has it', async () => {
    const grammar = { syntax: 'lark', definition: 'start: "x"' }
    const tool = { type: 'custom', name: 'patch', format: { type: 'grammar', ...grammar } }
    await answered({ model: 'plain', messages, tools: [tool] })
    const custom = { name: 'patch', format: { type: 'grammar', grammar } }
    expect(sent()['tools']).toEqual([{ type: 'custom', custom }])
  })

  test('are translated for a vendor of another format', async () => {
    vendor.play(saysMessage('ok'))
    await answered({ model: 'claude', messages, tools: [flat] })
    expect(sent()['tools']).toMatchObject([{ name: 'weather', input_schema: parameters }])
  })

  test('are left out where the vendor cannot be kept from calling them', async () => {
    await answered({ model: 'limited', messages, tools: [flat], tool_choice: 'none' })
    expect(sent()).not.toHaveProperty('tools')
  })

  test.each([
    [{ type: 'function', description: 'no name' }, 'tools[0].function'],
    [{ type: 'function', name: '' }, 'tools[0].function'],
    [{ ...flat, parameters: 'text' }, 'tools[0].parameters'],
    [{ ...flat, function: {} }, 'tools[0].function.name'],
  ])('%j is refused by its place', async (tool, param) => {
    expect(await refusal({ model: 'plain', messages, tools: [tool] })).toBe(param)
  })
})

describe('an input in place of messages', () => {
  const input = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'input_text', text: 'How is it in Yazd?' }] },
    { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Yazd"}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'dry' },
  ]
  const body = {
    input,
    tools: [{ type: 'function', ...weather }],
    include: ['reasoning.encrypted_content'],
    store: false,
    max_output_tokens: 99,
    seed: 7,
    stream_options: { include_usage: true },
  }

  test('is asked as messages, and answered as chat', async () => {
    expect(await answered({ model: 'plain', ...body })).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100 },
    })
    expect(sent()).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'How is it in Yazd?' },
        { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'weather' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'dry' },
      ],
      tools: [{ type: 'function', function: weather }],
      max_tokens: 99,
      seed: 7,
    })
    for (const name of ['input', 'include', 'store', 'max_output_tokens'])
      expect(sent()).not.toHaveProperty(name)
  })

  test('streams as chat does, and may be a text', async () => {
    vendor.play(() => streamReply(openaiStream('one two')))
    const answer = await chapar.post({ model: 'plain', input: 'hi', stream: true }, english)
    const text = await answer.text()
    expect(text).toContain('"object":"chat.completion.chunk"')
    expect(text).toContain('"usage"')
    expect(text).toEndWith('data: [DONE]\n\n')
    expect(sent()['messages']).toEqual([{ role: 'user', content: 'hi' }])
  })

  test('is translated for a vendor of another format', async () => {
    vendor.play(saysMessage('ok'))
    expect(await answered({ model: 'claude', ...body, seed: undefined })).toMatchObject({
      object: 'chat.completion',
    })
    expect(sent()).toMatchObject({ max_tokens: 99, tools: [{ name: 'weather' }] })
  })

  test.each([
    [{ input, messages: [] }, 'messages'],
    [{ input: { text: 'hi' } }, 'messages'],
    [{ input: '' }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: ['a', 'b'] }, 'input'],
    [{ input: [{ role: 'narrator', content: 'x' }] }, 'input[0].role'],
    [{ input, previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ input, tools: [{ type: 'code_interpreter' }] }, 'tools[0].type'],
    [{ input: [...input, { type: 'compaction_trigger' }] }, 'input[4].type'],
    [{ input, max_tokens: 'many' }, 'max_tokens'],
    [{ input, n: 9 }, 'n'],
    [
      {
        input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'http://a/b.png' }] }],
      },
      'input[0].content[0].image_url',
    ],
  ])('%j is refused by its place', async (wrong, param) => {
    expect(await refusal({ model: 'plain', ...wrong })).toBe(param)
  })
})
