import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nanoUsd, parseUsd } from '../../src/domain/money'
import { noAccountRpm } from '../../src/domain/fields/account-fields'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ vendorUrl: vendor.url })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const me = (key: string): Promise<Response> =>
  fetch(`${chapar.url}/me`, { headers: { authorization: `Bearer ${key}` } })

const errorCode = async (response: Response): Promise<string | undefined> =>
  ((await response.json()) as { error?: { code?: string } }).error?.code

const codeAt = async (path: string, init: RequestInit) =>
  errorCode(await fetch(chapar.url + path, init))

/** First second of the month after. */
function nextMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
}

describe('GET /me', () => {
  test('tells balance, key and limits as they are now, before anything is written', async () => {
    const { key } = await chapar.customer({
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
      caps: {
        key_spend_limit: {
          limit_usd: '5.000000',
          spent_usd: '0.000450',
          left_usd: '4.999550',
          resets_at: null,
        },
        project_monthly_budget: null,
        account_daily_cap: null,
        preverification_ceiling: null,
      },
    })
  })

  test('works with the other header, and shows a key’s own values', async () => {
    const { key } = await chapar.customer({
      usd: '1234.5',
      key: { requestsPerMinute: 7, expiresAt: 4_102_444_800_000 as never },
    })
    const response = await fetch(`${chapar.url}/me`, { headers: { 'x-api-key': key } })
    expect(await response.json()).toMatchObject({
      balance: { usd: '1234.500000', usd_display: '$1,234.50' },
      key: { rpm_limit: 7, expires_at: 4_102_444_800 },
    })
  })

  test.each([
    [401, 'missing_api_key', async (): Promise<string> => ''],
    [401, 'invalid_api_key', async (): Promise<string> => 'sk-chapar-v1-nobody'],
    [
      403,
      'project_inactive',
      async (): Promise<string> => (await chapar.customer({ project: { active: false } })).key,
    ],
  ] as const)('is refused with %i %s', async (status, code, key) => {
    const response: Response = await me(await key())
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  test('tells what holds all the same where nobody set a limit', async () => {
    const { key, account } = await chapar.customer({
      usd: '12.345',
      key: { requestsPerMinute: null },
    })
    const { storage } = chapar
    await storage.directory.setAccount(account, { requestsPerMinute: noAccountRpm })
    await chapar.post(ask('priced'), { authorization: `Bearer ${key}` })
    expect(await (await me(key)).json()).toMatchObject({
      balance: { available_usd: '12.344550' },
      key: {
        rpm_limit: chapar.gateway.parts.settings.addressRequestsPerMinute,
        spend_limit_usd: '12.345000',
        spent_usd: '0.000450',
      },
      caps: { key_spend_limit: null },
    })
  })

  test('counts the day of the service among the limits of a key without one', async () => {
    const { key } = await chapar.customer({ project: { monthlyBudget: nanoUsd(5e9) } })
    const limitOf = async () =>
      ((await (await me(key)).json()) as { key: { spend_limit_usd: string } }).key.spend_limit_usd
    const limits: string[] = []
    for (const capacity of ['3.5', '7', 'none']) {
      await chapar.storage.settings.set('day-capacity', capacity)
      await chapar.gateway.reloadSettings()
      limits.push(await limitOf())
    }
    expect(limits).toEqual(['3.500000', '5.000000', '5.000000'])
  })

  test('tells the lowest limit of project and account for a key without one', async () => {
    const limited = {
      project: { monthlyBudget: nanoUsd(5e9) },
      account: { dailyCap: nanoUsd(3e9) },
    }
    const { key } = await chapar.customer(limited)
    const { key: told } = (await (await me(key)).json()) as { key: { spend_limit_usd: string } }
    expect(told.spend_limit_usd).toBe('3.000000')
    const own = await chapar.customer({ ...limited, key: { spendLimit: nanoUsd(7e9) } })
    expect(await (await me(own.key)).json()).toMatchObject({ key: { spend_limit_usd: '7.000000' } })
  })

  test('is the one answer of a suspended account', async () => {
    const suspended = await chapar.customer({ account: { status: 'suspended' } })
    const response = await me(suspended.key)
    expect([response.status, await response.json()]).toMatchObject([200, { status: 'suspended' }])
    const authorization = `Bearer ${suspended.key}`
    for (const path of ['/usage', '/videos', '/requests/req_1', '/videos/vid_1'])
      expect(await codeAt(path, { headers: { authorization } })).toBe('account_suspended')
    for (const path of ['/chat/completions', '/messages/count_tokens', '/videos'])
      expect(await codeAt(path, { method: 'POST', body: '{}', headers: { authorization } })).toBe(
        'account_suspended',
      )
    expect(await codeAt('/videos/vid_1', { method: 'DELETE', headers: { authorization } })).toBe(
      'account_suspended',
    )
  })

  test('is refused to a suspended account by what else is wrong', async () => {
    const suspended = { status: 'suspended' } as const
    const off = await chapar.customer({ account: suspended, project: { active: false } })
    const disabled = await chapar.customer({ account: suspended, key: { state: 'disabled' } })
    expect(await errorCode(await me(off.key))).toBe('project_inactive')
    expect(await errorCode(await me(disabled.key))).toBe('api_key_disabled')
  })

  test('tells an unverified account its ceiling, and everybody the caps and what is left of them', async () => {
    const { key, account } = await chapar.customer({
      usd: '10',
      account: { verified: false, dailyCap: parseUsd('1') },
      project: { monthlyBudget: parseUsd('3') },
    })
    await chapar.post(ask('priced'), { authorization: `Bearer ${key}` })
    // Below what was spent: what is left is never less than nothing.
    await chapar.storage.directory.setAccount(account, { dailyCap: parseUsd('0.0004') })
    chapar.gateway.parts.identity.expire()
    const now = Date.now()
    const nextDay = Math.floor(now / 86_400_000 + 1) * 86_400
    const { caps } = (await (await me(key)).json()) as { caps: Record<string, unknown> }
    expect(caps).toEqual({
      key_spend_limit: null,
      project_monthly_budget: {
        limit_usd: '3.000000',
        spent_usd: '0.000450',
        left_usd: '2.999550',
        resets_at: nextMonth(now),
      },
      account_daily_cap: {
        limit_usd: '0.000400',
        spent_usd: '0.000450',
        left_usd: '0.000000',
        resets_at: nextDay,
      },
      preverification_ceiling: {
        limit_usd: '2.000000',
        spent_usd: '0.000450',
        left_usd: '1.999550',
        resets_at: null,
      },
    })
  })

  test('costs one of the key’s requests, and is refused when none is left', async () => {
    const { key } = await chapar.customer({ key: { requestsPerMinute: 1 } })
    expect((await me(key)).status).toBe(200)
    const response = await me(key)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(response.headers.get('x-ratelimit-limit')).toBe('1')
  })
})
