import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Phone } from '../../src/domain/phone'
import { operatorRoles, type OperatorRole } from '../../src/domain/fields/operator-fields'
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

test('people are listed page by page, and by a phone for staff alone', async () => {
  const { people } = gateway.storage
  const names = { account: 'a', project: 'b' }
  const { person } = await people.begin('+989123456789' as Phone, names)
  await people.begin('+989123456780' as Phone, names)
  const listed = async (role: OperatorRole, query: string) =>
    await ask(role, 'GET', `/people${query}`)
  const first = await listed('viewer', '?max=1')
  expect(first.answer).toMatchObject({ data: [{ phone: '0912 ··· 6789' }], next: person })
  const second = await listed('viewer', `?after=${person}`)
  expect(second.answer).toMatchObject({ data: [{ phone: '0912 ··· 6780' }], next: null })
  expect((await listed('viewer', '?phone=09123456789')).code).toBe('role_too_low')
  expect((await listed('staff', '?phone=09123456789')).answer).toMatchObject({
    data: [{ id: person }],
  })
  expect((await listed('staff', '?phone=0912')).code).toBe('input_invalid')
})

test('a person is moved to another number, which is taken back once', async () => {
  const { people } = gateway.storage
  const { person } = await people.begin('+989120000001' as Phone, { account: 'a', project: 'b' })
  const move = (body: object) => ask('owner', 'POST', `/people/${person}/move`, body)
  expect((await move({})).code).toBe('input_invalid')
  expect((await move({ phone: '09120000001' })).code).toBe('phone_taken')
  expect((await move({ phone: null })).answer).toMatchObject({ person, to: null, keys: [] })
  const keep = () => ask('staff', 'DELETE', `/people/${person}/move`)
  expect((await keep()).answer).toMatchObject({ person, canceled: true })
  expect((await keep()).code).toBe('phone_move_not_found')
  expect((await ask('owner', 'POST', '/people/999/move', { phone: null })).code).toBe(
    'person_not_found',
  )
})

test('the limits of a number are lifted, whoever has it', async () => {
  const { answer } = await ask('staff', 'POST', '/phones/unlock', { phone: '۰۹۱۲۰۰۰۰۰۰۹' })
  const told = { phone: '0912 ··· 0009', number: '0912 000 0009', codes: 0, wrong: 0 }
  expect(answer).toEqual(told as object)
})

test('a service that verifies is set up without its secret being shown, and taken away', async () => {
  const path = '/verification-service'
  expect((await ask('viewer', 'GET', path)).answer).toEqual({ service: null } as object)
  const url = 'https://check.example/shahkar'
  const set = await ask('owner', 'PUT', path, { url, secret: 'very-secret' })
  expect(set.answer).toMatchObject({ url, header: 'authorization', has_secret: true })
  const shown = await ask('viewer', 'GET', path)
  expect(shown.answer).toEqual({ service: set.answer } as object)
  expect(JSON.stringify(shown)).not.toContain('very-secret')
  expect((await ask('owner', 'PUT', path, { url: 'http://check.example' })).code).toBe(
    'checker_url_invalid',
  )
  expect((await ask('owner', 'DELETE', path)).status).toBe(200)
  expect((await ask('owner', 'DELETE', path)).code).toBe('checker_not_found')
})

test('the sister service is set up by its address, and its tickets are checked', async () => {
  const path = '/sister-service'
  expect((await ask('viewer', 'GET', path)).code).toBe('sister_not_found')
  const wanted = { sign_in_url: 'https://barid.example/chapar', secret: 'a secret '.repeat(5) }
  const set = await ask('owner', 'PUT', path, wanted)
  expect(set.answer).toMatchObject({ name: 'barid.example', has_secret: true })
  expect((await ask('viewer', 'GET', path)).answer).toEqual(set.answer)
  const check = await ask('staff', 'POST', `${path}/ticket-checks`, { ticket: 'x' })
  expect(check.code).toBeOneOf(['public_url_missing', 'ticket_refused'])
  expect((await ask('owner', 'DELETE', path)).status).toBe(200)
  expect((await ask('owner', 'DELETE', path)).code).toBe('sister_not_found')
})

test('usage and profit are summed up by what is asked for', async () => {
  const usage = await ask('viewer', 'GET', '/usage?group=account&from=2026-01-01&to=2026-01-02')
  expect(usage.answer).toEqual({
    from: '2026-01-01',
    to: '2026-01-02',
    group: 'account',
    total_usd: '0.000000',
    data: [],
  } as object)
  for (const wrong of ['from=2026-02-30', 'group=planet', 'from=2026-01-02&to=2026-01-01'])
    expect((await ask('viewer', 'GET', `/usage?${wrong}`)).code).toBe('input_invalid')
  const profit = await ask('viewer', 'GET', '/profit?group=account&sort=margin&limit=1')
  expect(profit.answer).toMatchObject({ group: 'account', total: { calls: 0 }, has_more: false })
  for (const wrong of ['limit=1', 'sort=margin', 'group=planet', 'from=2026-01-02T00:00:00'])
    expect((await ask('viewer', 'GET', `/profit?${wrong}`)).code).toBe('input_invalid')
})
