import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { operatorKey, setUpOperator, type OperatorVisitor } from './operator-visitor'

let gateway: TestGateway
let owner: OperatorVisitor

beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  owner = (await setUpOperator(gateway, systemClock)).visitor
})
afterAll(() => gateway.close())

const admin = async (key: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as never,
  }
}

describe('an operator', () => {
  test('makes a customer whose key pays for a call', async () => {
    const { body: account } = await owner.send<{ id: number }>('POST', '/accounts', {
      name: 'Sara',
    })
    const { body: project } = await owner.send<{ id: number }>(
      'POST',
      `/accounts/${account.id}/projects`,
      { name: 'web' },
    )
    await owner.send('POST', `/accounts/${account.id}/topups`, { usd: '5', reference: 'bank-1' })
    const { body: key } = await owner.send<{ id: number; secret: string }>(
      'POST',
      `/projects/${project.id}/keys`,
      { name: 'laptop' },
    )
    const call = async () =>
      await fetch(`${gateway.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.secret}` },
        body: JSON.stringify({
          model: 'sandbox/echo',
          messages: [{ role: 'user', content: 'hello' }],
        }),
      })
    expect((await call()).status).toBe(200)
    const { body } = await owner.send<{ data: { account: number }[] }>('GET', '/requests?max=1')
    expect(body.data[0]?.account).toBe(account.id)
    await owner.send('PUT', `/keys/${key.id}/on`, { on: false })
    expect((await call()).status).toBe(401)
  })

  test('is answered by /admin/v1 with a key, in the frame of the reference', async () => {
    const key = await operatorKey(gateway, 'viewer')
    const listed = await admin(key, 'GET', '/accounts?max=1')
    expect(listed.status).toBe(200)
    expect(listed.body).toMatchObject({ data: [{ name: expect.any(String) }] })
    const refused = await admin(key, 'POST', '/accounts', { name: 'x' })
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        error: {
          message: 'role_too_low',
          type: 'permission_error',
          code: 'role_too_low',
          param: null,
        },
      } as never,
    ])
    expect((await admin('op-v1-wrong', 'GET', '/accounts')).status).toBe(401)
    expect((await admin(key, 'GET', '/nothing')).status).toBe(404)
  })
})
