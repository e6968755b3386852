import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, isFields, listOf, type Fields } from '../../src/gateway/json/fields'
import { messageEnd, messageEvent, textBlock, wholeMessage } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor, hubPrices } from '../support/hub-vendor'
import { openStandIn, replies, streamReply, type Script, type StandIn } from '../support/stand-in'

/** Characters that this vendor calls a token. */
const perToken = 4

/** A vendor that keeps prompts up to their marks, for as long as each says, and counts as Anthropic does. */
function keepsPrompts(): Script {
  const kept = new Set<string>()
  return ({ body }) => {
    const blocks = [body['tools'], body['system'], ...listOf(body['messages']).map(contentOf)]
    let prompt = ''
    let read = 0
    const ends: { readonly at: number; readonly prompt: string; readonly isLong: boolean }[] = []
    for (const block of blocks.flatMap((each) => listOf(each)).filter(isFields)) {
      const { cache_control: mark, ...rest } = block
      prompt += JSON.stringify(rest)
      if (kept.has(prompt)) read = prompt.length
      const isLong = fieldsOf(mark)['ttl'] === '1h'
      if (mark !== undefined) ends.push({ at: prompt.length, prompt, isLong })
    }
    if (ends.length > 4) return Response.json({ type: 'error' }, { status: 400 })
    const written = { long: 0, short: 0 }
    let before = read
    for (const { at, prompt: beginning, isLong } of ends) {
      kept.add(beginning)
      written[isLong ? 'long' : 'short'] += Math.max(0, at - before)
      before = Math.max(before, at)
    }
    const tokens = (chars: number) => Math.ceil(chars / perToken)
    const [short, long] = [tokens(written.short), tokens(written.long)]
    const usage = {
      input_tokens: tokens(prompt.length - before),
      cache_read_input_tokens: tokens(read),
      cache_creation_input_tokens: short + long,
      cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
      output_tokens: 5,
    }
    if (body['stream'] !== true)
      return wholeMessage([{ type: 'text', text: 'ok' }], 'end_turn', usage)
    const start = { id: 'msg_01', type: 'message', role: 'assistant', model: 'c', content: [] }
    return streamReply([
      messageEvent({ type: 'message_start', message: { ...start, usage } }),
      ...textBlock(0, 'ok'),
      ...messageEnd('end_turn'),
    ])
  }
}

const contentOf = (message: unknown): unknown => fieldsOf(message)['content']

let vendor: StandIn
let router: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn(keepsPrompts())
  router = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      await addHubVendor({ kind: 'anthropic', url: vendor.url, models: { claude: {} } })(storage)
      const models = { routed: {} }
      const dialect = 'openrouter'
      await addHubVendor({ kind: 'openai', url: router.url, dialect, models })(storage)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
  await router.close()
})

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, ...headers },
    body: JSON.stringify(body),
  })
  const reply = fieldsOf(await answer.json())
  expect([answer.status, reply['error'] ?? null]).toEqual([200, null])
  return { reply, cost: Number(answer.headers.get('x-cost-usd')) }
}

const mark = { cache_control: { type: 'ephemeral' } }
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const text = (said: string, ...marks: readonly object[]): Fields =>
  Object.assign({ type: 'text', text: said }, ...marks) as Fields
const price = (units: Readonly<Partial<Record<keyof typeof hubPrices, number>>>): number =>
  Object.entries(units).reduce(
    (sum, [meter, count]) =>
      sum + (count * Number(hubPrices[meter as keyof typeof hubPrices])) / 1e6,
    0,
  )

const instructions = 'Rules of the house. '.repeat(4000)

/** An agent of a few turns, whose marks stand on its instructions and its last two messages of a user. */
async function agent(name: string, marks: { readonly first?: object; readonly last?: object }) {
  const history: Fields[] = []
  const turns: { readonly usage: Fields; readonly cost: number }[] = []
  for (let turn = 0; turn < 4; turn++) {
    history.push({ role: 'user', content: `Step ${turn}. ${'What now? '.repeat(300)}` })
    const last = new Set(history.filter(({ role }) => role === 'user').slice(-2))
    const messages = [
      { role: 'system', content: [text(name + instructions, marks.first ?? {})] },
      ...history.map((each) =>
        last.has(each)
          ? { ...each, content: [text(String(each['content']), marks.last ?? {})] }
          : each,
      ),
    ]
    const { reply, cost } = await post('/chat/completions', {
      model: 'claude',
      messages,
      max_tokens: 99,
    })
    turns.push({ usage: fieldsOf(reply['usage']), cost })
    history.push({ role: 'assistant', content: 'ok' })
  }
  return turns
}

const detailsOf = (usage: Fields) => fieldsOf(usage['prompt_tokens_details'])

