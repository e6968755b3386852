import { describe, expect, test } from 'bun:test'
import { codes, errorType } from '../../src/errors/codes'
import { messageEvents } from '../matrix/messages-client'
import { handClock } from '../storage/folder'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openaiStream, openStandIn, refusingUrl, replies, streamReply } from '../support/stand-in'
import { cases, type Case } from './every-code'

/** Cases that go to an address of their own, and what stands for them here. */
const elsewhere: Readonly<Record<string, (chapar: TestGateway) => Promise<Response>>> = {
  missing_api_key: ({ url }) => fetch(`${url}/messages`, { method: 'POST', body: '{}' }),
  unknown_url: ({ url }) => fetch(`${url}/messages/batches`, { method: 'POST' }),
  method_not_allowed: ({ url }) => fetch(`${url}/messages`),
}
/** Not of this path. */
const others = new Set(['request_not_found', 'upgrade_not_offered'])

/** The same gateway, whose ordinary request is one of the Messages format. */
const asMessages = (chapar: TestGateway, path = '/messages'): TestGateway => ({
  ...chapar,
  post: (body, headers = {}) =>
    fetch(`${chapar.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': chapar.key, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
})

interface Refusal {
  readonly type: string
  readonly error: Readonly<Record<string, unknown>>
  readonly request_id: string
}

async function check(one: Case, answer: Response, language: 'fa' | 'en'): Promise<void> {
  const { type, error, request_id: id, ...rest } = (await answer.json()) as Refusal
  const code = 'wireCode' in codes[one.code] ? null : one.code
  expect({ status: answer.status, type, rest }).toEqual({
    status: one.status,
    type: 'error',
    rest: {},
  })
  const { message, ...fields } = error
  expect(fields).toEqual({
    type: errorType(one.code),
    code,
    param: one.param ?? null,
    ...(code === null ? {} : { details: { error_code: code } }),
  })
  if (language === 'fa') expect(message).toMatch(/[\u0600-\u06ff]{2,} .*[\u0600-\u06ff]{2,}/)
  else expect(message).not.toMatch(/[\u0600-\u06ff]/)
  expect(message).not.toContain('secret')
  const { headers } = answer
  expect(id).toMatch(/^req_[0-9a-f]{32}$/)
  expect([headers.get('request-id'), headers.get('x-request-id')]).toEqual([id, id])
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('x-should-retry')).toBe(one.hopeless === true ? 'false' : null)
  const waits = one.status === 429 || one.status === 503
  expect(headers.get('retry-after') ?? '').toMatch(waits ? /^[1-9]\d*$/ : /^$/)
}

const onThisPath = cases.filter(({ code, apart }) => !others.has(code) && apart !== true)

describe('every refusal on /v1/messages wears the frame that clients of the format read', () => {
  test.each(onThisPath.map((one) => [one.code, one.how, one] as const))(
    '%s by %s',
    async (code, _, one) => {
      const vendor = openStandIn(one.vendor ?? replies())
      const lost = code === 'upstream_unreachable'
      const vendorUrl = lost ? await refusingUrl() : vendor.url
      const plain = await openTestGateway({ vendorUrl, clock: handClock(), ...one.gateway })
      const chapar = asMessages(plain)
      try {
        const undo = await one.arrange?.(chapar)
        const before = (await plain.storage.directory.findAccount(plain.account))?.balance
        const send = one.send ?? ((to: TestGateway, headers) => to.post(ask('priced'), headers))
        const own = elsewhere[code]
        for (const [language, headers] of [
          ['fa', {}],
          ['en', { 'accept-language': 'en' }],
        ] as const) {
          if (own !== undefined && language === 'en') continue
          const answer = await (own === undefined ? send(chapar, headers) : own(plain))
          expect(answer.headers.get('x-ratelimit-limit') !== null).toBe(one.keyed)
          await check(one, answer, language)
        }
        if (undo !== undefined) undo()
        expect(vendor.seen.length > 0).toBe(one.asked === true && !lost)
        const { held, slots } = await plain.rest()
        expect({ held, slots }).toEqual({ held: 0, slots: 0 })
        expect((await plain.storage.directory.findAccount(plain.account))?.balance).toBe(before)
      } finally {
        await plain.close()
        await vendor.close()
      }
    },
  )

  test('stream_interrupted is an event of that name, and the last', async () => {
    const events = openaiStream('one two three four')
    const vendor = openStandIn(() => streamReply(events, { cutAfter: 3, delayMs: 5 }))
    const plain = await openTestGateway({ vendorUrl: vendor.url })
    try {
      const answer = await asMessages(plain).post(ask('priced', { stream: true }))
      const id = answer.headers.get('request-id')
      const last = messageEvents(await answer.text()).at(-1)
      expect(last).toMatchObject({
        type: 'error',
        request_id: id,
        error: {
          type: 'upstream_error',
          code: 'stream_interrupted',
          details: { error_code: 'stream_interrupted' },
        },
      })
      const { balance, held } = await plain.rest()
      expect(held).toBe(0)
      expect(Number(last?.['cost_usd'])).toBeCloseTo((100e9 - Number(balance)) / 1e9, 9)
    } finally {
      await plain.close()
      await vendor.close()
    }
  })
})

/** What a count is refused for; whatever needs a vendor or money has no place there. */
const ofCounting = new Set<string>([
  'invalid_json',
  'invalid_field',
  'missing_model',
  'invalid_model',
  'missing_messages',
  'too_many_messages',
  'invalid_message',
  'model_endpoint_mismatch',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_disabled',
  'api_key_expired',
  'ip_not_allowed',
  'account_suspended',
  'project_inactive',
  'model_not_allowed',
  'model_not_found',
  'model_discontinued',
  'request_too_large',
  'model_temporarily_unavailable',
  'gateway_disabled',
])

describe('a count of tokens is refused for the same, in the same frame', () => {
  test.each(
    cases
      .filter(({ code, apart }) => ofCounting.has(code) && apart !== true)
      .map((one) => [one.code, one.how, one] as const),
  )('%s by %s', async (_code, _how, one) => {
    const vendor = openStandIn()
    const plain = await openTestGateway({
      vendorUrl: vendor.url,
      clock: handClock(),
      ...one.gateway,
    })
    const chapar = asMessages(plain, '/messages/count_tokens')
    try {
      await one.arrange?.(chapar)
      const send = one.send ?? ((to: TestGateway, headers) => to.post(ask('priced'), headers))
      await check(one, await send(chapar, {}), 'fa')
      expect(vendor.seen).toEqual([])
    } finally {
      await plain.close()
      await vendor.close()
    }
  })

  test('but not for want of money, nor by the bucket of requests: it has a larger one', async () => {
    const vendor = openStandIn()
    const key = { requestsPerMinute: 2 }
    const plain = await openTestGateway({
      vendorUrl: vendor.url,
      clock: handClock(),
      key,
      usd: '0',
    })
    const chapar = asMessages(plain, '/messages/count_tokens')
    try {
      for (let counted = 0; counted < 20; counted++) {
        const answer = await chapar.post(ask('priced'))
        expect(answer.status).toBe(200)
        expect(await answer.json()).toEqual({ input_tokens: expect.any(Number) as number })
        expect(answer.headers.get('x-ratelimit-remaining')).toBe('2')
      }
      const refused = await chapar.post(ask('priced'))
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await plain.audit()).toMatchObject({ differences: [], pending: 0 })
      expect(await plain.rest()).toMatchObject({ held: 0, balance: '0' })
      expect(vendor.seen).toEqual([])
    } finally {
      await plain.close()
      await vendor.close()
    }
  })
})
