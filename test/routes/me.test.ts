import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parseUsd } from '../../src/domain/money'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(() => {
  vendor = openStandIn()
  chapar = openTestGateway({ vendorUrl: vendor.url })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const me = (key: string): Promise<Response> =>
  fetch(`${chapar.url}/me`, { headers: { authorization: `Bearer ${key}` } })

describe('GET /me', () => {
  test('tells balance, key and limits as they are now, before anything is written', async () => {
    const { key } = chapar.customer({
      usd: '12.345',
      key: { spendLimit: parseUsd('5'), requestsPerMinute: 60 },
    })
    await chapar.post(ask('priced'), { authorization: `Bearer ${key}` })
    const response = await me(key)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-request-id')).toStartWith('req_')
    expect(response.headers.get('x-ratelimit-remaining')).toBe('58')
    expect(await response.json()).toEqual({
      object: 'account',
      balance: {
        usd: '12.344550',
        usd_display: '$12.34',
        held_usd: '0.000000',
        available_usd: '12.344550',
      },
      status: 'active',
      verified: true,
      project: { id: expect.any(Number) as number, name: 'test' },
      key: {
        name: 'test',
        prefix: expect.stringMatching(/^sk-chapar-v1-/) as string,
        rpm_limit: 60,
        spend_limit_usd: '5.000000',
        spent_usd: '0.000450',
        expires_at: null,
      },
      limits: { concurrency: 1000, max_request_kb: 20_480 },
    })
  })

  test('works with the other header, and shows a key’s own values', async () => {
    const { key } = chapar.customer({
      usd: '1234.5',
      key: { requestsPerMinute: 7, expiresAt: 4_102_444_800_000 as never },
    })
    const response = await fetch(`${chapar.url}/me`, { headers: { 'x-api-key': key } })
    expect(await response.json()).toMatchObject({
      balance: { usd: '1234.500000', usd_display: '$1,234.50' },
      key: { rpm_limit: 7, spend_limit_usd: null, expires_at: 4_102_444_800 },
    })
  })

  test.each([
    [401, 'missing_api_key', (): string => ''],
    [401, 'invalid_api_key', (): string => 'sk-chapar-v1-nobody'],
    [
      403,
      'account_suspended',
      (): string => chapar.customer({ account: { status: 'suspended' } }).key,
    ],
    [403, 'project_inactive', (): string => chapar.customer({ project: { active: false } }).key],
  ] as const)('is refused with %i %s', async (status, code, key) => {
    const response: Response = await me(key())
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  test('costs one of the key’s requests, and is refused when none is left', async () => {
    const { key } = chapar.customer({ key: { requestsPerMinute: 1 } })
    expect((await me(key)).status).toBe(200)
    const response = await me(key)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(response.headers.get('x-ratelimit-limit')).toBe('1')
  })
})
