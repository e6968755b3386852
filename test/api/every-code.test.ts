import { describe, expect, test } from 'bun:test'
import { codes, type ErrorCode } from '../../src/errors/codes'
import { table } from '../../src/gateway/api/table'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openaiStream, openStandIn, replies, refusingUrl, streamReply } from '../support/stand-in'
import { handClock } from '../storage/folder'
import { cases, later, type Case } from './every-code'

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'invalid_request_error',
  405: 'invalid_request_error',
  408: 'invalid_request_error',
  426: 'invalid_request_error',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  429: 'rate_limit_error',
  500: 'service_unavailable',
  502: 'upstream_error',
  503: 'service_unavailable',
}

interface Refusal {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly code: string | null
    readonly param: string | null
  }
}

/** What holds for every refusal, whatever its code. */
async function check(one: Case, answer: Response, language: 'fa' | 'en'): Promise<void> {
  const { error, ...others } = (await answer.json()) as Refusal
  const { message, ...fields } = error
  expect({ status: answer.status, ...fields }).toEqual({
    status: one.status,
    type: types[one.status] ?? 'none',
    code: 'wireCode' in codes[one.code] ? null : one.code,
    param: one.param ?? null,
  })
  expect(others).toEqual({})
  if (language === 'fa') expect(message).toMatch(/[\u0600-\u06ff]{2,} .*[\u0600-\u06ff]{2,}/)
  else expect(message).not.toMatch(/[\u0600-\u06ff]/)
  expect(message).not.toContain('secret')

  const { headers } = answer
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('x-cost-usd')).toBeNull()
  expect(headers.get('x-should-retry')).toBe(one.hopeless === true ? 'false' : null)
  const waits = one.status === 429 || one.status === 503
  expect(headers.get('retry-after') ?? '').toMatch(waits ? /^[1-9]\d*$/ : /^$/)
}

const limitsIn = ({ headers }: Response) => [
  headers.get('x-ratelimit-limit'),
  headers.get('x-ratelimit-remaining'),
]

describe('every refusal', () => {
  test.each(cases.map((one) => [one.code, one.how, one] as const))(
    '%s by %s: its status, type, field, words and headers, at no cost',
    async (code, _, one) => {
      const vendor = openStandIn(one.vendor ?? replies())
      const lost = code === 'upstream_unreachable'
      const vendorUrl = lost ? await refusingUrl() : vendor.url
      const clock = handClock()
      const chapar = await openTestGateway({ vendorUrl, clock, ...one.gateway })
      try {
        const undo = await one.arrange?.(chapar)
        const before = (await chapar.storage.directory.findAccount(chapar.account))?.balance
        const send = one.send ?? ((to: TestGateway, headers) => to.post(ask('priced'), headers))
        for (const [language, headers] of [
          ['fa', {}],
          ['en', { 'accept-language': 'en' }],
        ] as const) {
          const answer = await send(chapar, headers)
          const wait = Number(answer.headers.get('retry-after'))
          if (one.retryAfter !== undefined) expect(wait).toBe(one.retryAfter)
          const [limit, remaining] = limitsIn(answer)
          expect([limit !== null, remaining !== null]).toEqual([one.keyed, one.keyed])
          if (one.keyed) expect(Number(remaining)).toBeLessThanOrEqual(Number(limit))
          await check(one, answer, language)
        }
        if (undo !== undefined) undo()
        expect(vendor.seen.length > 0).toBe(one.asked === true && !lost)
        const { held, slots } = await chapar.rest()
        expect({ held, slots }).toEqual({ held: 0, slots: 0 })
        expect((await chapar.storage.directory.findAccount(chapar.account))?.balance).toBe(before)
        expect(await chapar.audit()).toMatchObject({ differences: [], pending: 0 })
      } finally {
        await chapar.close()
        await vendor.close()
      }
    },
  )

  test('stream_interrupted is an event of the stream, and what was sent is charged', async () => {
    const events = openaiStream('one two three four')
    const vendor = openStandIn(() => streamReply(events, { cutAfter: 3, delayMs: 5 }))
    const chapar = await openTestGateway({ vendorUrl: vendor.url })
    try {
      for (const [language, letters] of [
        ['fa', /[\u0600-\u06ff]{2}/],
        ['en', /^[^\u0600-\u06ff]+$/],
      ] as const) {
        const before = Number((await chapar.rest()).balance)
        const headers = { 'accept-language': language }
        const answer = await chapar.post(ask('priced', { stream: true }), headers)
        expect(answer.status).toBe(200)
        const said = (await answer.text()).split('\n\n').map((each) => each.replace(/^data: /, ''))
        const event = said.find((each) => each.startsWith('{"error"'))
        const { error } = JSON.parse(event ?? '{}') as Refusal
        expect(error).toMatchObject({
          type: 'upstream_error',
          code: 'stream_interrupted',
          param: null,
        })
        expect(error.message).toMatch(letters)
        expect(said).toContain('[DONE]')
        const { held, slots, balance } = await chapar.rest()
        expect({ held, slots }).toEqual({ held: 0, slots: 0 })
        expect(Number(balance)).toBeLessThan(before)
      }
      expect(await chapar.audit()).toMatchObject({ differences: [], pending: 0 })
    } finally {
      await chapar.close()
      await vendor.close()
    }
  })

  test('is raised here, but those of endpoints that do not exist yet', () => {
    const raised = new Set<string>([...cases.map(({ code }) => code), 'stream_interrupted'])
    const all = Object.keys(codes) as ErrorCode[]
    expect(all.filter((code) => !raised.has(code)).sort()).toEqual(
      (Object.keys(later) as ErrorCode[]).sort(),
    )
    // Once its endpoint is there, a code is raised like the rest.
    const paths = new Set(table.map(({ path }) => path))
    expect(Object.entries(later).filter(([, path]) => paths.has(path))).toEqual([])
  })
})
