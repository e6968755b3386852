import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { openTestGateway, type TestGateway } from '../support/gateway'
import {
  codeAt,
  openOperatorVisitor,
  operatorKey,
  operatorPassword,
  setUpOperator,
  type OperatorVisitor,
} from './operator-visitor'

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
    expect(listed.body).toMatchObject({ data: [{ status: 'active' }] })
    const refused = await admin(key, 'POST', '/accounts', { name: 'x' })
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        error: {
          message: 'این کار نقش «کارمند» می‌خواهد؛ نقش شما «بیننده» است.',
          type: 'permission_error',
          code: 'role_too_low',
          param: null,
          facts: { needed: 'staff', role: 'viewer' },
        },
      } as never,
    ])
    expect((await admin('op-v1-wrong', 'GET', '/accounts')).status).toBe(401)
    expect((await admin(key, 'GET', '/nothing')).status).toBe(404)
  })
})

const codeOf = ({ body }: { body: never }): string =>
  (body as { error: { code: string } }).error.code
const trailOf = async (subject: string) =>
  (
    await owner.send<{ data: { id: number; what: string; who: string; undoable: boolean }[] }>(
      'GET',
      `/trail?subject=${subject}`,
    )
  ).body.data

describe('the console', () => {
  test('answers nobody without a session, and no page of elsewhere with one', async () => {
    const stranger = openOperatorVisitor(new URL(gateway.url).origin)
    expect((await stranger.send('GET', '/accounts')).status).toBe(401)
    expect((await stranger.send('POST', '/accounts', { name: 'x' })).status).toBe(401)
    const forged = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const { status, body } = await owner.send('POST', '/accounts', { name: 'x' }, forged)
    expect([status, codeOf({ body })]).toEqual([403, 'forged'])
    expect((await owner.send('GET', '/nothing')).status).toBe(404)
  })

  test('keeps its cookie from scripts and from other sites', async () => {
    const visitor = openOperatorVisitor(new URL(gateway.url).origin)
    const { secret } = await setUpOperator(gateway, systemClock, { name: 'reza', role: 'staff' })
    const soon = (systemClock.now() + 30_000) as ReturnType<typeof systemClock.now>
    const typed = { name: 'reza', password: operatorPassword, code: codeAt(secret, soon) }
    const { headers } = await visitor.send('POST', '/sign-in', typed)
    expect(headers.get('set-cookie')).toContain('HttpOnly; SameSite=Strict; Max-Age=43200')
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await visitor.send('GET', '/me')).body as object).toEqual({
      name: 'reza',
      role: 'staff',
    })
    expect((await visitor.send('PUT', '/rate', { coins_per_usd: '1' })).status).toBe(403)
    await visitor.send('DELETE', '/session')
    expect((await visitor.send('GET', '/me')).status).toBe(401)
  })

  test('finds an account by its name, number, phone and the beginning of a key', async () => {
    const { storage } = gateway
    const names = { account: 'نانوایی ۱۰۰٪', project: 'p' }
    const { account } = await storage.people.begin('+989121234567' as never, names)
    const [project] = await storage.directory.listProjects(account)
    const { body: key } = await owner.send<{ secret: string; prefix: string }>(
      'POST',
      `/projects/${project?.id}/keys`,
      { name: 'k' },
    )
    const find = async (text: string) =>
      (
        await owner.send<{ data: { id: number }[] }>(
          'GET',
          `/accounts?text=${encodeURIComponent(text)}`,
        )
      ).body.data.map(({ id }) => id)
    for (const text of [
      'نانوایی',
      '۱۰۰٪',
      '0912 123 45',
      '09121234567',
      '۰۹۱۲۱۲۳',
      key.prefix,
      key.secret,
    ])
      expect([text, await find(text)]).toEqual([text, [account]])
    expect(await find(String(account))).toContain(account)
    for (const text of ['%', '_', "' or 1=1", 'sk-chapar-v1-zzzzzz'])
      expect(await find(text)).toEqual([])
  })

  test('finds nothing by a phone for viewers, at no door', async () => {
    const names = { account: 'kiosk', project: 'p' }
    const { account } = await gateway.storage.people.begin('+989127654321' as never, names)
    const mina = { name: 'mina', role: 'viewer' } as const
    const { visitor: viewer } = await setUpOperator(gateway, systemClock, mina)
    const key = await operatorKey(gateway, 'viewer')
    const staff = await operatorKey(gateway, 'staff')
    const found = ({ body }: { body: { data: { id: number | string }[] } }) =>
      body.data.map(({ id }) => Number(id))
    for (const phone of ['09127654321', '+98 912 765 4321', '۰۹۱۲۷۶۵۴۳۲۱', '0912765'])
      for (const path of ['/accounts?text=', '/search?text=']) {
        const asked = `${path}${encodeURIComponent(phone)}`
        expect(found(await viewer.send('GET', asked))).toEqual([])
        expect(found(await admin(key, 'GET', asked))).toEqual([])
        expect(found(await admin(staff, 'GET', asked))).toEqual([account])
      }
    expect(found(await viewer.send('GET', '/accounts?text=kiosk'))).toEqual([account])
  })

  test('shows phones masked, and whole ones by a look that stands in the trail', async () => {
    const { body } = await owner.send<{ data: { id: number }[] }>('GET', '/accounts?text=0912123')
    const [found] = body.data
    const one = await owner.send<{ people: { phone: string }[] }>('GET', `/accounts/${found?.id}`)
    expect(one.body.people.map(({ phone }) => phone)).toEqual(['0912 ··· 4567'])
    const whole = await owner.send<{ data: { phone: string }[] }>(
      'POST',
      `/accounts/${found?.id}/phones`,
    )
    expect(whole.body.data.map(({ phone }) => phone)).toEqual(['0912 123 4567'])
    expect((await trailOf(`account:${found?.id}`))[0]).toMatchObject({
      what: 'account.phones',
      who: 'operator:sara',
    })
  })

  test('undoes what is still as it was left, and nothing else', async () => {
    const { body: made } = await owner.send<{ id: number }>('POST', '/accounts', { name: 'before' })
    await owner.send('PATCH', `/accounts/${made.id}`, { name: 'after', daily_cap_usd: '5' })
    const [first] = await trailOf(`account:${made.id}`)
    await owner.send('PATCH', `/accounts/${made.id}`, { daily_cap_usd: '6' })
    const [second] = await trailOf(`account:${made.id}`)
    const undo = async (line: { id: number } | undefined) =>
      await owner.send('POST', `/trail/${line?.id}/undo`)
    const early = await undo(first)
    expect([early.status, codeOf(early)]).toEqual([409, 'changed_since'])
    expect((await undo(second)).status).toBe(200)
    expect((await undo(first)).status).toBe(200)
    const { body } = await owner.send<object>('GET', `/accounts/${made.id}`)
    expect(body).toMatchObject({ name: 'before', daily_cap_usd: null })
    expect((await trailOf(`account:${made.id}`)).map(({ what }) => what)).toEqual([
      'account.set',
      'account.set',
      'account.set',
      'account.set',
      'account.create',
    ])
    const [line] = (await trailOf(`account:${made.id}`)).slice(-1)
    expect(codeOf(await undo(line))).toBe('not_undoable')
  })

  test('sets and resets settings, undone too, and shuts nobody out by their own hand', async () => {
    const set = async (name: string, value: string) =>
      await owner.send('PUT', `/settings/${name}`, { value })
    expect((await set('kyc-ceiling', '3')).body as object).toMatchObject({
      source: 'command',
      text: '3.000000',
    })
    expect(gateway.gateway.parts.settings.kycCeiling).toBe(3_000_000_000 as never)
    const [line] = await trailOf('setting:kyc-ceiling')
    await owner.send('POST', `/trail/${line?.id}/undo`)
    expect(gateway.gateway.parts.settings.kycCeiling).toBe(2_000_000_000 as never)
    expect(codeOf(await set('kyc-ceiling', 'much'))).toBe('setting_invalid')
    expect(codeOf(await set('nothing', '1'))).toBe('setting_not_found')
    expect(codeOf(await set('prices-sources', '/etc/passwd'))).toBe('only_on_machine')
    expect(codeOf(await set('operator-addresses', '10.0.0.0/8'))).toBe('locks_you_out')
    expect((await set('operator-addresses', '127.0.0.0/8 ::1')).status).toBe(200)
  })

  test('moves money once for a reference, and says so', async () => {
    const { body: made } = await owner.send<{ id: number }>('POST', '/accounts', { name: 'money' })
    const topup = async (usd: string) =>
      await owner.send('POST', `/accounts/${made.id}/topups`, { usd, reference: 'receipt-7' })
    const both = await Promise.all([topup('5'), topup('5')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both.map(({ body }) => (body as { balance_usd: string }).balance_usd)).toEqual([
      '5.000000',
      '5.000000',
    ])
    expect(codeOf(await topup('6'))).toBe('reference_taken')
    const below = { usd: '-9', reason: 'x', reference: 'a' }
    const refused = await owner.send('POST', `/accounts/${made.id}/adjustments`, below)
    expect([refused.status, codeOf(refused)]).toEqual([409, 'balance_below_zero'])
    const confirmed = { ...below, below_zero: true }
    expect(
      (await owner.send('POST', `/accounts/${made.id}/adjustments`, confirmed)).body as object,
    ).toMatchObject({ balance_usd: '-4.000000' })
    expect((await gateway.audit()).ok).toBe(true)
  })
})

