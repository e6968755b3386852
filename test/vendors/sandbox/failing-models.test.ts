import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { endpoints } from '../../../src/gateway/catalogue/endpoints'
import type { EndpointName } from '../../../src/domain/model'
import { codes, errorType, type ErrorCode } from '../../../src/errors/codes'
import { handClock } from '../../storage/folder'
import { cases } from '../../api/every-code'
import { ask, openTestGateway, type TestGateway } from '../../support/gateway'
import { openRealtimeClient } from '../../support/realtime-client'
import { secondOfSilence } from '../../support/silence'

let chapar: TestGateway
// The clock of the real refusals: what they say of midnight is the same here.
beforeAll(async () => void (chapar = await openTestGateway({ clock: handClock() })))
afterAll(() => chapar.close())

/** The least that each endpoint takes. */
const bodies: Readonly<Record<Exclude<EndpointName, 'realtime'>, object>> = {
  chat: { messages: [{ role: 'user', content: 'hello' }] },
  messages: { messages: [{ role: 'user', content: 'hello' }], max_tokens: 10 },
  responses: { input: 'hello' },
  compact: { input: 'hello' },
  completions: { prompt: 'hello' },
  embeddings: { input: 'hello' },
  moderations: { input: 'hello' },
  images: { prompt: 'hello' },
  transcriptions: {},
  translations: {},
  speech: { input: 'hello', voice: 'alloy' },
  music: { prompt: 'hello' },
  videos: { prompt: 'hello' },
}

const headers = () => ({ authorization: `Bearer ${chapar.key}` })

function send(endpoint: EndpointName, model: string, rest: object = {}): Promise<Response> {
  const url = chapar.url.replace(/\/v1$/, '') + endpoints[endpoint].path
  if (endpoint === 'realtime') return fetch(`${url}?model=${model}`, { headers: headers() })
  if (endpoint !== 'transcriptions' && endpoint !== 'translations')
    return fetch(url, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ model, ...bodies[endpoint], ...rest }),
    })
  const form = new FormData()
  form.append('model', model)
  form.append('file', new Blob([secondOfSilence]), 'second.wav')
  return fetch(url, { method: 'POST', headers: headers(), body: form })
}

interface Refusal {
  readonly error: { readonly message: string; readonly type: string; readonly code: string | null }
}

/** The first real way to meet each code: what its client gets. */
const real = new Map(cases.toReversed().map((one) => [one.code, one]))
const asVendor = new Set<ErrorCode>([
  'upstream_rejected',
  'upstream_rate_limited',
  'upstream_capacity_full',
  'upstream_error',
  'upstream_unreachable',
  'model_temporarily_unavailable',
])
/** Of these the real way depends on what was done before. */
const waits: Readonly<Partial<Record<ErrorCode, number>>> = {
  rate_limit_exceeded: 1,
  too_many_failed_attempts: 12,
  upstream_rate_limited: 2,
  upstream_capacity_full: 2,
}

