import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { systemPaymentId, type AccountId } from '../../src/domain/ids'
import { parseUsd } from '../../src/domain/money'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { setUpOperator, type OperatorVisitor } from './operator-visitor'

let gateway: TestGateway
let owner: OperatorVisitor
let staff: OperatorVisitor
let account: AccountId

beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  owner = (await setUpOperator(gateway, systemClock)).visitor
  staff = (await setUpOperator(gateway, systemClock, { name: 'reza', role: 'staff' })).visitor
  account = (await gateway.storage.directory.createAccount({ name: 'Sara' })).id
})
afterAll(() => gateway.close())

/** A payment of 500,000 coins that its customer went to the bank for. */
async function begun() {
  const id = systemPaymentId()
  const created = systemClock.now()
  await gateway.storage.cardPayments.begin(
    {
      id,
      account,
      person: null,
      gateway: 'main',
      kind: 'zarinpal',
      coins: { count: 500_000, rate: '100000', until: (created + 900_000) as typeof created },
      amount: parseUsd('5'),
      charge: { currency: 'IRR', amount: 5_000_000 },
      created,
      due: (created + 3_600_000) as typeof created,
    },
    { max: 10, since: created },
  )
  await gateway.storage.cardPayments.refer(id, id)
  return id
}

const kindsOf = async (payment: string) =>
  (await gateway.storage.notices.list({ pending: false, most: 50 }))
    .filter(({ notice }) => notice.period === payment)
    .map(({ notice }) => notice.kind)

test.each([
  ['chapar_lang=en', 'en', 'There is no account 999999.'],
  ['chapar_lang=fa', 'en', 'حساب 999999 نیست.'],
  ['other=1', 'en', 'There is no account 999999.'],
])(
  'a refused change comes with its text in the language of the page: %s',
  async (cookie, language, text) => {
    const { status, body } = await owner.send<{ error: Record<string, unknown> }>(
      'GET',
      '/accounts/999999',
      undefined,
      { cookie: `${owner.cookie()}; ${cookie}`, 'accept-language': language },
    )
    const { message, ...error } = body.error
    expect([status, String(message).replaceAll(/[\u2066-\u2069]/g, '')]).toEqual([404, text])
    expect(error).toEqual({ code: 'account_not_found', account: 999_999 })
  },
)

describe('a payment by card', () => {
  test('tells its people once that it was credited, however often it is', async () => {
    const id = await begun()
    const { cardPayments } = gateway.storage
    await cardPayments.credit(id, { state: 'paid', receipt: '1', card: null })
    await cardPayments.credit(id, { state: 'paid', receipt: '1', card: null })
    expect(await kindsOf(id)).toEqual(['payment_credited'])
  })

  test('tells that it was refused, and then that it was credited after all', async () => {
    const id = await begun()
    const { cardPayments } = gateway.storage
    await cardPayments.note(id, { state: 'refused', code: '-51', due: null })
    await cardPayments.note(id, { state: 'refused', code: '-51', due: null })
    expect(await kindsOf(id)).toEqual(['payment_refused'])
    await cardPayments.credit(id, { state: 'paid', receipt: '1', card: null })
    expect((await kindsOf(id)).toSorted()).toEqual(['payment_credited', 'payment_refused'])
  })

  test('is listed by its state, and says why it is not asked where its gateway is gone', async () => {
    const id = await begun()
    const { body } = await owner.send<{ data: { id: string }[] }>('GET', '/payments?state=started')
    expect(body.data.map((each) => each.id)).toContain(id)
    const asked = await staff.send<{ error: { code: string } }>('POST', `/payments/${id}/settle`)
    expect(asked.body.error.code).toBe('payment_gateway_gone')
  })
})

test('codes are told once, and are worth no more than staff may move', async () => {
  const made = await staff.send<{ batch: string; data: { code: string }[] }>('POST', '/codes', {
    usd: '1',
    count: 2,
    batch: 'winter',
  })
  expect(made.body.data.map(({ code }) => code.length)).toEqual([24, 24])
  const listed = await staff.send<{ data: { state: string }[] }>('GET', '/codes?batch=winter')
  expect(listed.body.data.map(({ state }) => state)).toEqual(['unused', 'unused'])
  expect(JSON.stringify(listed.body)).not.toContain(made.body.data[0]?.code ?? '')
  const much = await staff.send<{ error: { code: string } }>('POST', '/codes', {
    usd: '9999',
    count: 1000,
  })
  expect(much.body.error.code).toBe('amount_above_staff')
  const revoked = await staff.send<{ revoked: number }>('POST', '/codes/revocations', {
    batch: 'winter',
  })
  expect(revoked.body.revoked).toBe(2)
})

test('secrets of services outside are written, kept and never shown', async () => {
  const secret = '11111111-2222-3333-4444-555555555555'
  const set = await owner.send('PUT', '/gateways/main', { kind: 'zarinpal', secret })
  expect(set).toMatchObject({ status: 200, body: { has_secret: true } })
  const again = await owner.send('PUT', '/gateways/main', { kind: 'zarinpal' })
  expect(again).toMatchObject({ status: 200, body: { has_secret: true } })
  const listed = await owner.send('GET', '/gateways')
  const trail = await owner.send('GET', '/trail?max=200')
  expect(JSON.stringify([set.body, listed.body, trail.body])).not.toContain(secret)
  expect((await staff.send('PUT', '/gateways/main', { kind: 'zarinpal' })).status).toBe(403)
})

test('notes on an account are read by operators, and the trail tells only that they were written', async () => {
  const path = `/accounts/${account}/notes`
  const { body: note } = await staff.send<{ id: number }>('POST', path, { text: ' calls late ' })
  const listed = await owner.send<{ data: object[] }>('GET', path)
  expect(listed.body.data).toMatchObject([{ text: 'calls late', by: 'operator:reza' }])
  const trail = await owner.send('GET', `/trail?subject=account:${account}`)
  expect(JSON.stringify(trail.body)).toContain('note.add')
  expect(JSON.stringify(trail.body)).not.toContain('calls late')
  expect((await owner.send('DELETE', `${path}/${note.id}`)).status).toBe(200)
  expect((await owner.send('DELETE', `${path}/${note.id}`)).status).toBe(404)
})

test('one search finds accounts, keys, models, payments and settings', async () => {
  const { directory } = gateway.storage
  const project = await directory.createProject({ account, name: 'web' })
  await owner.send('POST', `/projects/${project.id}/keys`, { name: 'laptop' })
  const find = async (text: string) => {
    const { body } = await owner.send<{ data: { kind: string; account: number | null }[] }>(
      'GET',
      `/search?text=${encodeURIComponent(text)}`,
    )
    return body.data.map(({ kind }) => kind)
  }
  expect(await find('sara')).toContain('account')
  expect(await find('lapt')).toEqual(['key'])
  expect(await find('sandbox/echo')).toContain('model')
  expect(await find('staff-amount')).toContain('setting')
  expect(await find(await begun())).toEqual(['payment'])
  expect(await find('%_%')).toEqual([])
})

test('the checklist tells which steps are done', async () => {
  const stepOf = async (wanted: string) => {
    const { body } = await owner.send<{ data: { name: string; done: boolean; detail: unknown }[] }>(
      'GET',
      '/checklist',
    )
    return body.data.find(({ name }) => name === wanted)
  }
  expect(await stepOf('rate')).toMatchObject({ done: false, detail: null })
  await owner.send('PUT', '/rate', { coins_per_usd: '100000' })
  expect(await stepOf('rate')).toMatchObject({ done: true, detail: '100000' })
})
