import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { showUsd, type NanoUsd } from '../../src/domain/money'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { chunksOf, eventsOf } from '../support/sse'
import {
  chunk,
  failure,
  openaiStream,
  openStandIn,
  replies,
  streamReply,
  usage,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
/** 100 tokens in at 1.5 and 50 out at 6 dollars a million. */
const cost = '0.000450'

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ vendorUrl: vendor.url })
})
beforeEach(() => vendor.play(replies()))
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** What a call took from the account, in dollars; nothing may stay held. */
async function spending(call: () => Promise<unknown>): Promise<string> {
  const before = Number((await chapar.rest()).balance)
  await call()
  const { held, slots, balance } = await chapar.rest()
  expect({ held, slots }).toEqual({ held: 0, slots: 0 })
  expect(await chapar.audit()).toMatchObject({ ok: true, pending: 0 })
  return showUsd((before - Number(balance)) as NanoUsd)
}

const said = (text: string): string =>
  chunksOf(text)
    .flatMap((each) => (each.choices ?? []).map(({ delta }) => delta['content']))
    .filter((piece) => typeof piece === 'string')
    .join('')

describe('a whole answer', () => {
  test('is charged by the vendor’s own count and carries our id, model and cost', async () => {
    const spent = await spending(async () => {
      const response = await chapar.post(ask('priced', { max_tokens: 100 }))
      const body = (await response.json()) as Record<string, unknown>
      expect(response.status).toBe(200)
      expect(body['id']).toBe(response.headers.get('x-request-id'))
      expect(String(body['id'])).toMatch(/^req_[0-9a-z]{24,}$/)
      expect(body['model']).toBe('priced')
      expect(body['usage']).toMatchObject(usage)
      expect(body).toMatchObject({ service_tier: 'default', system_fingerprint: 'fp_1' })
      expect(response.headers.get('x-cost-usd')).toBe(cost)
      expect(response.headers.get('x-ratelimit-limit')).toBe('1000000')
      expect(response.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
    })
    expect(spent).toBe(cost)
    const sent = vendor.seen.at(-1)
    expect(sent?.body['model']).toBe('vendor-model')
    expect(sent?.headers.get('authorization')).toBe('Bearer sk-vendor-secret')
  })

  test('passes unknown fields, and leaves out what would change price or tell who asks', async () => {
    const odd = { a: [1, { b: '}{"' }] }
    const own = { store: true, service_tier: 'priority', user: 'ali', stream_options: { x: 1 } }
    await chapar.post(ask('priced', { odd, top_k: 3, ...own }))
    const { body } = vendor.seen.at(-1) ?? { body: {} }
    expect(body).toMatchObject({ odd, top_k: 3 })
    for (const name of Object.keys(own)) expect(body).not.toHaveProperty(name)
  })

  test('without usage is counted by us and still charged', async () => {
    vendor.play(() => wholeReply('some words that nobody counted', null))
    const spent = await spending(async () => {
      const body = (await (await chapar.post(ask('priced'))).json()) as { usage: typeof usage }
      expect(body.usage.prompt_tokens).toBeGreaterThan(3)
      expect(body.usage.completion_tokens).toBeGreaterThan(3)
    })
    expect(Number(spent)).toBeGreaterThan(0)
  })

  const failures = [
    [400, { message: 'bad value', param: 'top_p' }, 400, 'upstream_rejected'],
    [422, { message: 'no' }, 400, 'upstream_rejected'],
    [401, { message: 'Incorrect API key provided: sk-abcdef123456' }, 502, 'upstream_error'],
    [402, { message: 'Insufficient Balance' }, 429, 'upstream_capacity_full'],
    [403, { code: 'content_policy_violation', message: 'no' }, 400, 'upstream_rejected'],
    [404, { code: 'model_not_found', message: 'no' }, 503, 'model_temporarily_unavailable'],
    [429, { code: 'rate_limit_exceeded', message: 'slow' }, 429, 'upstream_rate_limited'],
    [429, { code: 'insufficient_quota', message: 'pay' }, 429, 'upstream_capacity_full'],
    [500, { message: 'oops' }, 502, 'upstream_error'],
    [503, { message: 'full' }, 429, 'upstream_capacity_full'],
    [504, { message: 'late' }, 502, 'upstream_unreachable'],
    [529, { message: 'overloaded' }, 429, 'upstream_capacity_full'],
  ] as const
  test.each(failures)(
    'a vendor’s %d %j is our %d %s and costs nothing',
    async (status, error, ours, code) => {
      vendor.play(failure(status, error, { 'retry-after': '7' }))
      const spent = await spending(async () => {
        const response = await chapar.post(ask('priced'))
        const body = (await response.json()) as { error: Record<string, unknown> }
        expect(response.status).toBe(ours)
        expect(body.error['code']).toBe(code)
        expect(JSON.stringify(body)).not.toContain('sk-abcdef')
        if (ours === 429 || ours === 503) expect(response.headers.get('retry-after')).toBe('7')
      })
      expect(spent).toBe('0.000000')
    },
  )

  test('that is an error inside a success costs nothing', async () => {
    vendor.play(() => Response.json({ error: { message: 'inside', code: 500 } }))
    const spent = await spending(async () => {
      expect((await chapar.post(ask('priced'))).status).toBe(502)
    })
    expect(spent).toBe('0.000000')
  })

  test('that is no JSON at all costs nothing', async () => {
    vendor.play(() => new Response('<html>'))
    const spent = await spending(async () => {
      expect((await chapar.post(ask('priced'))).status).toBe(502)
    })
    expect(spent).toBe('0.000000')
  })
})

describe('a stream', () => {
  test('has our id and model in each chunk, one usage chunk with its cost, and the terminator', async () => {
    vendor.play(replies('سلام دنیا 🌍 and more'))
    const spent = await spending(async () => {
      const response = await chapar.post(ask('priced', { stream: true }))
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      const text = await response.text()
      const chunks = chunksOf(text)
      const id = response.headers.get('x-request-id')
      for (const each of chunks) {
        expect(each).toMatchObject({ id, model: 'priced', object: 'chat.completion.chunk' })
        expect(JSON.stringify(each)).not.toContain('vendor-model')
      }
      expect(said(text)).toBe('سلام دنیا 🌍 and more')
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage, cost_usd: cost })
      expect(chunks.filter((each) => each.usage)).toHaveLength(1)
      expect(eventsOf(text).at(-1)).toBe('[DONE]')
    })
    expect(spent).toBe(cost)
    expect(vendor.seen.at(-1)?.body['stream_options']).toEqual({ include_usage: true })
  })

  test('that fails before its first event is an ordinary error and costs nothing', async () => {
    vendor.play(failure(500, { message: 'oops' }))
    const spent = await spending(async () => {
      const response = await chapar.post(ask('priced', { stream: true }))
      expect(response.status).toBe(502)
      expect(response.headers.get('content-type')).toContain('application/json')
    })
    expect(spent).toBe('0.000000')
  })

  test('whose first event is an error is an ordinary error', async () => {
    vendor.play(() => streamReply(['data: {"error":{"message":"full","code":503}}\n\n']))
    const spent = await spending(async () => {
      expect((await chapar.post(ask('priced', { stream: true }))).status).toBe(429)
    })
    expect(spent).toBe('0.000000')
  })

  test.each([
    [
      'is cut',
      () => streamReply(openaiStream('one two three four five'), { delayMs: 5, cutAfter: 4 }),
    ],
    ['ends without an end', () => streamReply(openaiStream('one two three four five').slice(0, 4))],
    [
      'turns into an error',
      () =>
        streamReply([
          ...openaiStream('one two three').slice(0, 4),
          'data: {"error":{"message":"broken sk-abcdefgh12345678"}}\n\n',
        ]),
    ],
  ])('that %s midway ends in order and is charged for what was sent', async (_, script) => {
    vendor.play(script)
    const spent = await spending(async () => {
      const response = await chapar.post(ask('priced', { stream: true }))
      const text = await response.text()
      const chunks = chunksOf(text)
      expect(said(text)).toBe('one two three')
      const failed = chunks.find((each) => each.error)
      expect(failed?.error?.code).toBe('stream_interrupted')
      expect(text).not.toContain('sk-abcdefgh')
      expect(Number(chunks.at(-1)?.usage?.['completion_tokens'])).toBeGreaterThan(0)
      expect(eventsOf(text).at(-1)).toBe('[DONE]')
    })
    expect(Number(spent)).toBeGreaterThan(0)
    expect(Number(spent)).toBeLessThan(0.0002)
  })

  test('that sent nothing of the answer before it broke costs nothing', async () => {
    const role = chunk({ role: 'assistant', content: '' })
    vendor.play(() => streamReply([role, role], { cutAfter: 1 }))
    const spent = await spending(async () => {
      await (await chapar.post(ask('priced', { stream: true }))).text()
    })
    expect(spent).toBe('0.000000')
  })

  test('whose client leaves aborts the vendor within 100 ms and is charged for what was sent', async () => {
    const events = openaiStream('word '.repeat(200))
    vendor.play(() => streamReply(events, { delayMs: 20 }))
    let left = 0
    const spent = await spending(async () => {
      const leaving = new AbortController()
      const response = await chapar.post(ask('priced', { stream: true }), {}, leaving.signal)
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.read()
      left = performance.now()
      leaving.abort()
      await Bun.sleep(150)
    })
    const abortedAt = vendor.seen.at(-1)?.abortedAt ?? Number.POSITIVE_INFINITY
    expect(abortedAt - left).toBeLessThan(100)
    expect(Number(spent)).toBeGreaterThan(0)
    expect(Number(spent)).toBeLessThan(0.0002)
  })

  test('that answers whole is turned into a stream', async () => {
    vendor.play(() => wholeReply('whole text'))
    const text = await (await chapar.post(ask('priced', { stream: true }))).text()
    expect(said(text)).toBe('whole text')
    expect(chunksOf(text).at(-1)).toMatchObject({ usage, cost_usd: cost })
  })

  test.each([true, false])(
    'that answers above the ceiling is an error, streamed: %p',
    async (stream) => {
      vendor.play(() => wholeReply('x'.repeat(17_000_000)))
      const response = await chapar.post(ask('priced', { stream }))
      expect(response.status).toBe(502)
      expect(await response.json()).toMatchObject({ error: { code: 'upstream_error' } })
    },
  )

  test.each([
    ['event by event', {}],
    ['in one piece', { bytesAtATime: 10_000_000 }],
  ])(
    'that comes %s stops at the money, with its code, usage and the terminator',
    async (_, how) => {
      vendor.play(() => streamReply(openaiStream('word '.repeat(20_000)), how))
      const poor = await chapar.customer({ usd: '0.03' })
      const response = await chapar.post(ask('priced', { stream: true, max_tokens: 4000 }), {
        authorization: `Bearer ${poor.key}`,
      })
      const text = await response.text()
      const chunks = chunksOf(text)
      expect(chunks.find((each) => each.error)?.error?.code).toBe('insufficient_credit')
      expect(eventsOf(text).at(-1)).toBe('[DONE]')
      await chapar.rest()
      const balance = (await chapar.storage.directory.findAccount(poor.account))?.balance ?? -1
      expect(balance).toBeGreaterThanOrEqual(0)
      expect(balance).toBeLessThan(10_000_000)
      expect((await chapar.audit()).ok).toBe(true)
    },
  )
})