describe('sandbox/error-CODE', () => {
  test.each([...real.values()].map((one) => [one.code, one] as const))(
    'meets a client as %s does: status, type, code, field and headers',
    async (code, one) => {
      const response = await send('chat', `sandbox/error-${code}`)
      const { error } = (await response.json()) as Refusal
      expect({ status: response.status, ...error } as object).toEqual({
        status: one.status,
        message: expect.stringMatching(/[\u0600-\u06ff]{2}/) as string,
        type: errorType(code),
        code: 'wireCode' in codes[code] ? null : code,
        param: asVendor.has(code) ? null : (one.param ?? null),
      })
      const told = response.headers
      expect(told.get('x-request-id')).toStartWith('req_')
      expect(told.has('x-ratelimit-limit')).toBe(one.keyed)
      expect(told.get('x-should-retry')).toBe(one.hopeless === true ? 'false' : null)
      const wait = waits[code] ?? one.retryAfter
      if (wait !== undefined) expect(Number(told.get('retry-after'))).toBe(wait)
      expect(told.has('retry-after')).toBe(one.status === 429 || one.status === 503)
      expect(told.get('allow')).toBe(code === 'method_not_allowed' ? 'POST' : null)
      expect(told.get('x-ratelimit-remaining')).toSatisfy((left) =>
        code === 'rate_limit_exceeded' ? left === '0' : left === null || Number(left) > 0,
      )
    },
  )

  test('is there for every code of the table', () => {
    const met = new Set<string>([...real.keys(), 'stream_interrupted'])
    expect(Object.keys(codes).filter((code) => !met.has(code))).toEqual([])
  })

  test.each(Object.keys(endpoints) as EndpointName[])(
    'is the same at %s, whatever its type of model',
    async (endpoint) => {
      for (const [code, status] of [
        ['insufficient_credit', 402],
        ['concurrency_limit', 429],
        ['upstream_error', 502],
      ] as const) {
        // A conversation asks its vendor once it is a socket.
        if (endpoint === 'realtime' && code === 'upstream_error') continue
        const response = await send(endpoint, `sandbox/error-${code}`)
        expect(response.status).toBe(status)
        expect(await response.json()).toMatchObject({ error: { code } })
      }
    },
  )

  test.each([
    ['upstream_error', 1011],
    ['upstream_rate_limited', 4429],
    ['upstream_unreachable', 1011],
    ['kyc_required', 4403],
  ] as const)('refuses a conversation with %s', async (code, close) => {
    const url = `${chapar.url.replace('http', 'ws')}/realtime?model=sandbox/error-${code}`
    const protocols = ['realtime', `openai-insecure-api-key.${chapar.key}`]
    const client = openRealtimeClient(url, { protocols })
    expect(await client.next('error')).toMatchObject({ error: { code } })
    expect(await client.closed).toMatchObject({ code: close })
  })

  test('of a price is charged nothing, and what a stream sent before it broke is', async () => {
    const balance = async () => Number((await chapar.rest()).balance)
    const before = await balance()
    for (const code of ['insufficient_credit', 'upstream_error'])
      await chapar.post(ask(`sandbox/error-${code}-priced`))
    expect(await balance()).toBe(before)
    const stream = { stream: true }
    const answers = [
      send('chat', 'sandbox/error-stream_interrupted-priced', stream),
      send('messages', 'sandbox/error-stream_interrupted-priced', stream),
      send('responses', 'sandbox/error-stream_interrupted-priced', stream),
    ]
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('stream_interrupted')
    }
    expect(await balance()).toBeLessThan(before)
    expect((await chapar.audit()).differences).toEqual([])
  })

  test('refuses before a stream begins, in the frame of the client’s format', async () => {
    const response = await send('messages', 'sandbox/error-kyc_required', { stream: true })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'permission_error', code: 'kyc_required' },
    })
    const counted = await fetch(`${chapar.url}/messages/count_tokens`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ model: 'sandbox/error-kyc_required', ...bodies.messages }),
    })
    expect(counted.status).toBe(403)
  })

  test('speaks of the caller’s own limits', async () => {
    const customer = await chapar.customer({
      key: { requestsPerMinute: 7 },
      account: { concurrency: 3, maxRequestKb: 64 },
    })
    const message = async (code: ErrorCode) => {
      const response = await chapar.post(ask(`sandbox/error-${code}`), {
        authorization: `Bearer ${customer.key}`,
        'accept-language': 'en',
      })
      return ((await response.json()) as Refusal).error.message
    }
    expect(await message('rate_limit_exceeded')).toContain('More than 7 requests')
    expect(await message('concurrency_limit')).toContain('has 3 requests')
    expect(await message('request_too_large')).toContain('64 KB')
  })

  test('is in no list, and may be looked at by its name', async () => {
    const { data } = (await (await fetch(`${chapar.url}/models`)).json()) as {
      data: readonly { id: string }[]
    }
    expect(data.map(({ id }) => id)).toContain('sandbox/echo')
    expect(data.filter(({ id }) => id.includes('error-'))).toEqual([])
    expect(chapar.gateway.onSale().models).toBe(data.length)
    const one = await fetch(`${chapar.url}/models/sandbox/error-upstream_error-priced`)
    expect(await one.json()).toMatchObject({ id: 'sandbox/error-upstream_error-priced' })
  })

  test.each(['error-nobody', 'error-constructor', 'error-', 'nobody-error-kyc_required'])(
    'is no model where there is no such code: %s',
    async (name) => {
      const response = await chapar.post(ask(`sandbox/${name}`))
      expect(await response.json()).toMatchObject({ error: { code: 'model_not_found' } })
    },
  )
})
