import { afterEach, describe, expect, test } from 'bun:test'
import { createHmac, randomUUID } from 'node:crypto'
import { setSister } from '../../src/business/users/sso-rules'
import { openAuthenticator } from '../people/authenticator'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, type Visitor } from './visitor'

let gateway: TestGateway
let visitor: Visitor
const open = async (env: Record<string, string> = {}) => {
  gateway = await openTestGateway({ web: true, env })
  visitor = openVisitor(gateway)
}
afterEach(() => gateway.close())

const publicUrl = 'https://ai.example.ir'
const site = { rpId: 'ai.example.ir', origin: publicUrl }
/** Sign-in by code where the service is reached by https, and says no code on its page. */
const beginAs = async (phone: string) => {
  const { people } = gateway.storage
  const names = { account: 'shop', project: 'Project 1' }
  return await people.begin(`+98${phone.slice(1)}` as never, names)
}
const errorOf = ({ body }: { body: never }) => (body as { error: { code: string } }).error.code

describe('a passkey', () => {
  test('is registered and signs in over the API, and its cookie is safe', async () => {
    await open({ CHAPAR_URL: publicUrl })
    const { person, account } = await beginAs('09123456789')
    const { openSessions } = await import('../../src/business/users/sessions')
    const { systemClock } = await import('../../src/domain/clock')
    const { pepper, sessions: store } = gateway.storage
    const sessions = openSessions({
      store,
      clock: systemClock,
      pepper,
      limits: () => ({ idleMs: 3_600_000, lifeMs: 3_600_000 }),
    })
    const who = { person, account, role: 'owner' as const }
    const token = await sessions.begin(who, { address: '10.0.0.1', agent: '' })
    const cookie = { cookie: `__Host-chapar=${token}` }
    const device = openAuthenticator(site)
    const options = (await visitor.send('POST', '/passkeys/options', {}, cookie)).body as {
      challenge: string
      user: { id: string; name: string }
      rp: object
    }
    expect(options).toMatchObject({ rp: { id: 'ai.example.ir' }, user: { name: '0912 345 6789' } })
    const credential = device.make(options)
    const made = await visitor.send('POST', '/passkeys', { name: ' laptop ', credential }, cookie)
    expect(made).toMatchObject({ status: 200, body: { id: device.id, name: 'laptop' } })
    const asked = (await visitor.send('POST', '/sign-in/passkey/options', {})).body as {
      challenge: string
    }
    const entered = await visitor.send('POST', '/sign-in/passkey', device.answer(asked))
    expect(entered).toMatchObject({ status: 200, body: { person: { id: person } } })
    expect(entered.headers.getSetCookie()[0]).toMatch(/^__Host-chapar=[\w-]{43}; .*; Secure$/)
    const again = await visitor.send('POST', '/sign-in/passkey', device.answer(asked))
    expect([again.status, errorOf(again)]).toEqual([400, 'passkey_expired'])
  })

  test('is not offered where browsers have none', async () => {
    await open()
    expect((await visitor.send('GET', '/service')).body as object).toMatchObject({
      sign_in: { passkeys: false, sister: null },
    })
    const refused = await visitor.send('POST', '/sign-in/passkey/options', {})
    expect([refused.status, errorOf(refused)]).toEqual([400, 'passkeys_unavailable'])
  })
})

describe('a ticket of the sister service', () => {
  const secret = 'a secret of thirty-two characters or more'
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const ticketFor = (url: string) => {
    const { searchParams } = new URL(url)
    const seconds = Math.floor(Date.now() / 1000)
    const claims = {
      aud: searchParams.get('audience'),
      nonce: searchParams.get('nonce'),
      jti: randomUUID(),
      phone: '09123456789',
      iat: seconds,
      exp: seconds + 60,
    }
    const signed = `${part({ alg: 'HS256' })}.${part(claims)}`
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  }
  const openWithSister = async (env: Record<string, string> = {}) => {
    await open({ CHAPAR_URL: 'http://chapar.test', ...env })
    const signInUrl = 'https://barid.example/chapar'
    await setSister(gateway.storage.sister, { name: 'Barid', signInUrl, secret })
  }
  /** Another browser does not have the cookie that this one got. */
  const start = async (to: string) => {
    const { body, headers } = await visitor.send('POST', '/sign-in/sister', { to })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    return { ...(body as { url: string }), cookie }
  }

  test('signs in, says where to go on, and is good once', async () => {
    await openWithSister()
    expect((await visitor.send('GET', '/service')).body as object).toMatchObject({
      sign_in: { sister: 'Barid' },
    })
    const { url, cookie } = await start('/keys')
    const ticket = ticketFor(url)
    const elsewhere = await openVisitor(gateway).send('POST', '/sign-in/sister/ticket', { ticket })
    expect([elsewhere.status, errorOf(elsewhere)]).toEqual([400, 'ticket_elsewhere'])
    const trade = () => visitor.send('POST', '/sign-in/sister/ticket', { ticket }, { cookie })
    const traded = await trade()
    expect(traded).toMatchObject({
      status: 200,
      body: { to: '/keys', me: { person: { phone: '0912 345 6789' } } },
    })
    const cookies = traded.headers.getSetCookie()
    expect(cookies[0]).toMatch(/^chapar=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/)
    expect(cookies[1]).toMatch(/^chapar-sister=; .*Max-Age=0/)
    expect(errorOf(await trade())).toBe('ticket_used')
  })

  test('leads to pages of ours and nowhere else', async () => {
    await openWithSister()
    for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', '/a//b', 'x'])
      expect((await visitor.send('POST', '/sign-in/sister', { to })).status).toBe(400)
  })

  test('that is wrong counts as a wrong key: an address that guesses must wait', async () => {
    await openWithSister({ CHAPAR_FAILED_ATTEMPTS: '5' })
    const codes = []
    for (let tries = 0; tries < 8; tries++) {
      const body = { ticket: `a.b.${tries}` }
      codes.push((await openVisitor(gateway).send('POST', '/sign-in/sister/ticket', body)).status)
    }
    expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 400))
    expect(codes.at(-1)).toBe(429)
  })
})
