import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  approveVerification,
  rejectVerification,
  setChecker,
} from '../../src/business/verification/rules'
import { dayMs, systemClock, type Ms } from '../../src/domain/clock'
import type { AccountId } from '../../src/domain/ids'
import { parseUsd } from '../../src/domain/money'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, type Visitor } from './visitor'

let gateway: TestGateway
let sara: Visitor
let ahead = 0
const clock = { now: () => (systemClock.now() + ahead) as Ms }
beforeEach(async () => {
  ahead = 0
  gateway = await openTestGateway({ web: true, clock })
  sara = openVisitor(gateway)
  await sara.signIn('09123456789')
})
afterEach(() => gateway.close())

const form = {
  first_name: 'سارا',
  last_name: 'رضایی',
  national_code: '۰۰۱۲۳۴۵۶۷۹',
  birth_date: '1990-03-21',
  consent: true,
}
const submit = (who: Visitor, change: object = {}) =>
  who.send('POST', '/verification', { ...form, ...change })
const errorOf = ({ status, body }: { status: number; body: never }) => [
  status,
  (body as { error: { code: string } }).error.code,
]
const me = async (who: Visitor) =>
  (await who.send('GET', '/me')).body as {
    account: { id: AccountId; verified: boolean; kyc: { state: string | null } | null }
  }
const accountOf = async (who: Visitor) => (await me(who)).account.id
const parts = () => ({
  store: gateway.storage.by('command:test').verifications,
  clock,
  personAccounts: 1,
})

describe('a form', () => {
  test('is taken once and waits; its code is sealed, masked, and nowhere in the trail', async () => {
    expect(await submit(sara)).toMatchObject({
      status: 200,
      body: { state: 'submitted', national_code: '······5679' },
    })
    expect((await me(sara)).account.kyc).toMatchObject({ state: 'submitted' })
    expect(errorOf(await submit(sara))).toEqual([409, 'verification_waits'])
    const trail = await gateway.storage.trail.list({ subject: null, before: null, max: 100 })
    expect(trail.map(({ what }) => what)).toContain('verification.submit')
    expect(JSON.stringify(trail)).not.toContain('0012345679')
    const [row] = await gateway.storage.notices.list({ pending: false, most: 9 })
    expect(JSON.stringify(row ?? {})).not.toContain('0012345679')
  })

  test('is refused in words for whatever is wrong with it', async () => {
    for (const [change, code] of [
      [{ national_code: '0012345678' }, 'national_code_invalid'],
      [{ national_code: '1111111111' }, 'national_code_invalid'],
      [{ first_name: '<b>' }, 'name_invalid'],
      [{ birth_date: '1990-02-30' }, 'birth_date_invalid'],
      [{ birth_date: '2999-01-01' }, 'birth_date_invalid'],
      [{ consent: false }, 'input_invalid'],
    ] as const)
      expect(errorOf(await submit(sara, change))).toEqual([400, code])
    expect((await me(sara)).account.kyc).toMatchObject({ state: null })
  })

  test('sent twice at once is one request', async () => {
    const sent = await Promise.all([submit(sara), submit(sara), submit(sara)])
    expect(sent.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409,
    ])
  })

  test('of a person who is verified elsewhere is refused, three times a day at most', async () => {
    await submit(sara)
    await approveVerification(parts(), await accountOf(sara))
    const other = openVisitor(gateway)
    await other.signIn('09120000001')
    for (let tries = 0; tries < 3; tries++)
      expect(errorOf(await submit(other))).toEqual([409, 'national_code_taken'])
    expect(errorOf(await submit(other))).toEqual([429, 'verification_too_often'])
    ahead = dayMs + 1000
    expect(errorOf(await submit(other))).toEqual([409, 'national_code_taken'])
  })

  test('is the owner’s to send', async () => {
    const guest = openVisitor(gateway)
    await guest.signIn('09120000001')
    await sara.send('POST', '/members/invitations', { phone: '09120000001', role: 'member' })
    await guest.send('POST', '/invitations/1/accept')
    expect(errorOf(await submit(guest))).toEqual([403, 'owners_only'])
  })
})

