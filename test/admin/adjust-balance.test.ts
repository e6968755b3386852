import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { adjustBalance } from '../../src/business/accounts/adjust-balance'
import { parseUsd } from '../../src/domain/money'
import { operatorKey } from '../console/operator-visitor'
import { openTestGateway, type TestGateway } from '../support/gateway'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await openTestGateway()
})
afterEach(() => gateway.close())

const balance = async () =>
  (await gateway.storage.directory.findAccount(gateway.account))?.balance ?? null

const adjust = (usd: string, reference: string) =>
  adjustBalance(gateway.storage.directory, {
    account: gateway.account,
    amount: parseUsd(usd),
    reference,
    belowZero: false,
  })

describe('correcting a balance', () => {
  test('by several at once never goes below zero unconfirmed', async () => {
    const asked = Array.from({ length: 10 }, (_, at) => adjust('-60', `at-once-${at}`))
    const ended = await Promise.allSettled(asked)
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of ended)
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({
          code: 'balance_below_zero',
          facts: { balance: parseUsd('40'), after: parseUsd('-20') },
        })
    expect(await balance()).toBe(parseUsd('40'))
  })

  test('is the same when it is sent again, also where it would not be covered twice', async () => {
    expect(await adjust('-60', 'once')).toMatchObject({ repeated: false })
    expect(await adjust('-60', 'once')).toMatchObject({ repeated: true, balance: parseUsd('40') })
  })

  test('refuses more than an account can hold by a code of its own', async () => {
    const key = await operatorKey(gateway, 'owner')
    const send = (path: string, body: object) =>
      fetch(`${new URL(gateway.url).origin}/admin/v1/accounts/${gateway.account}/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      })
    expect((await send('topups', { usd: '8999999', reference: 'a' })).status).toBe(200)
    await gateway.storage.payments.setRate('0.001', 'test')
    for (const [path, body] of [
      ['topups', { usd: '8999999', reference: 'b' }],
      ['adjustments', { usd: '8999999', reference: 'c', reason: 'much' }],
      ['topups', { coins: 1_000_000_000, reference: 'd' }],
    ] as const) {
      const response = await send(path, body)
      const { error } = (await response.json()) as { error: { code: string; param: string } }
      expect([response.status, error.code, error.param]).toEqual([400, 'input_invalid', 'usd'])
    }
    expect(await balance()).toBe(parseUsd('9000099'))
  })
})

test('a key never ends at a moment that no calendar has: it would end never', async () => {
  const key = await operatorKey(gateway, 'owner')
  for (const [path, body] of [
    ['/operator-keys', { name: 'ci', role: 'owner', expires: '2026-13-45T00:00:00Z' }],
    ['/projects/1/keys', { name: 'ci', expires_at: '2026-13-45T00:00:00Z' }],
  ] as const) {
    const response = await fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
  }
})
