import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Decimal } from 'decimal.js'
import type { RequestId } from '../../src/domain/ids'
import type { Meter } from '../../src/domain/usage'
import { priceLine } from '../../src/gateway/metering/pricing-view'
import {
  inputUsage,
  messageEvent,
  messagesStream,
  textBlock,
  wholeMessage,
} from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { geminiEvent, geminiReply, isStreaming } from '../support/google-stand-in'
import { addHubVendors, vendorsOfFormats } from '../support/hub-vendor'
import { greet } from '../support/paid-calls'
import { message, responds } from '../support/responses-stand-in'
import {
  chunk,
  event,
  openStandIn,
  streamReply,
  usage,
  wholeReply,
  type Script,
  type StandIn,
} from '../support/stand-in'

/*
 * What a vendor says that it served costs what its cost card has for that, whatever its format and its client's; its
 * customer pays, and is shown, what anybody pays.
 */

/** In dollars a million, by what was served. */
const prices = {
  '': { input: '1', cached_input: '0.1', cache_write_5m: '1.25', cache_write_1h: '2', output: '4' },
  flex: {
    input: '0.5',
    cached_input: '0.05',
    cache_write_5m: '0.7',
    cache_write_1h: '1',
    output: '2',
  },
  priority: {
    input: '7',
    cached_input: '0.7',
    cache_write_5m: '9',
    cache_write_1h: '14',
    output: '28',
  },
  us: {
    input: '1.1',
    cached_input: '0.11',
    cache_write_5m: '1.4',
    cache_write_1h: '2.2',
    output: '4.4',
  },
  'fast+us': {
    input: '6.6',
    cached_input: '0.66',
    cache_write_5m: '8',
    cache_write_1h: '13',
    output: '26.4',
  },
} as const
type Name = keyof typeof prices

const keys = {
  input: 'input_per_million',
  cached_input: 'cached_input_per_million',
  cache_write_5m: 'cache_write_per_million',
  cache_write_1h: 'cache_write_1h_per_million',
  output: 'output_per_million',
} as const
const lines = Object.entries(prices).flatMap(([name, card]) =>
  Object.entries(card).map(([meter, usd]) =>
    priceLine(`${keys[meter as keyof typeof keys]}${name === '' ? '' : `@${name}`}`, usd),
  ),
)

/** An answer of a vendor with members that say how it was served. */
type Answer = (served: object) => Script

const chatChunks = (last: object, each: object) => [
  chunk({ role: 'assistant', content: 'Hi' }),
  event({ object: 'chat.completion.chunk', choices: [], usage, ...each, ...last }),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
]
const chat: Answer = (served) => async (seen) =>
  seen.body['stream'] === true
    ? streamReply(chatChunks({}, served))
    : Response.json({ ...((await wholeReply('Hi').json()) as object), ...served })
const groq: Answer = (served) => (seen, request) =>
  seen.body['stream'] === true
    ? streamReply(chatChunks({ usage: null, x_groq: { id: 'req_1', usage } }, served))
    : chat(served)(seen, request)
/** Says it once, beside the first of its counts. */
const counting: Answer = (served) => (seen, request) => {
  if (seen.body['stream'] !== true) return chat(served)(seen, request)
  const delta = { role: 'assistant', content: 'Hi' }
  const choices = [{ index: 0, delta, finish_reason: null }]
  const first = event({ object: 'chat.completion.chunk', choices, usage, ...served })
  const last = event({ object: 'chat.completion.chunk', choices: [], usage })
  return streamReply([first, chunk({}, 'stop'), last, 'data: [DONE]\n\n'])
}
const messages: Answer = (served) => (seen) => {
  const told = { ...inputUsage, ...served, output_tokens: 25 }
  if (seen.body['stream'] !== true)
    return wholeMessage([{ type: 'text', text: 'Hi' }], 'end_turn', told)
  const [start = '', ...rest] = messagesStream(textBlock(0, 'Hi'))
  const begun = JSON.parse(start.split('data: ')[1] ?? '') as { type: string; message: object }
  return streamReply([
    messageEvent({ ...begun, message: { ...begun.message, usage: told } }),
    ...rest,
  ])
}
const gemini: Answer = (served) => (seen) => {
  const told = { promptTokenCount: 1040, cachedContentTokenCount: 1000, candidatesTokenCount: 13 }
  const reply = geminiReply([{ text: 'Hi' }], 'STOP', { usageMetadata: { ...told, ...served } })
  return isStreaming(seen) ? streamReply([geminiEvent(reply)]) : Response.json(reply)
}
const responses: Answer = (served) => responds([message('Hi')], served)

const tier = (service_tier: string) => ({ service_tier })
const vendors: readonly (readonly [model: string, served: object, name: Name, Answer])[] = [
  ['chat', tier('priority'), 'priority', chat],
  ['chat', tier('flex'), 'flex', chat],
  ['chat', tier('default'), '', chat],
  ['chat', tier('flex'), 'flex', groq],
  ['chat', tier('flex'), 'flex', counting],
  ['responses', tier('priority'), 'priority', responses],
  ['responses', tier('flex'), 'flex', responses],
  ['claude', { inference_geo: 'us', service_tier: 'standard' }, 'us', messages],
  ['claude', { inference_geo: 'us', speed: 'fast' }, 'fast+us', messages],
  ['gemini', { trafficType: 'ON_DEMAND_PRIORITY' }, 'priority', gemini],
  ['gemini', { trafficType: 'ON_DEMAND_FLEX' }, 'flex', gemini],
  ['gemini', { serviceTier: 'flex', trafficType: 'ON_DEMAND' }, 'flex', gemini],
]

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      await addHubVendors(vendor.url, vendorsOfFormats)(storage)
      const places = { openai: 'chat', oai: 'responses', anthropic: 'claude', google: 'gemini' }
      await storage.prices.change(() => ({
        costs: Object.entries(places).map(([name, model]) => ({
          vendor: name,
          vendorModel: `${model}-vendor`,
          source: 'test',
          lines,
        })),
      }))
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