describe('parallel calls', () => {
  test('with money for three of fifty: exactly three reach the vendor', async () => {
    vendor.play(async () => {
      await Bun.sleep(100)
      return wholeReply('ok')
    })
    // One call holds 1.5e-6 × 39 tokens in and 6e-6 × 100 out, as its own refusal says.
    const probe = await chapar.customer({ usd: '0.0000001' })
    const body = ask('priced', { max_tokens: 100 })
    const refused = await chapar.post(body, {
      authorization: `Bearer ${probe.key}`,
      'accept-language': 'en',
    })
    const { error } = (await refused.json()) as { error: { message: string } }
    const needed = Number(/may cost up to \$([\d.]+)/.exec(error.message)?.[1])
    const { key, account } = await chapar.customer({ usd: (needed * 3.5).toFixed(9) })
    const before = vendor.seen.length
    const statuses = await Promise.all(
      Array.from(
        { length: 50 },
        async () => (await chapar.post(body, { authorization: `Bearer ${key}` })).status,
      ),
    )
    expect(vendor.seen.length - before).toBe(3)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 402)).toHaveLength(47)
    const { held } = await chapar.rest()
    expect(held).toBe(0)
    expect(await chapar.audit()).toMatchObject({ ok: true, pending: 0 })
    expect((await chapar.storage.directory.findAccount(account))?.balance).toBeGreaterThan(0)
  })
})
