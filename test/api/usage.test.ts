import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Clock, Ms } from '../../src/domain/clock'
import { addModel, addVendor, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { failure, openStandIn, replies, type StandIn } from '../support/stand-in'

const dayMs = 86_400_000
const today = Date.UTC(2026, 2, 1, 12)
let now = today
const clock: Clock = { now: () => now as Ms }

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    clock,
    prepare: async (storage) => {
      await addVendor(storage, 'other', vendor.url)
      await addModel(storage, 'second', ['other'])
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

interface Report {
  readonly total_usd: string
  readonly data: readonly {
    readonly key: string
    readonly requests: number
    readonly usd: string
  }[]
}
const usage = async (query = '', key = chapar.key) => {
  const headers = { authorization: `Bearer ${key}`, 'accept-language': 'en' }
  const response = await fetch(`${chapar.url}/usage${query}`, { headers })
  return { code: response.status, body: (await response.json()) as Report }
}

describe('GET /usage', () => {
  test('tells each day and each model as calls end, errors too', async () => {
    const { key } = await chapar.customer()
    const headers = { authorization: `Bearer ${key}` }
    vendor.play(replies())
    now = today - dayMs
    await chapar.post(ask('priced'), headers)
    now = today
    await chapar.post(ask('priced'), headers)
    await (await chapar.post(ask('second', { stream: true }), headers)).text()
    vendor.play(failure(500, { message: 'no' }))
    await chapar.post(ask('second'), headers)

    const item = { requests: 1, errors: 0, input_tokens: 100, output_tokens: 50, usd: '0.000450' }
    const second = { requests: 2, errors: 1, input_tokens: 100, output_tokens: 50, usd: '0.000450' }
    const both = { requests: 3, errors: 1, input_tokens: 200, output_tokens: 100, usd: '0.000900' }
    expect(await usage('', key)).toEqual({
      code: 200,
      body: {
        object: 'usage',
        from: '2026-01-31',
        to: '2026-03-01',
        group: 'day',
        total_usd: '0.001350',
        data: [
          { key: '2026-02-28', ...item },
          { key: '2026-03-01', ...both },
        ],
      } as Report,
    })
    expect((await usage('?group=model&from=2026-03-01&to=2026-03-01', key)).body.data).toEqual([
      { key: 'priced', ...item },
      { key: 'second', ...second },
    ] as Report['data'])
    expect(await chapar.audit()).toMatchObject({ ok: true })
  })

  test('is the project’s alone', async () => {
    vendor.play(replies())
    await chapar.post(ask('priced'))
    expect((await usage('', (await chapar.customer()).key)).body).toMatchObject({
      total_usd: '0.000000',
      data: [],
    })
  })

  test.each([
    ['?from=yesterday', 'from'],
    ['?to=2026-02-30', 'to'],
    ['?from=2026-03-02&to=2026-03-01', 'from'],
    ['?from=2025-02-28&to=2026-03-01', 'from'],
    ['?group=key', 'group'],
    ['?from=', 'from'],
  ])('refuses %s', async (query, param) => {
    expect(await usage(query)).toMatchObject({
      code: 400,
      body: { error: { code: null, param, type: 'invalid_request_error' } },
    })
  })

  test('takes a whole leap year', async () => {
    expect((await usage('?from=2025-03-01&to=2026-03-01')).code).toBe(200)
  })
})
