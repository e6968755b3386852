import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { priceLine, pricingView } from '../../src/gateway/metering/pricing-view'
import { compileCard } from '../../src/gateway/metering/price-card'
import { vendorPrice } from '../../src/gateway/metering/price'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { wholeMessage } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { message, responds } from '../support/responses-stand-in'
import { openStandIn, replies, type Script, type StandIn } from '../support/stand-in'

const tools = { web_search: '0.01', 'web_search:low': '0.005', 'web_search:high': '0.03' }
let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      const add = { url: vendor.url, tools }
      await addHubVendor({ ...add, kind: 'anthropic', models: { claude: {} } })(storage)
      await addHubVendor({
        ...add,
        kind: 'openai',
        name: 'openai',
        models: { codex: { chat: 'responses' } },
      })(storage)
      await addHubVendor({
        ...add,
        kind: 'openai',
        name: 'plain',
        dialect: 'generic',
        models: { plain: {} },
      })(storage)
      await addHubVendor({
        ...add,
        kind: 'openai',
        name: 'sonar',
        dialect: 'perplexity',
        models: { research: { searches: 30 } },
      })(storage)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const searched = { id: 'ws_1', type: 'web_search_call', status: 'completed' }
const codex = responds([searched as never, searched as never, message('Sunny.')])
const claude: Script = () =>
  wholeMessage([{ type: 'text', text: 'Sunny.' }], 'end_turn', {
    input_tokens: 10,
    output_tokens: 5,
    server_tool_use: { web_search_requests: 2 },
  })

const post = (path: string, body: object, headers: object = {}): Promise<Response> =>
  fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, ...headers },
    body: JSON.stringify(body),
  })

async function toolsCharged(path: string, body: object): Promise<readonly Fields[]> {
  const answer = fieldsOf(await (await post(path, body)).json())
  const headers = { authorization: `Bearer ${chapar.key}` }
  const told = await fetch(`${chapar.url}/requests/${String(answer['id'])}`, { headers })
  return listOf(fieldsOf(fieldsOf(await told.json())['receipt'])['lines'])
    .map(fieldsOf)
    .filter(({ meter }) => String(meter).startsWith('tool:'))
}

const messages = [{ role: 'user', content: 'weather?' }]
const inChat = (search_context_size?: string) => ({
  messages,
  web_search_options: search_context_size === undefined ? {} : { search_context_size },
})
const inResponses = (search_context_size?: string) => ({
  input: 'weather?',
  tools: [
    {
      type: 'web_search',
      ...(search_context_size === undefined ? {} : { search_context_size }),
    },
  ],
})

describe('a search costs what its size costs', () => {
  test.each([
    ['plain', replies('Sunny.'), 1],
    ['codex', codex, 2],
  ] as const)('of %s', async (model, script, runs) => {
    const ways = [
      ['/chat/completions', inChat],
      ['/responses', inResponses],
    ] as const
    for (const [path, body] of ways)
      for (const [size, meter, price] of [
        ['low', 'tool:web_search:low', 5],
        ['high', 'tool:web_search:high', 30],
        // Without a price of its own, and not chosen at all.
        ['medium', 'tool:web_search', 10],
        [undefined, 'tool:web_search', 10],
      ] as const) {
        vendor.play(script)
        const lines = await toolsCharged(path, { ...body(size), model })
        expect(lines).toEqual([
          {
            meter,
            units: runs,
            unit_price_usd: String(price / 1000),
            amount_usd: String((runs * price) / 1000),
          },
        ])
      }
  })

  test('but at a vendor that knows no sizes, which is paid the plain price', async () => {
    for (const [path, body] of [
      ['/chat/completions', inChat('high')],
      ['/responses', inResponses('high')],
    ] as const) {
      vendor.play(claude)
      expect(await toolsCharged(path, { ...body, model: 'claude' })).toMatchObject([
        { meter: 'tool:web_search', units: 2 },
      ])
    }
    // A size where its own clients write one is not bought for less.
    vendor.play(claude)
    const tool = { type: 'web_search_20250305', name: 'web_search', search_context_size: 'low' }
    const body = { model: 'claude', messages, max_tokens: 100, tools: [tool] }
    expect(await toolsCharged('/messages', body)).toMatchObject([
      { meter: 'tool:web_search', units: 2 },
    ])
  })

  test('and is set aside so: the dearer of what it may come to', async () => {
    const held = async (path: string, body: object) => {
      const answer = await post(path, { ...body, model: 'codex' }, { 'x-dry-run': '1' })
      const { units } = fieldsOf(fieldsOf(fieldsOf(await answer.json())['estimate'])['high'])
      return Object.entries(fieldsOf(units)).filter(([meter]) => meter.startsWith('tool:'))
    }
    expect(await held('/chat/completions', inChat('high'))).toEqual([['tool:web_search:high', 4]])
    expect(await held('/chat/completions', inChat('low'))).toEqual([['tool:web_search', 4]])
    expect(await held('/responses', inResponses('high'))).toEqual([['tool:web_search:high', 4]])
  })

  test('and clients are told how many there were', async () => {
    vendor.play(codex)
    const translated = { model: 'codex', messages, max_tokens: 100 }
    const answer = await post('/messages', {
      ...translated,
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    })
    expect(fieldsOf(await answer.json())['usage']).toMatchObject({
      server_tool_use: { web_search_requests: 2 },
    })
  })
})

