import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { responseEvents } from '../matrix/responses-client'
import { openTestGateway, type TestGateway } from '../support/gateway'
import type { Storage } from '../../src/business/data/storage'
import { addHubVendor } from '../support/hub-vendor'
import { functionCall, message, responds, responseStream } from '../support/responses-stand-in'
import { openStandIn, replies, streamReply, type StandIn } from '../support/stand-in'

let native: StandIn
let chat: StandIn
let second: StandIn
let chapar: TestGateway

/** A model that two vendors of the format have, and one that only the second has. */
async function addTwoRoutes(storage: Storage): Promise<void> {
  await addHubVendor({ kind: 'openai', name: 'second', url: second.url, models: { lone: {} } })(
    storage,
  )
  const lone = (await storage.catalogue.models()).find(({ id }) => id === 'lone')
  if (lone === undefined) throw new Error('not there')
  const { created: _, card, ...entry } = lone
  const routes = ['second', 'openai'].map((vendor, priority) => ({
    vendor,
    vendorModel: 'both-vendor',
    priority,
    weight: 1,
  }))
  await storage.catalogue.saveModel({ ...entry, id: 'both', routes }, card?.lines ?? [])
}

beforeAll(async () => {
  native = openStandIn(responds([message('Hello')]))
  chat = openStandIn()
  second = openStandIn()
  chapar = await openTestGateway({
    vendorUrl: chat.url,
    async prepare(storage) {
      await addHubVendor({ kind: 'openai', url: native.url, models: { gpt: {} } })(storage)
      await addHubVendor({
        kind: 'openai',
        url: native.url,
        models: { searching: {} },
        tools: { web_search: '0.01', image_generation: '0.2' },
      })(storage)
      await addTwoRoutes(storage)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await native.close()
  await second.close()
  await chat.close()
})

const send = (body: object, key = chapar.key): Promise<Response> =>
  fetch(`${chapar.url}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const asked = async (body: object): Promise<Fields> => {
  const answer = await send(body)
  expect(answer.status).toBe(200)
  return fieldsOf(await answer.json())
}
const codeOf = async (answer: Response) => fieldsOf(fieldsOf(await answer.json())['error'])['code']
const receiptOf = async (id: unknown): Promise<Fields> => {
  const headers = { authorization: `Bearer ${chapar.key}` }
  const answer = await fetch(`${chapar.url}/requests/${String(id)}`, { headers })
  return fieldsOf(fieldsOf(await answer.json())['receipt'])
}

describe('at a vendor of the format', () => {
  test('everything passes but ids, the model, and what would tell of the client', async () => {
    native.play(responds([message('Hello')]))
    const reply = await asked({
      model: 'gpt',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'سلام' }] }],
      user: 'me@example.com',
      service_tier: 'priority',
      max_output_tokens: 3,
      brand_new: { nested: [1.0, 1e3] },
      include: ['reasoning.encrypted_content'],
    })
    expect(reply).toMatchObject({ object: 'response', model: 'gpt', safety_identifier: null })
    expect(reply['id']).toMatch(/^resp_[0-9a-f]{32}$/)
    const seen = native.seen.at(-1)
    expect(seen?.body).toMatchObject({
      model: 'gpt-vendor',
      // The least that the format takes.
      max_output_tokens: 16,
      brand_new: { nested: [1, 1000] },
      include: ['reasoning.encrypted_content'],
      safety_identifier: expect.stringMatching(/^[\w-]{16,}$/) as string,
    })
    expect(seen?.body).not.toHaveProperty('user')
    expect(seen?.body).not.toHaveProperty('service_tier')
  })

  test('a later request goes on from an answer of the same project, and no other does', async () => {
    native.play(responds([message('Hello')]))
    const first = await asked({ model: 'gpt', input: 'Hello' })
    const on = { model: 'gpt', input: 'and?', previous_response_id: first['id'] }
    const second = await asked(on)
    expect(native.seen.at(-1)?.body).toMatchObject({ previous_response_id: 'resp_vendor' })
    expect(second['previous_response_id']).toBe(first['id'])
    const other = await chapar.customer({ usd: '5' })
    const count = native.seen.length
    expect(await codeOf(await send(on, other.key))).toBe('request_not_found')
    const unkept = await asked({ model: 'gpt', input: 'Hello', store: false })
    const lost = await send({ ...on, previous_response_id: unkept['id'] })
    expect(lost.status).toBe(404)
    expect(native.seen.length).toBe(count + 1)
  })

  test('an earlier answer is in what is set aside', async () => {
    native.play(
      responds([message('Hello')], {
        usage: { input_tokens: 100_000, output_tokens: 1000, total_tokens: 101_000 },
      }),
    )
    const { id } = await asked({ model: 'gpt', input: 'Hello '.repeat(17_000) })
    const holdOf = async (rest: object) => {
      const answer = await fetch(`${chapar.url}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}`, 'x-dry-run': '1' },
        body: JSON.stringify({ model: 'gpt', input: 'on', max_output_tokens: 16, ...rest }),
      })
      return Number(fieldsOf(await answer.json())['hold_usd'])
    }
    const more = (await holdOf({ previous_response_id: id })) - (await holdOf({}))
    expect(more).toBeCloseTo((101_000 * 3) / 1e6, 6)
  })

  test('a streamed answer can be gone on from too', async () => {
    native.play(() => streamReply(responseStream([message('Hello')])))
    const text = await (await send({ model: 'gpt', input: 'Hello', stream: true })).text()
    const last = responseEvents(text).at(-1)
    const { id } = fieldsOf(last?.['response'])
    native.play(responds([message('Hello')]))
    await asked({ model: 'gpt', input: 'on', previous_response_id: id })
    expect(native.seen.at(-1)?.body).toMatchObject({ previous_response_id: 'resp_vendor' })
  })
})

test.each([
  ['nothing', 0],
  ['more than there can be', Number.MAX_SAFE_INTEGER],
])(
  'a stream whose vendor counts %s is counted for, and tells what it is charged',
  async (_, count) => {
    const usage = { input_tokens: count, output_tokens: count, total_tokens: count }
    native.play(responds([message('word '.repeat(1000))], { usage }))
    const events = responseEvents(
      await (await send({ model: 'gpt', input: 'Hi', stream: true })).text(),
    )
    native.play(responds([message('Hello')]))
    const last = fieldsOf(events.at(-1))
    const { input_tokens: read, output_tokens: said } = fieldsOf(
      fieldsOf(last['response'])['usage'],
    )
    expect(Number(said)).toBeGreaterThan(900)
    expect(Number(said)).toBeLessThan(2000)
    expect(Number(last['cost_usd'])).toBeCloseTo((Number(read) * 3 + Number(said) * 15) / 1e6, 6)
  },
)

describe('tools that the vendor runs', () => {
  const search = (type: string) =>
    ({ id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type } }) as never
  const tools = [{ type: 'web_search' }, { type: 'function', name: 'weather', parameters: {} }]

  test('are counted and priced, each by the call; opened pages are none', async () => {
    const items = [search('search'), search('search'), search('open_page'), message('found')]
    for (const stream of [false, true]) {
      native.play(responds(items))
      const answer = await send({ model: 'searching', input: 'look', tools, stream })
      const said = await answer.text()
      const id = stream
        ? fieldsOf(responseEvents(said).at(-1)?.['response'])['id']
        : fieldsOf(JSON.parse(said))['id']
      const { lines } = await receiptOf(id)
      expect(lines).toContainEqual({
        meter: 'tool:web_search',
        units: 2,
        unit_price_usd: '0.01',
        amount_usd: '0.02',
      })
    }
    native.play(responds(items, { tool_usage: { web_search: { num_requests: 5 } } }))
    const { id } = await asked({ model: 'searching', input: 'look', tools })
    expect(listOf((await receiptOf(id))['lines'])).toContainEqual(
      expect.objectContaining({ meter: 'tool:web_search', units: 5 }),
    )
  })

  test('are held for, as often as they may run', async () => {
    const holdOf = async (rest: object) => {
      const answer = await fetch(`${chapar.url}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}`, 'x-dry-run': '1' },
        body: JSON.stringify({ model: 'searching', input: 'look', max_output_tokens: 16, ...rest }),
      })
      return fieldsOf(fieldsOf(fieldsOf(await answer.json())['estimate'])['high'])['units']
    }
    expect(await holdOf({ tools })).toMatchObject({ 'tool:web_search': 4 })
    expect(await holdOf({ tools, max_tool_calls: 9 })).toMatchObject({ 'tool:web_search': 9 })
    expect(await holdOf({})).not.toHaveProperty('tool:web_search')
  })

  test('are counted each under a name of its own', async () => {
    const made = { id: 'ig_1', type: 'image_generation_call', status: 'completed' } as never
    native.play(responds([made, made, search('search'), message('found')]))
    const drawing = [...tools, { type: 'image_generation' }]
    const { id } = await asked({ model: 'searching', input: 'draw', tools: drawing })
    const lines = listOf((await receiptOf(id))['lines']).map(fieldsOf)
    expect(lines.filter(({ meter }) => String(meter).startsWith('tool:'))).toMatchObject([
      { meter: 'tool:web_search', units: 1, amount_usd: '0.01' },
      { meter: 'tool:image_generation', units: 2, amount_usd: '0.4' },
    ])
  })

  test('without a price are refused, but for a search that nothing hangs on', async () => {
    native.play(responds([message('Hello')]))
    await asked({ model: 'gpt', input: 'look', tools })
    expect(listOf(native.seen.at(-1)?.body['tools']).map((each) => fieldsOf(each)['type'])).toEqual(
      ['function'],
    )
    await asked({ model: 'gpt', input: 'look', tools: tools.slice(0, 1), tool_choice: 'auto' })
    expect(native.seen.at(-1)?.body).not.toHaveProperty('tools')
    expect(native.seen.at(-1)?.body).not.toHaveProperty('tool_choice')
    const count = native.seen.length
    for (const [wrong, param] of [
      [{ tools, tool_choice: { type: 'web_search' } }, 'tool_choice'],
      [{ tools: tools.slice(0, 1), tool_choice: 'required' }, 'tool_choice'],
      [{ tools: [{ type: 'image_generation' }] }, 'tools[0].type'],
      [{ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, 'tools[0].type'],
    ] as const) {
      const answer = await send({ model: 'gpt', input: 'look', ...wrong })
      const error = fieldsOf(fieldsOf(await answer.json())['error'])
      expect([answer.status, error['code'], error['param']]).toEqual([
        400,
        'endpoint_not_supported',
        param,
      ])
    }
    expect(native.seen.length).toBe(count)
  })
})

describe('an earlier answer', () => {
  test('is gone on from where it lies, whichever route comes first', async () => {
    second.play(responds([message('asked first')]))
    await asked({ model: 'both', input: 'Hello' })
    expect(second.seen.length).toBeGreaterThan(0)
    native.play(responds([message('Hello')]))
    const { id } = await asked({ model: 'gpt', input: 'Hello' })
    const count = second.seen.length
    const next = await asked({ model: 'both', input: 'on', previous_response_id: id })
    expect(second.seen.length).toBe(count)
    expect(native.seen.at(-1)?.body).toMatchObject({ previous_response_id: 'resp_vendor' })
    // By another model of the same vendor too, and by no model that this vendor does not have.
    await asked({ model: 'gpt', input: 'on', previous_response_id: next['id'] })
    const lost = await send({ model: 'lone', input: 'on', previous_response_id: next['id'] })
    expect([lost.status, await codeOf(lost)]).toEqual([404, 'request_not_found'])
    expect(second.seen.length).toBe(count)
  })

  test('teaches nothing of what a prompt counts', async () => {
    const lowOf = async () => {
      const answer = await fetch(`${chapar.url}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}`, 'x-dry-run': '1' },
        body: JSON.stringify({ model: 'gpt', input: 'word '.repeat(200) }),
      })
      return fieldsOf(fieldsOf(fieldsOf(await answer.json())['estimate'])['low'])['units']
    }
    native.play(responds([message('Hello')]))
    const { id } = await asked({ model: 'gpt', input: 'Hello' })
    const before = await lowOf()
    const usage = { input_tokens: 90_000, output_tokens: 10, total_tokens: 90_010 }
    native.play(responds([message('Hello')], { usage }))
    for (let times = 0; times < 20; times++)
      await asked({ model: 'gpt', input: 'on', previous_response_id: id })
    expect(await lowOf()).toEqual(before)
  })

  test('of another vendor’s reasoning is kept from one that would look for it', async () => {
    native.play(responds([message('Hello')]))
    const ours = { type: 'reasoning', id: `rs_${'a'.repeat(34)}`, summary: [] }
    const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VhbGVk' }
    const kept = { type: 'reasoning', id: 'rs_68a0b', summary: [] }
    const said = { role: 'user', content: 'Hi' }
    await asked({
      model: 'gpt',
      input: [said, ours, sealed, kept],
      client_metadata: { installation: 'x' },
    })
    expect(native.seen.at(-1)?.body['input']).toEqual([said, sealed, kept])
    expect(native.seen.at(-1)?.body).not.toHaveProperty('client_metadata')
  })
})

describe('translated for a vendor of chat', () => {
  const items = [
    { role: 'developer', content: [{ type: 'input_text', text: 'be brief' }] },
    { role: 'user', content: 'weather?' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] },
    {
      type: 'function_call',
      id: 'fc_9',
      call_id: 'call_a',
      name: 'weather',
      arguments: '{"city":"x"}',
    },
    { type: 'function_call', call_id: 'call_b', name: 'time', namespace: 'clock', arguments: '' },
    { type: 'function_call_output', call_id: 'call_a', output: 'sunny' },
    {
      type: 'function_call_output',
      call_id: 'call_b',
      output: [{ type: 'input_text', text: 'noon' }],
    },
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sunny.' }] },
    { role: 'user', content: [{ type: 'input_text', text: 'thanks' }] },
  ]
  const tools = [
    { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false },
    { type: 'namespace', name: 'clock', tools: [{ type: 'function', name: 'time' }] },
    { type: 'custom', name: 'patch', description: 'takes a text' },
    { type: 'web_search' },
  ]

  test('items become messages: calls by their call ids, joined; what only the vendor knows is left out', async () => {
    chat.play(replies())
    await asked({
      model: 'priced',
      instructions: 'in Persian',
      input: items,
      tools,
      metadata: { a: 'b' },
    })
    const { messages, tools: sent } = chat.seen.at(-1)?.body ?? {}
    expect(messages).toMatchObject([
      { role: 'system', content: 'in Persian' },
      { content: 'be brief' },
      { role: 'user', content: 'weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_a',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"x"}' },
          },
          { id: 'call_b', type: 'function', function: { name: 'clock__time', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'sunny' },
      { role: 'tool', tool_call_id: 'call_b', content: 'noon' },
      { role: 'assistant', content: 'Sunny.' },
      { role: 'user', content: 'thanks' },
    ])
    expect(listOf(sent).map((tool) => fieldsOf(fieldsOf(tool)['function'])['name'])).toEqual([
      'weather',
      'clock__time',
      'patch',
    ])
  })

  test('calls come back under the client’s names: of a namespace, and with a text as input', async () => {
    const call = (id: string, name: string, args: string) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })
    chat.play(() =>
      Response.json({
        id: 'x',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [
                call('call_1', 'clock__time', '{}'),
                call('call_2', 'patch', '{"input":"*** Begin"}'),
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    )
    const expected = [
      {
        type: 'function_call',
        call_id: 'call_1',
        name: 'time',
        namespace: 'clock',
        arguments: '{}',
      },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: '*** Begin' },
    ]
    const whole = await asked({ model: 'priced', input: 'go', tools })
    expect(whole['output']).toMatchObject(expected)
    const streamed = await (
      await send({ model: 'priced', input: 'go', tools, stream: true })
    ).text()
    const last = responseEvents(streamed).at(-1)
    expect(fieldsOf(last?.['response'])['output']).toMatchObject(expected)
  })

  test('has every member that strict clients read', async () => {
    chat.play(replies())
    const reply = await asked({ model: 'priced', input: 'Hello', metadata: { a: 'b' } })
    expect(reply).toMatchObject({
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      parallel_tool_calls: true,
      tools: [],
      tool_choice: 'auto',
      metadata: { a: 'b' },
      text: { format: { type: 'text' } },
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 150,
      },
    })
  })
})

describe('a request', () => {
  test.each([
    [{ background: true }, 'background'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }, 'tools[0].vector_store_ids'],
    [{ tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, 'tools[0].container'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, 'input[0].type'],
    [{ input: [{ role: 'nobody', content: 'x' }] }, 'input[0].role'],
    [{ input: [{ type: 'function_call', name: 'x' }] }, 'input[0].call_id'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] }] },
      'input[0].content[0].file_id',
    ],
    [
      {
        input: [
          {
            type: 'function_call_output',
            call_id: 'c',
            output: [{ type: 'input_file', file_id: 'file_1' }],
          },
        ],
      },
      'input[0].output[0].file_id',
    ],
    [
      {
        tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: 'c' } }],
      },
      'tools[0].environment',
    ],
    [
      {
        tools: [
          {
            type: 'shell',
            environment: {
              type: 'container_auto',
              skills: [{ type: 'skill_reference', skill_id: 's' }],
            },
          },
        ],
      },
      'tools[0].environment',
    ],
    [
      {
        input: [
          {
            type: 'additional_tools',
            tools: [{ type: 'code_interpreter', container: 'cntr_1' }],
          },
        ],
      },
      'input[0].tools[0].container',
    ],
    [{ temperature: 3 }, 'temperature'],
    [{ max_output_tokens: 0 }, 'max_output_tokens'],
  ])('of %j is refused for %s, and nobody is asked', async (wrong, param) => {
    const count = native.seen.length
    const answer = await send({ model: 'gpt', input: 'Hello', ...wrong })
    expect(answer.status).toBe(400)
    expect(fieldsOf(fieldsOf(await answer.json())['error'])['param']).toBe(param)
    expect(native.seen.length).toBe(count)
  })

  test('may hold more calls than messages, as long sessions do', async () => {
    native.play(responds([message('Hello')]))
    const calls = Array.from({ length: 300 }, (_, count) => [
      { type: 'function_call', call_id: `c${count}`, name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: `c${count}`, output: 'ok' },
    ])
    await asked({ model: 'gpt', input: [{ role: 'user', content: 'x' }, ...calls.flat()] })
    expect(listOf(native.seen.at(-1)?.body['input']).length).toBe(601)
  })

  test('by another method, or for what is not offered, is told so', async () => {
    const headers = { authorization: `Bearer ${chapar.key}` }
    for (const path of ['responses', 'completions']) {
      const answer = await fetch(`${chapar.url}/${path}`, { headers })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
      expect(await codeOf(answer)).toBe('method_not_allowed')
    }
    const socket = { ...headers, connection: 'Upgrade', upgrade: 'websocket' }
    const upgraded = await fetch(`${chapar.url}/responses`, { headers: socket })
    expect([upgraded.status, upgraded.headers.get('upgrade')]).toEqual([426, 'HTTP/1.1'])
    const elsewhere = await fetch(`${chapar.url}/completions`, { headers: socket })
    expect(elsewhere.status).toBe(405)
    for (const path of ['responses/input_tokens', 'responses/resp_1/cancel']) {
      const answer = await fetch(`${chapar.url}/${path}`, { method: 'POST', headers, body: '{}' })
      expect([answer.status, await codeOf(answer)]).toEqual([404, 'unknown_url'])
    }
  })

  test('cut in the middle of a call says so, with what was said', async () => {
    const events = responseStream([
      message('So'),
      functionCall('call_1', 'weather', '{"city":"Shiraz"}'),
    ])
    native.play(() => streamReply(events, { cutAfter: events.length - 4, delayMs: 5 }))
    const text = await (await send({ model: 'gpt', input: 'Hello', stream: true })).text()
    const [error, failed] = responseEvents(text).slice(-2)
    expect(error).toMatchObject({ type: 'error', code: 'stream_interrupted' })
    expect(failed).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
    expect(Number(failed?.['cost_usd'])).toBeGreaterThan(0)
  })
})
