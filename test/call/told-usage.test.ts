import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parseUsd } from '../../src/domain/money'
import { inputUsage, messageEvent, messageStart, textBlock } from '../support/anthropic-stand-in'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { spentBy } from '../support/paid-calls'
import { chunksOf, readUntil } from '../support/sse'
import {
  chunk,
  event,
  openStandIn,
  streamReply,
  usageChunk,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let claude: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  claude = openStandIn()
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    prepare: addHubVendor({ kind: 'anthropic', url: claude.url, models: { claude: {} } }),
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
  await claude.close()
})

const spending = (call: () => Promise<unknown>) => spentBy(chapar, call)

const nothing = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
const promptOnly = { prompt_tokens: 100, completion_tokens: 0, total_tokens: 100 }
/** A thousand words and, at six dollars a million, what they must cost at least. */
const words = 'word '.repeat(1000)
const wordsCost = 900 * 6000

const counting = (content: string, told: object): string =>
  event({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    usage: told,
  })

describe('a vendor that counts nothing', () => {
  test('in a whole answer is counted for', async () => {
    vendor.play(() => wholeReply(words, nothing))
    const spent = await spending(async () => {
      const { usage } = (await (await chapar.post(ask('priced'))).json()) as {
        usage: Record<string, number>
      }
      expect(usage['prompt_tokens']).toBeGreaterThan(3)
      expect(usage['completion_tokens']).toBeGreaterThan(900)
    })
    expect(spent).toBeGreaterThan(wordsCost)
  })

  test('but the prompt keeps its number', async () => {
    vendor.play(() => wholeReply(words, promptOnly))
    const { usage } = (await (await chapar.post(ask('priced'))).json()) as {
      usage: Record<string, number>
    }
    expect(usage['prompt_tokens']).toBe(100)
    expect(usage['completion_tokens']).toBeGreaterThan(900)
  })

  test('of an answer that says nothing is believed', async () => {
    vendor.play(() => wholeReply('', nothing))
    expect(await spending(async () => (await chapar.post(ask('priced'))).text())).toBe(0)
  })

  test.each([nothing, promptOnly])('at the end of a stream is counted for: %j', async (told) => {
    vendor.play(() =>
      streamReply([
        chunk({ role: 'assistant', content: words }),
        chunk({}, 'stop'),
        usageChunk(told),
        'data: [DONE]\n\n',
      ]),
    )
    const spent = await spending(async () => {
      const text = await (await chapar.post(ask('priced', { stream: true }))).text()
      const { usage } = chunksOf(text).at(-1) ?? {}
      expect(Number(usage?.['completion_tokens'])).toBeGreaterThan(900)
    })
    expect(spent).toBeGreaterThan(wordsCost)
  })

  test('until the end gives nothing away to a client that leaves before it', async () => {
    vendor.play(() =>
      streamReply([counting(words, promptOnly), counting('until here', promptOnly)], {
        hangAfter: 2,
      }),
    )
    const spent = await spending(async () => {
      const leaving = new AbortController()
      await readUntil(
        await chapar.post(ask('priced', { stream: true }), {}, leaving.signal),
        'until here',
      )
      leaving.abort()
    })
    expect(spent).toBeGreaterThan(wordsCost + 100 * 1500)
  })

  test('does not let a stream run past the money', async () => {
    const poor = await chapar.customer({ usd: '0.03' })
    vendor.play(() => streamReply(Array.from({ length: 100 }, () => counting(words, nothing))))
    const response = await chapar.post(ask('priced', { stream: true }), {
      authorization: `Bearer ${poor.key}`,
    })
    const last = chunksOf(await response.text())
    expect(last.find(({ error }) => error !== undefined)?.error?.code).toBe('insufficient_credit')
    await chapar.rest()
    const balance = (await chapar.storage.directory.findAccount(poor.account))?.balance ?? -1
    expect(balance).toBeGreaterThanOrEqual(0)
    expect(balance).toBeLessThan(parseUsd('0.03'))
  })

  test('is counted for in the Messages format, where its zeros are not shown either', async () => {
    claude.play(() =>
      streamReply([
        messageStart(),
        ...textBlock(0, words),
        messageEvent({
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 0 },
        }),
        messageEvent({ type: 'message_stop' }),
      ]),
    )
    const response = await fetch(`${chapar.url}/messages`, {
      method: 'POST',
      headers: { 'x-api-key': chapar.key, 'content-type': 'application/json' },
      body: JSON.stringify(ask('claude', { stream: true, max_tokens: 5000 })),
    })
    const told = /"type":"message_delta".*/.exec(await response.text())?.[0] ?? ''
    expect(Number(/"output_tokens":(\d+)/.exec(told)?.[1])).toBeGreaterThan(900)
  })
})

