import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { parseUsd } from '../../src/domain/money'
import type { AccountId } from '../../src/domain/ids'
import { noticeBody } from '../../src/business/notices/notice-body'
import { noticeText } from '../../src/business/notices/notice-texts'
import { ask, commandSeen, openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, printedCodes, type Visitor } from './visitor'

let gateway: TestGateway
let visitor: Visitor
const open = async (env: Record<string, string> = {}) => {
  gateway = await openTestGateway({ web: true, env })
  visitor = openVisitor(gateway)
}
beforeEach(() => open())
afterEach(() => gateway.close())
const reopen = async (env: Record<string, string>) => {
  await gateway.close()
  await open(env)
}

interface Me {
  readonly look: object | null
  readonly person: { readonly id: number; readonly phone: string }
  readonly account: { readonly id: AccountId; readonly [field: string]: unknown }
  readonly accounts: readonly object[]
  readonly invitations: readonly object[]
  readonly phone_moves_at: number | null
  readonly language: string
  readonly zone: string
  readonly unread: number
}

const phone = '0912 345 6789'

describe('signing in', () => {
  test('by phone and code makes an account and a session', async () => {
    const asked = await visitor.send('POST', '/sign-in', { phone: '۰۹۱۲۳۴۵۶۷۸۹' })
    expect(asked.status).toBe(200)
    expect(asked.headers.get('cache-control')).toBe('no-store')
    expect(asked.body as object).toEqual({
      phone: '0912 ··· 6789',
      digits: 6,
      sent_before_seconds: null,
      resend_seconds: 60,
      life_seconds: 120,
      in_terminal: true,
    })
    const [code = ''] = printedCodes(gateway.logs())
    expect(JSON.stringify(asked.body)).not.toContain(code)
    const checked = await visitor.send('POST', '/sign-in/check', { phone, code })
    expect(checked.headers.getSetCookie()[0]).toMatch(
      /^chapar=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/,
    )
    const me = await visitor.send('GET', '/me', undefined, { 'accept-language': 'en' })
    expect(me.body as Me).toEqual({
      person: { id: 1, phone },
      account: {
        id: 2 as AccountId,
        name: '0912 ··· 6789',
        role: 'owner',
        verified: false,
        status: 'active',
        balance_usd: '0.000000',
        held_usd: '0.000000',
        kyc: { spent_usd: '0.000000', ceiling_usd: '2.000000', state: null },
      },
      phone_moves_at: null,
      accounts: [{ id: 2, name: '0912 ··· 6789', role: 'owner' }],
      invitations: [],
      language: 'en',
      look: null,
      unread: 0,
      zone: 'Asia/Tehran',
    })
  })

  test('comes to the same account again', async () => {
    const first = (await visitor.signIn(phone)).body as Me
    await visitor.send('DELETE', '/session')
    expect(await visitor.send('POST', '/sign-in', { phone })).toMatchObject({ status: 200 })
    expect(await visitor.send('POST', '/sign-in', { phone })).toMatchObject({
      status: 429,
      body: { error: { code: 'code_too_soon', waitSeconds: expect.any(Number) as number } },
    })
    const again = (await openVisitor(gateway).signIn(phone)).body as Me
    expect(again.account.id).toBe(first.account.id)
    expect(first.account.id).toBe(2 as AccountId)
    expect(await gateway.storage.directory.listAccounts()).toHaveLength(2)
  })

  test('tells how long to wait in its header too', async () => {
    await visitor.send('POST', '/sign-in', { phone })
    const again = await visitor.send('POST', '/sign-in', { phone })
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(50)
  })

  test.each([
    [{ phone: '123' }, 400, 'phone_invalid'],
    [{}, 400, 'input_invalid'],
    [{ phone: 9 }, 400, 'input_invalid'],
  ] as const)('refuses %p', async (body, status, code) => {
    expect(await visitor.send('POST', '/sign-in', body)).toMatchObject({
      status,
      body: { error: { code } },
    })
  })

  test('lets an address that guesses wait', async () => {
    await reopen({ CHAPAR_FAILED_ATTEMPTS: '3' })
    await visitor.send('POST', '/sign-in', { phone })
    const [right = ''] = printedCodes(gateway.logs())
    const wrong = right === '000000' ? '000001' : '000000'
    const codes: unknown[] = []
    for (let count = 0; count < 5; count++) {
      const tried = await visitor.send('POST', '/sign-in/check', { phone, code: wrong })
      codes.push((tried.body as { error: { code: string } }).error.code)
    }
    expect(codes).toEqual([
      ...Array.from({ length: 3 }, () => 'code_wrong'),
      ...Array.from({ length: 2 }, () => 'too_many_requests'),
    ])
    // Nothing is compared for it meanwhile, not even the right code.
    expect((await visitor.send('POST', '/sign-in/check', { phone, code: right })).status).toBe(429)
  })

  test('ends at the number of codes an hour, and the operator is told once', async () => {
    await reopen({ CHAPAR_SMS_PER_HOUR: '1' })
    await visitor.send('POST', '/sign-in', { phone })
    for (const other of ['09120000001', '09120000002'])
      expect(await visitor.send('POST', '/sign-in', { phone: other })).toMatchObject({
        status: 429,
        body: { error: { code: 'sms_capacity' } },
      })
    const told = await gateway.storage.notices.list({ pending: false, most: 10 })
    expect(told.map(({ notice }) => notice.kind)).toEqual(['sms_per_hour'])
    expect(told.map(({ notice }) => noticeBody(notice))).toMatchObject([
      { limit: '1', count: 1, spent: null, subject: { type: 'service' } },
    ])
    expect(told.map(({ notice }) => noticeText(notice).en)).toEqual([
      expect.stringContaining('All 1 sign-in codes of an hour') as string,
    ])
  })

  test('is limited by address for strangers', async () => {
    await reopen({ CHAPAR_ADDRESS_RPM: '5' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => visitor.send('GET', '/me', undefined)),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3)
  })

  test.each([{}, { CHAPAR_URL: 'https://ai.example.ir' }, { CHAPAR_URL: 'http://localhost' }])(
    'is closed where no provider is set up, and nothing is printed: %p',
    async (env: Record<string, string>) => {
      await reopen({ ...env, CHAPAR_DEMO: '0' })
      for (let count = 0; count < 2; count++)
        expect(await visitor.send('POST', '/sign-in', { phone })).toMatchObject({
          status: 503,
          body: { error: { code: 'sms_failed' } },
        })
      expect(gateway.logs()).toBe('')
    },
  )
})

