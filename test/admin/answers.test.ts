import { afterAll, beforeAll, expect, test } from 'bun:test'
import { operatorRoles, type OperatorRole } from '../../src/operators/role'
import { operatorKey } from '../console/operator-visitor'
import { openTestGateway, type TestGateway } from '../support/gateway'

let gateway: TestGateway
const keys = new Map<OperatorRole, string>()

beforeAll(async () => {
  gateway = await openTestGateway()
  for (const role of operatorRoles) keys.set(role, await operatorKey(gateway, role))
})
afterAll(() => gateway.close())

async function ask(role: OperatorRole, method: string, path: string, body?: object) {
  const response = await fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${keys.get(role)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { readonly error?: { readonly code: string } }
  return { status: response.status, answer, code: answer.error?.code ?? null }
}

test('one setting is read by its name', async () => {
  await ask('owner', 'PUT', '/settings/streaming', { value: 'off' })
  const { answer } = await ask('viewer', 'GET', '/settings/streaming')
  expect(answer).toMatchObject({ name: 'streaming', value: false, source: 'command' })
  expect(await ask('viewer', 'GET', '/settings/moon')).toMatchObject({ code: 'setting_not_found' })
})

test('a link is made for the first operator, and for one who has not followed theirs', async () => {
  const linked = async (body: object) =>
    (await ask('owner', 'POST', '/operators/links', body)).answer as { readonly link: string }
  expect(await linked({})).toMatchObject({ operator: null, role: 'owner' })
  await ask('owner', 'POST', '/operators', { name: 'sara', role: 'staff' })
  const again = await linked({ name: 'sara' })
  expect(again).toMatchObject({ operator: 'sara', role: 'staff' })
  expect(again.link).toContain('/app/operator/setup#')
  expect(await ask('owner', 'POST', '/operators/links', { name: 'reza' })).toMatchObject({
    code: 'operator_not_found',
  })
})