test('sound that was cached is not paid as both', async () => {
  vendor.play(() =>
    wholeReply('x', {
      prompt_tokens: 100,
      completion_tokens: 10,
      total_tokens: 110,
      prompt_tokens_details: { cached_tokens: 90, audio_tokens: 50 },
      completion_tokens_details: { audio_tokens: 30 },
    }),
  )
  const spent = await spending(async () => (await chapar.post(ask('priced'))).text())
  expect(spent).toBe(100 * 1500 + 10 * 6000)
})

describe('a tool that nobody sells', () => {
  const usage = { output_tokens: 5, server_tool_use: { web_search_requests: 1 } }
  const send = (path: string, stream: boolean) =>
    fetch(`${chapar.url}/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': chapar.key, 'content-type': 'application/json' },
      body: JSON.stringify(ask('claude', { stream, max_tokens: 100 })),
    })

  test.each(['messages', 'chat/completions'])(
    'that ran all the same is not charged, and the rest is: %s',
    async (path) => {
      claude.play(() =>
        streamReply(
          [
            messageStart(),
            ...textBlock(0, 'hello'),
            messageEvent({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
            messageEvent({ type: 'message_stop' }),
          ],
          { delayMs: 5 },
        ),
      )
      const streamed = await spending(async () => (await send(path, true)).text())
      claude.play(() =>
        Response.json({
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text: 'hello' }],
          stop_reason: 'end_turn',
          usage: { ...inputUsage, ...usage },
        }),
      )
      const whole = await spending(async () => (await send(path, false)).text())
      expect(streamed).toBeGreaterThan(0)
      expect(whole).toBe(streamed)
    },
  )
})

test('a vendor that counts more than a call can use is believed as far as it can', async () => {
  vendor.play(() =>
    wholeReply('Hello', {
      prompt_tokens: 1_000_000_000,
      completion_tokens: 2,
      total_tokens: 1_000_000_002,
    }),
  )
  const body = JSON.stringify(ask('priced'))
  const spent = await spending(() => chapar.post(body))
  // At a dollar and a half a million: a token a byte, the vendor's own words, and two tokens.
  expect(spent).toBe((body.length + 2048) * 1500 + 2 * 6000)
  expect((await chapar.audit()).differences).toEqual([])
})

describe('one count of a vendor costs the same on every way, and is told as it is charged', () => {
  const searched = {
    prompt_tokens: 33,
    completion_tokens: 71,
    total_tokens: 104,
    num_search_queries: 18,
    reasoning_tokens: 739,
  }
  const cost = 33 * 1500 + (71 + 739) * 6000
  const choice = (message: object, rest: object = {}) => ({
    index: 0,
    message: { role: 'assistant', content: 'hello', ...message },
    finish_reason: 'stop',
    ...rest,
  })
  const replyOf = (chosen: object, told: object) => () =>
    Response.json({ id: 'c', object: 'chat.completion', choices: [chosen], usage: told })
  const messages = () =>
    fetch(`${chapar.url}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}` },
      body: JSON.stringify({
        model: 'priced',
        max_tokens: 2000,
        messages: [{ role: 'user', content: 'Hello there' }],
      }),
    })

  test.each([
    ['in the reference shape', choice({ refusal: null }, { logprobs: null }), searched],
    ['in a shape of its own', choice({}), searched],
    [
      'with details that leave out what was thought',
      choice({ refusal: null }, { logprobs: null }),
      { ...searched, prompt_tokens_details: { cached_tokens: 0 } },
    ],
  ])('a reply %s', async (_, chosen, told) => {
    vendor.play(replyOf(chosen, told))
    let reply: unknown = null
    const spent = await spending(
      async () => (reply = await (await chapar.post(ask('priced'))).json()),
    )
    expect(spent).toBe(cost)
    expect(reply).toMatchObject({
      usage: {
        prompt_tokens: 33,
        completion_tokens: 810,
        total_tokens: 843,
        completion_tokens_details: { reasoning_tokens: 739 },
      },
    })
    vendor.play(replyOf(chosen, told))
    expect(await spending(async () => (await messages()).text())).toBe(cost)
  })

  test('a reply with its cached tokens in a member of the vendor’s own', async () => {
    const told = { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50, cached_tokens: 10 }
    vendor.play(replyOf(choice({ refusal: null }, { logprobs: null }), told))
    const reply = (await (await chapar.post(ask('priced'))).json()) as { usage: object }
    expect(reply.usage).toEqual({
      prompt_tokens: 20,
      completion_tokens: 30,
      total_tokens: 50,
      prompt_tokens_details: { cached_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 0 },
    })
  })
})