/** A key of the account, with money on it. */
async function keyWithMoney(): Promise<string> {
  const account = await accountOf(sara)
  await gateway.storage.directory.deposit({
    account,
    amount: parseUsd('50'),
    kind: 'topup',
    reference: 'first',
  })
  const { data } = (await sara.send('GET', '/projects')).body as { data: { id: number }[] }
  const made = await sara.send('POST', '/keys', { project: data[0]?.id, name: 'k' })
  gateway.gateway.changed()
  return (made.body as { secret: string }).secret
}
const call = async (key: string): Promise<number> => {
  const response = await fetch(`${gateway.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      max_tokens: 5,
      messages: [{ role: 'user', content: 'hello' }],
    }),
  })
  await response.arrayBuffer()
  return response.status
}
const keyed = async (key: string) =>
  (await (
    await fetch(`${gateway.url}/me`, { headers: { authorization: `Bearer ${key}` } })
  ).json()) as { verified: boolean; caps: { preverification_ceiling: object | null } }

describe('a decision', () => {
  test('lifts the ceiling for the very next call, and a rejection puts it back', async () => {
    const key = await keyWithMoney()
    await gateway.storage.settings.set('kyc-ceiling', '0')
    await gateway.gateway.reloadSettings()
    const ask = () => call(key)
    expect(await ask()).toBe(403)
    expect((await keyed(key)).caps.preverification_ceiling).not.toBeNull()
    await submit(sara)
    await approveVerification(parts(), await accountOf(sara))
    gateway.gateway.changed()
    expect(await ask()).toBe(200)
    expect(await keyed(key)).toMatchObject({
      verified: true,
      caps: { preverification_ceiling: null },
    })
    expect((await me(sara)).account.kyc).toBeNull()
    await rejectVerification(parts(), await accountOf(sara), 'forged')
    gateway.gateway.changed()
    expect(await ask()).toBe(403)
    expect((await me(sara)).account.kyc).toMatchObject({ state: 'rejected' })
  })

  test('is made once, and of what is there', async () => {
    const account = await accountOf(sara)
    expect(approveVerification(parts(), account)).rejects.toMatchObject({
      code: 'verification_not_found',
    })
    await submit(sara)
    expect(rejectVerification(parts(), account, ' ')).rejects.toMatchObject({
      code: 'verification_reason_invalid',
    })
    await approveVerification(parts(), account)
    expect(approveVerification(parts(), account)).rejects.toMatchObject({
      code: 'verification_decided',
    })
    expect(errorOf(await submit(sara))).toEqual([409, 'verified_already'])
  })

  test('that rejects forgets who it was after 90 days', async () => {
    const account = await accountOf(sara)
    await submit(sara)
    await rejectVerification(parts(), account, 'unreadable')
    const { store } = parts()
    const after = (days: number) => (clock.now() - 90 * dayMs + days * dayMs) as Ms
    expect(await store.forget(after(-1), 10)).toBe(0)
    expect(await store.find(account)).toMatchObject({ identity: { firstName: 'سارا' } })
    expect(await store.forget(after(91), 10)).toBe(1)
    expect(await store.find(account)).toMatchObject({ state: 'rejected', identity: null })
    expect((await submit(sara)).status).toBe(200)
  })
})

describe('a service that decides', () => {
  interface Asked {
    readonly authorization: string | null
    readonly body: object
  }
  const asked: Asked[] = []
  let answer: () => Response = () => Response.json({ data: true })
  let service: ReturnType<typeof Bun.serve>
  beforeEach(async () => {
    asked.length = 0
    service = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const body = (await request.json()) as object
        asked.push({ authorization: request.headers.get('authorization'), body })
        return answer()
      },
    })
    await setChecker(gateway.storage.connections, {
      url: `http://127.0.0.1:${service.port}/shahkar`,
      body: null,
      pointer: '/data',
      header: null,
      secret: 'Bearer deep',
    })
  })
  afterEach(() => service.stop(true))

  test('approves at once, asked with number and code under its secret', async () => {
    answer = () => Response.json({ data: true, success: true })
    expect(await submit(sara)).toMatchObject({ status: 200, body: { state: 'approved' } })
    expect(asked).toEqual([
      {
        authorization: 'Bearer deep',
        body: { national_code: '0012345679', mobile: '09123456789' },
      },
    ])
    expect((await me(sara)).account).toMatchObject({ verified: true, kyc: null })
  })

  test('rejects a mismatch in words, three times a day', async () => {
    answer = () => Response.json({ data: false })
    for (let tries = 0; tries < 3; tries++)
      expect((await submit(sara)).body as object).toMatchObject({
        state: 'rejected',
        reason: 'mismatch',
      })
    expect(errorOf(await submit(sara))).toEqual([429, 'verification_too_often'])
    expect(asked).toHaveLength(3)
  })

  test.each([
    ['an error', () => new Response('no', { status: 500 })],
    ['a page', () => new Response('<html>')],
    ['a word', () => Response.json({ data: 'true' })],
    ['nothing of it', () => Response.json({ result: true })],
  ] as const)('leaves it to people where it answers %s', async (_, given) => {
    answer = given
    expect((await submit(sara)).body as object).toMatchObject({ state: 'submitted' })
    await approveVerification(parts(), await accountOf(sara))
    gateway.gateway.changed()
    expect((await me(sara)).account.verified).toBe(true)
  })
})