test('operators are answered at their own port alone, where they have one', async () => {
  const own = await openTestGateway({ web: true, env: { CHAPAR_ADMIN_PORT: '0' } })
  try {
    const { origin } = new URL(own.url)
    for (const path of ['/app/api/operator/status', '/app/operator', '/admin/v1/openapi.json']) {
      const { status } = await fetch(origin + path)
      expect([path, status]).toEqual([path, 404])
    }
    const theirs = own.operatorUrl
    expect((await fetch(`${theirs}/app/api/operator/status`)).status).toBe(200)
    expect((await fetch(`${theirs}/admin/v1/openapi.json`)).status).toBe(200)
    expect((await fetch(`${theirs}/v1/models`)).status).toBe(404)
    expect((await fetch(`${theirs}/app/api/me`)).status).toBe(404)
  } finally {
    await own.close()
  }
})

test('to addresses that are not named it is as if there were no operators', async () => {
  const env = { CHAPAR_OPERATOR_ADDRESSES: '10.0.0.0/8' }
  const closed = await openTestGateway({ web: true, env })
  try {
    const { origin } = new URL(closed.url)
    const asked = await fetch(`${origin}/admin/v1/accounts`)
    const unknown = await fetch(`${origin}/admin/unknown`)
    expect([asked.status, unknown.status]).toEqual([404, 404])
    expect((await fetch(`${origin}/app/operator`)).status).toBe(404)
  } finally {
    await closed.close()
  }
})