describe('forgery', () => {
  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
  ])('from %p changes nothing', async (headers) => {
    await visitor.signIn(phone)
    expect((await visitor.send('DELETE', '/sessions', undefined, headers)).status).toBe(403)
    expect((await visitor.send('GET', '/me')).status).toBe(200)
  })

  test('of a form is no JSON', async () => {
    const sent = await visitor.send('POST', '/sign-in', { phone }, { 'content-type': 'text/plain' })
    expect(sent.status).toBe(400)
  })
})

describe('a session', () => {
  test('is needed, and a token that is none counts as a stranger’s', async () => {
    for (const headers of [{}, { cookie: 'chapar=x' }])
      expect(await visitor.send('GET', '/me', undefined, headers)).toMatchObject({
        status: 401,
        body: { error: { code: 'signed_out' } },
      })
  })

  test('ends by signing out, here or everywhere', async () => {
    await visitor.signIn(phone)
    const kept = visitor.cookie()
    const sessions = await visitor.send('GET', '/sessions')
    expect(sessions.body as object).toMatchObject([{ current: true, address: '127.0.0.1' }])
    await visitor.send('DELETE', '/session')
    expect(visitor.cookie()).toBe('')
    expect((await visitor.send('GET', '/me', undefined, { cookie: kept })).status).toBe(401)

    const other = openVisitor(gateway)
    await other.signIn('09120000001')
    expect((await other.send('DELETE', '/sessions')).body as object).toEqual({ ended: 1 })
    expect((await other.send('GET', '/me')).status).toBe(401)
  })

  test('sees what commands and calls do to the account', async () => {
    const { account } = (await visitor.signIn(phone)).body as Me
    await gateway.storage.directory.deposit({
      account: account.id,
      amount: parseUsd('5'),
      kind: 'topup',
      reference: 'a',
    })
    await gateway.storage.directory.setAccount(account.id, { verified: true, status: 'suspended' })
    gateway.gateway.changed()
    await commandSeen()
    expect(((await visitor.send('GET', '/me')).body as Me).account).toMatchObject({
      balance_usd: '5.000000',
      kyc: null,
      status: 'suspended',
    })
  })

  test.each<[Record<string, string>, boolean]>([
    [{ CHAPAR_URL: 'https://ai.example.ir' }, true],
    // Nobody said how people come: the strict form.
    [{ CHAPAR_DEMO: '0' }, true],
    [{ CHAPAR_DEMO: '0', CHAPAR_URL: 'http://10.1.2.3:8080' }, false],
    [{}, false],
  ])(
    'has a cookie that is sent over https alone unless told otherwise: %p',
    async (env, isStrict) => {
      await reopen(env)
      const ended = await visitor.send('DELETE', '/session')
      expect(ended.headers.get('set-cookie')).toBe(
        isStrict
          ? '__Host-chapar=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure'
          : 'chapar=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
      )
    },
  )

  test.each([
    ['http://10.1.2.3:8080', 'needs_https'],
    ['http://ai.example.ir', 'needs_https'],
    ['https://ai.example.ir', 'phone_invalid'],
    ['http://localhost:8080', 'phone_invalid'],
    ['http://[::1]:8080', 'phone_invalid'],
  ])(
    'is not begun by a page whose browser would drop its cookie: %s → %s',
    async (origin, code) => {
      await reopen({ CHAPAR_DEMO: '0' })
      const headers = { origin, host: new URL(origin).host }
      const asked = await visitor.send('POST', '/sign-in', { phone: '1' }, headers)
      expect(asked).toMatchObject({ status: 400, body: { error: { code } } })
    },
  )
})

test('changes are bounded as requests are, by address: each is kept for good', async () => {
  await reopen({ CHAPAR_ADDRESS_RPM: '30' })
  await visitor.signIn(phone)
  const made: unknown[] = []
  for (let count = 0; count < 40; count++) {
    const { status, body } = await visitor.send('POST', '/projects', { name: `p${count}` })
    made.push(status === 200 ? status : (body as { error: { code: string } }).error.code)
  }
  expect(made.filter((each) => each === 200).length).toBeLessThan(35)
  expect(made.at(-1)).toBe('too_many_requests')
  // Reading goes on, and calls from there have a count of their own.
  expect((await visitor.send('GET', '/projects')).status).toBe(200)
  expect((await gateway.post(ask('nothing'))).status).toBe(404)
})