async function recorded(path: string, model: string, stream: boolean, script: Script) {
  vendor.play(script)
  const answer = await greet(chapar, path, { model, stream })
  const said = await answer.text()
  expect(answer.status).toBe(200)
  expect(said).toContain('Hi')
  await chapar.rest()
  const id = answer.headers.get('x-request-id') as RequestId
  const call = await chapar.storage.reports.call(id, null)
  if (call === null) throw new Error('no record')
  const headers = { authorization: `Bearer ${chapar.key}` }
  const shown = await (await fetch(`${chapar.url}/requests/${id}`, { headers })).text()
  return { call, receipt: shown.replaceAll(id, 'ID').replace(/"(created|\w+_ms)":\d+/g, '"$1":0') }
}

const costBy = (units: Readonly<Partial<Record<Meter, number>>>, name: Name): number =>
  (Object.entries(units) as [Meter, number][])
    .reduce(
      (sum, [meter, count]) =>
        sum.plus(new Decimal(prices[name][meter as keyof typeof keys]).times(count)),
      new Decimal(0),
    )
    .times(1000)
    .ceil()
    .toNumber()

const summed = async (): Promise<number> =>
  (await chapar.storage.profits.profit({ fromDay: 0, toDay: 99_999, group: 'vendor' })).reduce(
    (sum, each) => sum + Number(each.vendorCost),
    0,
  )

test.each(vendors)('%s, which says %j, costs by %p', async (model, served, name, answer) => {
  for (const path of ['/chat/completions', '/messages', '/responses'])
    for (const stream of [false, true]) {
      const plain = await recorded(path, model, stream, answer({}))
      const before = await summed()
      const { call, receipt } = await recorded(path, model, stream, answer(served))
      expect({ path, stream, receipt }).toEqual({ path, stream, receipt: plain.receipt })
      expect([call.units, call.cost, call.estimated]).toEqual([
        plain.call.units,
        plain.call.cost,
        false,
      ])
      const { vendorCost, vendorCostEstimated } = call
      expect({ path, stream, vendorCost: Number(vendorCost), vendorCostEstimated }).toEqual({
        path,
        stream,
        vendorCost: costBy(call.units, name),
        vendorCostEstimated: false,
      })
      // Margins of reports and the console are of the same sums.
      expect((await summed()) - before).toBe(costBy(call.units, name))
    }
  expect((await chapar.audit()).ok).toBe(true)
})

const notices = async () =>
  (await chapar.storage.notices.list({ pending: false, most: 100 }))
    .map(({ notice }) => notice.subject.source)
    .map((source) => `${source?.model ?? ''} ${source?.served ?? ''}`)
    .toSorted()

test('a loss is told, a cheaper tier is not, and of calls of a kind the first alone', async () => {
  expect(await notices()).toEqual([
    'chat service_tier priority',
    'claude inference_geo us',
    'claude speed fast',
    'gemini traffic_type on_demand_priority',
    'responses service_tier priority',
  ])
})

test.each([
  ['chat', tier('scale'), chat, ['chat service_tier scale']],
  ['responses', tier('scale'), responses, ['responses service_tier scale']],
  ['claude', { speed: 'fast' }, messages, ['claude speed fast']],
  ['claude', { inference_geo: 'eu', speed: 'fast' }, messages, ['claude inference_geo eu']],
  [
    'gemini',
    { trafficType: 'PROVISIONED_THROUGHPUT' },
    gemini,
    ['gemini traffic_type provisioned_throughput'],
  ],
] as const)('%s, which says %j, has no price for it', async (model, served, answer, told) => {
  for (const stream of [false, true, true]) {
    const path = '/chat/completions'
    const plain = await recorded(path, model, stream, answer({}))
    const { call, receipt } = await recorded(path, model, stream, answer(served))
    expect(receipt).toBe(plain.receipt)
    expect([Number(call.vendorCost), call.vendorCostEstimated]).toEqual([
      costBy(call.units, ''),
      true,
    ])
    expect(Number(plain.call.vendorCost)).toBe(Number(call.vendorCost))
    expect(plain.call.vendorCostEstimated).toBe(false)
  }
  for (const each of told) expect((await notices()).filter((one) => one === each)).toHaveLength(1)
})

test.each([
  ['OpenRouter', { cost: 0.000_123_4, cost_details: {} }, 123_400],
  ['xAI', { cost_in_usd_ticks: 1_234_000 }, 123_400],
])('a bill of %s is its cost, whatever it says that it served', async (_, bill, billed) => {
  const before = await notices()
  for (const stream of [false, true]) {
    const served = { ...tier('batch'), usage: { ...usage, ...bill } }
    const { call } = await recorded('/chat/completions', 'chat', stream, chat(served))
    expect([Number(call.vendorCost), call.vendorCostEstimated]).toEqual([billed, false])
  }
  expect(await notices()).toEqual(before)
})
