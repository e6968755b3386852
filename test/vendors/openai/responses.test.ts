import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { Traits } from '../../../src/domain/model'
import { ask, openTestGateway, type TestGateway } from '../../support/gateway'
import { addHubVendor } from '../../support/hub-vendor'
import {
  functionCall,
  message,
  reasoningItem,
  responds,
  responseStream,
  toldUsage,
} from '../../support/responses-stand-in'
import { chunksOf, eventsOf, readUntil, saidIn } from '../../support/sse'
import { openStandIn, replies, streamReply, type StandIn } from '../../support/stand-in'

const pro: Traits = {
  chat: 'responses',
  reasoning: true,
  efforts: ['medium', 'high'],
  drop: ['temperature', 'top_p'],
}
const models = { pro, sol: { chat: 'responses-with-tools', reasoning: true }, plain: {} } as const

let vendor: StandIn
let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  vendor = openStandIn()
  const prepare = addHubVendor({ kind: 'openai', url: vendor.url, models })
  chapar = await openTestGateway({ prepare })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
beforeEach(() => vendor.play(responds([message('Hello from Responses')])))
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const hello = [{ role: 'user' as const, content: 'Hello there' }]
const sent = () => vendor.seen.at(-1)?.body ?? {}
const path = () => vendor.seen.at(-1)?.path
const tools = ['weather', 'time'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: {} } },
}))
/** 30 in, 60 read, 10 written, 50 out. */
const cost = '0.0008955'