describe('an agent that speaks chat to Claude', () => {
  test('pays a tenth for what was read, and a quarter more for what was written', async () => {
    const marked = await agent('a', { first: mark, last: mark })
    const plain = await agent('a plain one', {})
    for (const [turn, { usage, cost }] of marked.entries()) {
      const { cached_tokens: read = 0, cache_write_tokens: written = 0 } = detailsOf(
        usage,
      ) as Record<string, number>
      expect([read > 0, written > 0]).toEqual([turn > 0, true])
      const input = Number(usage['prompt_tokens']) - read - written
      const units = { input, cached_input: read, cache_write_5m: written, output: 5 }
      expect(cost).toBeCloseTo(price(units), 8)
    }
    const later = (turns: typeof marked) => turns.slice(1).reduce((sum, { cost }) => sum + cost, 0)
    expect(later(marked)).toBeLessThan(0.2 * later(plain))
    expect(Object.keys(detailsOf(plain[0]?.usage ?? {}))).toEqual(['cached_tokens'])
  })

  test('pays the dearer write for what is kept for an hour, each at its meter', async () => {
    const [first] = await agent('b', { first: hour, last: mark })
    const { usage = {}, cost = 0 } = first ?? {}
    const long = Math.ceil(JSON.stringify(text(`b${instructions}`)).length / perToken)
    const short = Number(detailsOf(usage)['cache_write_tokens']) - long
    expect(short).toBeGreaterThan(0)
    expect(cost).toBeCloseTo(price({ cache_write_1h: long, cache_write_5m: short, output: 5 }), 8)
  })

  test('is charged the same in a stream, whose last event says so', async () => {
    const body = (name: string) => ({
      model: 'claude',
      messages: [{ role: 'user', content: [text(name + instructions, hour)] }],
    })
    const whole = await post('/chat/completions', body('c'))
    const answer = await fetch(`${chapar.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}` },
      body: JSON.stringify({ ...body('d'), stream: true }),
    })
    const end = (await answer.text()).split('\n').findLast((line) => line.includes('cost_usd'))
    const last = fieldsOf(JSON.parse(String(end).replace('data: ', '')))
    expect(last['usage']).toMatchObject({
      prompt_tokens_details: detailsOf(fieldsOf(whole.reply['usage'])),
    })
    expect(detailsOf(fieldsOf(last['usage']))['cache_write_tokens']).toBeGreaterThan(0)
  })

  test('reads what was read and written in the words of the Responses format', async () => {
    const part = {
      type: 'input_text',
      text: `e${instructions}`,
      prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' },
    }
    const body = { model: 'claude', input: [{ role: 'user', content: [part] }] }
    const usages = [await post('/responses', body), await post('/responses', body)]
    const [written, read] = usages.map(
      ({ reply }) => fieldsOf(reply['usage'])['input_tokens_details'],
    )
    const long = fieldsOf(written)['cache_write_tokens']
    expect(written).toEqual({
      cached_tokens: 0,
      cache_write_tokens: long,
      cache_write_tokens_details: { ttl_30m_tokens: 0, ttl_12h_tokens: long },
    })
    expect(read).toEqual({ cached_tokens: long, cache_write_tokens: 0 })
  })
})

describe('money for a write that a client asks for', () => {
  const held = async (path: string, body: object) => {
    const { reply } = await post(path, body, { 'x-dry-run': '1' })
    const { high } = fieldsOf(reply['estimate'])
    return Object.keys(fieldsOf(fieldsOf(high)['units'])).toSorted()
  }
  const chat = (...marks: object[]) => ({
    model: 'claude',
    max_tokens: 9,
    messages: [{ role: 'user', content: [text('Hi', ...marks)] }],
  })
  const input = (marks: object) => ({
    model: 'claude',
    max_output_tokens: 9,
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi', ...marks }] }],
  })
  const breakpoint = (rest: object) => ({ prompt_cache_breakpoint: { mode: 'explicit', ...rest } })

  test.each<[string, string, object, string]>([
    ['none', '/chat/completions', chat(), 'input'],
    ['none but in words', '/chat/completions', chat({ text: '"cache_control": "1h"' }), 'input'],
    ['five minutes', '/chat/completions', chat(mark), 'cache_write_5m'],
    ['an hour', '/chat/completions', chat(hour), 'cache_write_1h'],
    ['OpenAI’s form', '/chat/completions', chat(breakpoint({ ttl: '12h' })), 'cache_write_1h'],
    ['none', '/responses', input({}), 'input'],
    ['half an hour', '/responses', input(breakpoint({})), 'cache_write_5m'],
    ['twelve hours', '/responses', input(breakpoint({ ttl: '12h' })), 'cache_write_1h'],
    [
      'twelve hours for all',
      '/responses',
      { ...input({}), prompt_cache_options: { ttl: '12h' } },
      'cache_write_1h',
    ],
  ])('is held: %s at %s', async (_, path, body, meter) => {
    expect(await held(path, body)).toEqual([meter, 'output'].toSorted())
  })

  test('is charged where a vendor of the chat format counts it', async () => {
    const counted = {
      prompt_tokens: 1000,
      completion_tokens: 5,
      total_tokens: 1005,
      prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 300 },
    }
    router.play(replies('ok', counted))
    const answer = await post('/chat/completions', { ...chat(mark), model: 'routed' })
    expect(answer.cost).toBeCloseTo(
      price({ input: 100, cached_input: 600, cache_write_5m: 300, output: 5 }),
      8,
    )
    expect(answer.reply['usage']).toMatchObject({
      prompt_tokens_details: counted.prompt_tokens_details,
    })
  })
})