describe('a model that searches without being asked', () => {
  const usage = {
    prompt_tokens: 33,
    completion_tokens: 70,
    total_tokens: 103,
    citation_tokens: 19_000,
    num_search_queries: 18,
    reasoning_tokens: 700,
    cost: { citation_tokens_cost: 0.04, search_queries_cost: 0.09, total_cost: 0.25 },
  }
  const found: Script = () =>
    Response.json({
      id: 'c',
      object: 'chat.completion',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Sunny.' }, finish_reason: 'stop' },
      ],
      usage,
    })

  test.each([
    ['unasked', { messages }, 'tool:web_search', 0.01],
    ['at a size', inChat('high'), 'tool:web_search:high', 0.03],
  ] as const)('is paid for each search and for what it read: %s', async (_, body, meter, each) => {
    vendor.play(found)
    const lines = await toolsCharged('/chat/completions', { ...body, model: 'research' })
    expect(lines).toMatchObject([{ meter, units: 18, unit_price_usd: String(each) }])
    vendor.play(found)
    const answer = await post('/chat/completions', { ...body, model: 'research' })
    const { id, usage: told } = fieldsOf(await answer.json())
    expect(told).toMatchObject({ prompt_tokens: 19_033, completion_tokens: 770 })
    const headers = { authorization: `Bearer ${chapar.key}` }
    const record = await fetch(`${chapar.url}/requests/${String(id)}`, { headers })
    // At 3 and 15 dollars a million.
    const cost = (19_033 * 3 + 770 * 15) / 1e6 + 18 * each
    expect(Number(fieldsOf(await record.json())['usd'])).toBeCloseTo(cost, 6)
  })

  test('has its searches set aside', async () => {
    const answer = await post(
      '/chat/completions',
      { model: 'research', messages },
      { 'x-dry-run': '1' },
    )
    const { units } = fieldsOf(fieldsOf(fieldsOf(await answer.json())['estimate'])['high'])
    expect(units).toMatchObject({ 'tool:web_search': 30 })
  })

  test('and a dearer kind of search passes nowhere', async () => {
    vendor.play(found)
    const options = { search_type: 'pro', search_context_size: 'low', user_location: null }
    const asked = { model: 'research', messages, web_search_options: options }
    const dearer = await post('/chat/completions', { ...asked, search_type: 'pro' })
    expect(await dearer.json()).toMatchObject({ error: { param: 'search_type' } })
    await (await post('/chat/completions', asked)).text()
    const { body = {} } = vendor.seen.at(-1) ?? {}
    expect(body).not.toHaveProperty('search_type')
    expect(body['web_search_options']).toEqual({ search_context_size: 'low', user_location: null })
  })
})

test('two sizes at two prices cannot be told apart, and are refused', async () => {
  const [low] = inResponses('low').tools
  const [high] = inResponses('high').tools
  const body = { model: 'codex', input: 'weather?', tools: [low, high] }
  const answer = await post('/responses', body)
  expect(answer.status).toBe(400)
  expect(fieldsOf(fieldsOf(await answer.json())['error'])['param']).toBe('tools[1].type')
})

describe('prices of searches by size', () => {
  test('have keys of their own', () => {
    const line = priceLine('per_web_search:high', '0.03')
    expect(line).toEqual({ meter: 'tool:web_search:high', unit: 'each', price: '0.03' })
    expect(priceLine('per_tool:web_search_preview:low', '1').meter).toBe(
      'tool:web_search_preview:low',
    )
    const plain = priceLine('per_web_search', '0.01')
    const card = { version: 'v', validFrom: 0, lines: [plain, line] }
    expect(pricingView(card as never)).toEqual({
      per_web_search: '0.01',
      'per_web_search:high': '0.03',
    })
    for (const wrong of ['per_web_search:huge', 'per_web_search:', 'per_file_search:high'])
      expect(() => priceLine(wrong, '1')).toThrow(RangeError)
  })

  test('cost a vendor its plain price where it has no other', () => {
    const line = priceLine('per_web_search', '0.01')
    const card = compileCard({ version: 'v', validFrom: 0, lines: [line] } as never)
    const cost = vendorPrice({ 'tool:web_search:high': 3, 'tool:shell:4g': 1 }, card)
    expect(cost).toEqual({ amount: 30_000_000 as never, complete: false })
  })
})
