import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { inputUsage, messageEvent, messageStart, textBlock } from '../support/anthropic-stand-in'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendors, hubPrices, vendorsOfFormats } from '../support/hub-vendor'
import { spentBy } from '../support/paid-calls'
import {
  chunk,
  openaiStream,
  openStandIn,
  streamReply,
  usageChunk,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ prepare: addHubVendors(vendor.url, vendorsOfFormats) })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

type Counts = Partial<Record<keyof typeof hubPrices, number>>

/** Nano-dollars of these counts, computed from the prices alone: a dollar a million is 1000 a unit. */
const costOf = (counts: Counts): number =>
  Object.entries(counts).reduce(
    (sum, [meter, count]) =>
      sum + count * Number(hubPrices[meter as keyof typeof hubPrices]) * 1000,
    0,
  )

/** Of the last call. */
let lastId = ''

/** What a call took from the account, in nano-dollars. */
const spending = (body: object, path = '/chat/completions'): Promise<number> =>
  spentBy(chapar, async () => {
    const response = await fetch(`${chapar.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}` },
      body: JSON.stringify(body),
    })
    await response.text()
    lastId = response.headers.get('x-request-id') ?? ''
    expect(response.status).toBe(200)
  })

const said = [chunk({ role: 'assistant', content: 'Hello there' }), chunk({}, 'stop')]
const done = 'data: [DONE]\n\n'

/** What vendors report, and what it comes to. */
const reports: readonly (readonly [string, object, Counts])[] = [
  [
    'a cache beside a longer prompt (Grok on Azure)',
    {
      prompt_tokens: 524,
      completion_tokens: 20,
      total_tokens: 825,
      prompt_tokens_details: { text_tokens: 524, cached_tokens: 169 },
      completion_tokens_details: { reasoning_tokens: 112 },
    },
    { input: 524, cached_input: 169, output: 132 },
  ],
  [
    'a cache inside a prompt that its text fills (xAI)',
    {
      prompt_tokens: 2640,
      completion_tokens: 182,
      total_tokens: 3494,
      prompt_tokens_details: { text_tokens: 2640, cached_tokens: 473 },
      completion_tokens_details: { reasoning_tokens: 672 },
    },
    { input: 2167, cached_input: 473, output: 854 },
  ],
  [
    'tokens that were read and written, and billed as both (OpenRouter)',
    {
      prompt_tokens: 2168,
      completion_tokens: 4,
      total_tokens: 2172,
      cost: 0.00025,
      cost_details: { upstream_inference_cost: 0.00025 },
      prompt_tokens_details: { cached_tokens: 2161, cache_write_tokens: 2161 },
    },
    { input: 7, cached_input: 2161, cache_write_5m: 2161, output: 4 },
  ],
  [
    'the cache of Anthropic beside the prompt',
    {
      prompt_tokens: 86,
      completion_tokens: 5,
      cache_read_input_tokens: 5000,
      cache_creation_input_tokens: 700,
    },
    { input: 86, cached_input: 5000, cache_write_5m: 700, output: 5 },
  ],
]

/** Long enough that no report is beyond what the call can use. */
const words = 'word '.repeat(8000)

describe.each(reports)('%s', (_, usage, counts) => {
  test.each([false, true])('costs what its sum shows; streamed: %p', async (stream) => {
    vendor.play(() =>
      stream ? streamReply([...said, usageChunk(usage), done]) : wholeReply('Hello there', usage),
    )
    const messages = [{ role: 'user', content: words }]
    expect(await spending({ model: 'chat', messages, stream })).toBe(costOf(counts))
    // By a client of another format, through the middle.
    const translated = { model: 'chat', messages, stream, max_tokens: 5000 }
    expect(await spending(translated, '/messages')).toBe(costOf(counts))
  })
})

describe('a usage that comes again', () => {
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }
  const less = { prompt_tokens: 90, completion_tokens: 2, total_tokens: 92 }
  const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  test.each([
    ['the same', [usage, usage]],
    ['a smaller one', [usage, less]],
    ['zeros', [usage, zeros]],
    ['one side at a time', [{ prompt_tokens: 100 }, { completion_tokens: 50 }]],
  ])('%s is charged once', async (_, all) => {
    vendor.play(() => streamReply([...said, ...all.map(usageChunk), done]))
    const cost = costOf({ input: 100, output: 50 })
    expect(await spending(ask('chat', { stream: true }))).toBe(cost)
    const messages = [{ role: 'user', content: 'Hi' }]
    expect(
      await spending({ model: 'chat', messages, stream: true, max_tokens: 500 }, '/messages'),
    ).toBe(cost)
  })

  test('zeros behind a count of too little leave the count to us', async () => {
    const long = 'many words of an answer '.repeat(200)
    const first = usageChunk({ prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 })
    const pieces = [first, ...openaiStream(long, zeros)]
    vendor.play(() => streamReply(pieces))
    const spent = await spending(ask('chat', { stream: true }))
    expect(spent).toBeGreaterThan(costOf({ input: 100, output: 500 }))
  })

  test.each(['/messages', '/chat/completions'])('so is a message_delta; %s', async (path) => {
    const end = (counts: object) =>
      messageEvent({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: counts,
      })
    const counted = { input_tokens: 100, output_tokens: 50 }
    vendor.play(() =>
      streamReply([
        messageStart(),
        ...textBlock(0, 'Hello there'),
        end(counted),
        end(counted),
        end({ input_tokens: 0, output_tokens: 1 }),
        messageEvent({ type: 'message_stop' }),
      ]),
    )
    const messages = [{ role: 'user', content: 'Hi' }]
    const { cache_read_input_tokens: read, cache_creation: written } = inputUsage
    const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } = written
    const body = { model: 'claude', messages, stream: true, max_tokens: 500 }
    expect(await spending(body, path)).toBe(
      costOf({
        input: 100,
        cached_input: read,
        cache_write_5m: short,
        cache_write_1h: long,
        output: 50,
      }),
    )
  })
})

describe('counts that are none', () => {
  test.each([
    ['missing', undefined],
    ['negative', -5],
    ['a fraction', 10.5],
    ['no number', 'many'],
    ['beyond any', 2_000_000_000],
  ])('%s: the side is counted by us, and said to be', async (_, wrong) => {
    for (const stream of [false, true]) {
      const usage = { prompt_tokens: wrong, completion_tokens: 50 }
      vendor.play(() =>
        stream ? streamReply([...said, usageChunk(usage), done]) : wholeReply('Hello there', usage),
      )
      const messages = [{ role: 'user', content: words }]
      const spent = await spending({ model: 'chat', messages, stream })
      expect(spent).toBeGreaterThan(costOf({ input: 6000, output: 50 }))
      expect(spent).toBeLessThan(costOf({ input: 14_000, output: 50 }))
      expect(await chapar.storage.reports.call(lastId, null)).toMatchObject({ estimated: true })
    }
  })
})