describe('a model that only speaks Responses', () => {
  test('is asked for sixteen tokens at least, and may count as many', async () => {
    const asked = { model: 'pro', messages: hello, max_tokens: 5 }
    const { usage } = await client.chat.completions.create(asked)
    expect(sent()).toMatchObject({ max_output_tokens: 16 })
    expect(usage).toMatchObject({
      completion_tokens: 16,
      completion_tokens_details: { reasoning_tokens: 16 },
    })
  })

  test('chats, whole', async () => {
    const { data, response } = await client.chat.completions
      .create({ model: 'pro', messages: hello, max_tokens: 50, temperature: 1, user: 'ali' })
      .withResponse()
    expect(path()).toBe('/v1/responses')
    expect(sent()).toMatchObject({
      model: 'pro-vendor',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello there' }] }],
      store: false,
      max_output_tokens: 50,
      include: ['reasoning.encrypted_content'],
    })
    for (const name of ['temperature', 'max_tokens', 'messages', 'user', 'stream'])
      expect(sent()).not.toHaveProperty(name)
    expect(JSON.stringify(sent())).not.toContain('ali')
    expect(data.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello from Responses', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ])
    expect(data.usage).toEqual(toldUsage)
    expect(response.headers.get('x-cost-usd')).toBe(cost)
  })

  test('streams text, reasoning and the end', async () => {
    const persian = 'سلام! این یک آزمون بلند است 🌍 '.repeat(20).trim()
    const citation = { type: 'url_citation', start_index: 0, end_index: 4, url: 'u', title: 't' }
    const said = message(persian, { annotations: [citation] })
    vendor.play(responds([reasoningItem('sealed', 'First.', 'Second.'), said]))
    const text = await (await chapar.post(ask('pro', { stream: true }))).text()
    const chunks = chunksOf(text)
    const deltas = chunks.flatMap((each) => (each.choices ?? []).map(({ delta }) => delta))
    expect(saidIn(text, 'content')).toBe(persian)
    expect(saidIn(text, 'reasoning_content')).toBe('First.\n\nSecond.')
    expect(deltas.flatMap((delta) => delta['annotations'] ?? [])).toMatchObject([
      { type: 'url_citation', url_citation: { url: 'u', end_index: 4 } },
    ])
    expect(deltas.filter((delta) => delta['role'])).toHaveLength(1)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: toldUsage, cost_usd: cost })
    expect(eventsOf(text).at(-1)).toBe('[DONE]')
  })

  test('tells a client that waits that it has begun', async () => {
    const events = responseStream([reasoningItem('sealed')])
    vendor.play(() => streamReply(events, { hangAfter: 3 }))
    const leaving = new AbortController()
    const response = await chapar.post(ask('pro', { stream: true }), {}, leaving.signal)
    await readUntil(response, '"role":"assistant"')
    leaving.abort()
    // Nothing of an answer was sent: nothing is charged.
    const before = (await chapar.rest()).balance
    expect((await chapar.rest()).balance).toBe(before)
    // What only announces an answer is kept back for some seconds.
  })

  test('calls tools, and gets its sealed reasoning back with their results', async () => {
    const calls = [
      functionCall('call_a', 'weather', '{"city":"تهران"}'),
      functionCall('call_b', 'time', ''),
    ]
    for (const stream of [false, true]) {
      vendor.play(responds([reasoningItem(`sealed-${stream}`), ...calls]))
      const begun = [{ role: 'system' as const, content: 'be brief' }, ...hello]
      const asked = { model: 'pro', messages: begun, tools, reasoning_effort: 'low' as const }
      const reply = stream
        ? await client.chat.completions.stream(asked).finalChatCompletion()
        : await client.chat.completions.create(asked)
      const [choice] = reply.choices
      expect(choice?.finish_reason).toBe('tool_calls')
      expect(choice?.message.tool_calls).toMatchObject([
        { id: 'call_a', function: { name: 'weather', arguments: '{"city":"تهران"}' } },
        { id: 'call_b', function: { name: 'time', arguments: '{}' } },
      ])
      expect(sent()).toMatchObject({
        reasoning: { effort: 'medium' },
        tools: [{ type: 'function', name: 'weather', strict: false }, { name: 'time' }],
      })
      vendor.play(responds([message('ok')]))
      await client.chat.completions.create({
        model: 'pro',
        messages: [
          ...begun,
          { role: 'assistant', tool_calls: choice?.message.tool_calls ?? [] },
          { role: 'tool', tool_call_id: 'call_b', content: 'noon' },
        ],
      })
      expect(sent()['input']).toEqual([
        { role: 'developer', content: 'be brief' },
        { role: 'user', content: [{ type: 'input_text', text: 'Hello there' }] },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: `sealed-${stream}` },
        {
          type: 'function_call',
          call_id: 'call_a',
          name: 'weather',
          arguments: '{"city":"تهران"}',
        },
        { type: 'function_call', call_id: 'call_b', name: 'time', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_a', output: 'no result' },
        { type: 'function_call_output', call_id: 'call_b', output: 'noon' },
      ])
    }
  })

  test('keeps interleaved calls apart, by their place', async () => {
    const event = (type: string, fields: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
    const open = (output_index: number, name: string) =>
      event('response.output_item.added', {
        output_index,
        item: { type: 'function_call', call_id: `call_${name}`, name, arguments: '' },
      })
    const more = (output_index: number, delta: string) =>
      event('response.function_call_arguments.delta', { output_index, delta })
    const end = event('response.completed', { response: { status: 'completed', output: [] } })
    const events = [open(0, 'a'), open(1, 'b'), more(0, '{"x"'), more(1, '{"y"'), more(0, ':1}')]
    vendor.play(() => streamReply([...events, more(1, ':2}'), end]))
    const { choices } = await client.chat.completions
      .stream({ model: 'pro', messages: hello, tools })
      .finalChatCompletion()
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: 'call_a', function: { name: 'a', arguments: '{"x":1}' } },
      { id: 'call_b', function: { name: 'b', arguments: '{"y":2}' } },
    ])
  })

  test('takes schemas, pictures, files and a named tool', async () => {
    const schema = { type: 'object', properties: {} }
    const response_format = {
      type: 'json_schema',
      json_schema: { name: 'a', schema, strict: true },
    }
    const content = [
      { type: 'image_url', image_url: { url: 'https://host.example/a.png', detail: 'high' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
    ]
    const tool_choice = { type: 'function', function: { name: 'time' } }
    const messages = [{ role: 'user', content }]
    await chapar.post(ask('pro', { response_format, messages, tools, tool_choice }))
    expect(sent()).toMatchObject({
      text: { format: { type: 'json_schema', name: 'a', schema, strict: true } },
      tool_choice: { type: 'function', name: 'time' },
      input: [
        {
          content: [
            { type: 'input_image', image_url: 'https://host.example/a.png', detail: 'high' },
            {
              type: 'input_file',
              filename: 'a.pdf',
              file_data: 'data:application/pdf;base64,AA==',
            },
          ],
        },
      ],
    })
  })

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
  ])('that ends by %s ends by %s, and is billed', async (reason, finish) => {
    const rest = { status: 'incomplete', incomplete_details: { reason } }
    vendor.play(responds([message('some')], rest))
    const reply = await client.chat.completions.create({ model: 'pro', messages: hello })
    expect(reply.choices[0]?.finish_reason).toBe(finish as never)
    const text = await (await chapar.post(ask('pro', { stream: true }))).text()
    expect(text).toContain(`"finish_reason":"${finish}"`)
    expect(chunksOf(text).at(-1)).toMatchObject({ usage: toldUsage, cost_usd: cost })
  })

  test('that fails before an answer costs nothing and has a code of ours', async () => {
    const { balance } = await chapar.rest()
    const error = { code: 'insufficient_quota', message: 'You exceeded your current quota' }
    const [created = '', begun = ''] = responseStream([])
    const flat = `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`
    vendor.play((seen) =>
      seen.body['stream'] === true
        ? streamReply([created, begun, flat])
        : Response.json({ ...(JSON.parse('{}') as object), status: 'failed', error, output: [] }),
    )
    for (const stream of [false, true]) {
      const response = await chapar.post(ask('pro', { stream }))
      expect(response.status).toBe(429)
      expect(await response.json()).toMatchObject({ error: { code: 'upstream_capacity_full' } })
    }
    expect((await chapar.rest()).balance).toBe(balance)
  })

  test('that breaks midway ends in order', async () => {
    const error = { code: 'server_error', message: 'broke' }
    vendor.play(responds([message('Half an answer')], { status: 'failed', error }))
    const text = await (await chapar.post(ask('pro', { stream: true }))).text()
    expect(text).toContain('Half')
    expect(chunksOf(text).find((each) => each.error)?.error?.code).toBe('stream_interrupted')
    expect(text).toEndWith('data: [DONE]\n\n')
  })

  test('gives one choice', async () => {
    const response = await chapar.post(ask('pro', { n: 2 }))
    expect(await response.json()).toMatchObject({
      error: { param: 'n', code: 'endpoint_not_supported' },
    })
  })
})

describe('a model that takes tools by Responses only', () => {
  test('goes that way with tools, and the ordinary way without', async () => {
    await chapar.post(ask('sol', { tools }))
    expect(path()).toBe('/v1/responses')
    vendor.play(replies())
    await chapar.post(ask('sol'))
    expect(path()).toBe('/v1/chat/completions')
    await chapar.post(ask('plain', { tools }))
    expect(path()).toBe('/v1/chat/completions')
  })
})
