import { afterEach, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { openAuthenticator } from '../people/authenticator'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { operatorPassword, setUpOperator } from './operator-visitor'
import { openVisitor, type Visitor } from './visitor'

let gateway: TestGateway
afterEach(() => gateway.close())

const token = 'x'.repeat(43)
const signed = {
  id: 'A'.repeat(16),
  rawId: 'A'.repeat(16),
  type: 'public-key',
  clientExtensionResults: {},
  response: {
    clientDataJSON: 'AAAA',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
    userHandle: 'AAAA',
  },
}

/** Browsers have passkeys there. */
const passkeys = { CHAPAR_URL: 'https://ai.example.ir' }

/** Every address at which a secret is compared, with one that is wrong. */
const doors: readonly {
  readonly path: string
  readonly body: object
  readonly as?: 'customer'
  readonly env?: typeof passkeys
}[] = [
  { path: '/sign-in/check', body: { phone: '09120000009', code: '123456' } },
  { path: '/sign-in/passkey', body: signed, env: passkeys },
  { path: '/sign-in/sister/ticket', body: { ticket: 'a.b.c' } },
  { path: '/look', body: { ticket: token } },
  {
    path: '/phone/check',
    body: { phone: '09120000008', old_code: '123456', code: '123456' },
    as: 'customer',
  },
  { path: '/notice-ways/email/check', body: { code: '123456' }, as: 'customer' },
  { path: '/codes', body: { code: '1234-5678-9012-3456-7890' }, as: 'customer' },
  { path: '/operator/setup/offer', body: { token } },
  {
    path: '/operator/setup',
    body: { token, name: 'sara', password: operatorPassword, code: '123456' },
  },
  {
    path: '/operator/sign-in',
    body: { name: 'sara', password: operatorPassword, code: '123456' },
  },
  { path: '/operator/sign-in/passkey', body: signed, env: passkeys },
]

const codeOf = ({ body }: { readonly body: unknown }): string =>
  (body as { error?: { code: string } }).error?.code ?? ''

describe('an address that guessed too often', () => {
  test.each([...doors])('has nothing compared at $path', async ({ path, body, as, env }) => {
    gateway = await openTestGateway({ web: true, env: { ...env, CHAPAR_FAILED_ATTEMPTS: '2' } })
    const visitor = openVisitor(gateway)
    if (as === 'customer') await visitor.signIn('09123456789')
    await useUp(openVisitor(gateway), path.startsWith('/operator') ? 'operators' : 'customers')
    // Without the cookie by which the browser is known.
    const session = as === 'customer' ? { cookie: visitor.cookie() } : {}
    const answer = await visitor.send('POST', path, body, session)
    expect([answer.status, codeOf(answer)]).toEqual([429, 'too_many_requests'])
  })

  test('is known by wrong guesses at any of them', async () => {
    gateway = await openTestGateway({ web: true, env: { CHAPAR_FAILED_ATTEMPTS: '1' } })
    const visitor = openVisitor(gateway)
    for (const path of ['/look', '/sign-in/check']) {
      const door = doors.find((each) => each.path === path)
      const answer = await visitor.send('POST', path, door?.body)
      expect(answer.status).toBe(path === '/look' ? 404 : 429)
    }
  })

  test('compares the password of an operator for nobody there', async () => {
    gateway = await openTestGateway({
      web: true,
      env: { ...passkeys, CHAPAR_FAILED_ATTEMPTS: '2' },
    })
    const { visitor: owner } = await setUpOperator(gateway, systemClock)
    await useUp(openVisitor(gateway), 'operators')
    const options = await owner.send('POST', '/passkeys/options', { password: operatorPassword })
    expect([options.status, codeOf(options)]).toEqual([429, 'too_many_requests'])
  })

  test('keeps no browser out that the number knows', async () => {
    gateway = await openTestGateway({ web: true, env: { CHAPAR_FAILED_ATTEMPTS: '2' } })
    const known = openVisitor(gateway)
    await known.signIn('09123456789')
    await known.send('DELETE', '/session')
    await useUp(openVisitor(gateway), 'customers')
    expect((await known.signIn('09123456789')).status).toBe(200)
    expect((await openVisitor(gateway).signIn('09123456789')).status).toBe(429)
    expect(await known.prove()).toMatchObject({ status: 200 })
  })

  test('keeps out no known browser with a passkey, for a proof or to sign in', async () => {
    const env = { CHAPAR_URL: 'http://localhost', CHAPAR_FAILED_ATTEMPTS: '2' }
    gateway = await openTestGateway({ web: true, env })
    const known = openVisitor(gateway)
    await known.signIn('09123456789')
    const device = openAuthenticator({ rpId: 'localhost', origin: 'http://localhost' })
    const options = (await known.send('POST', '/passkeys/options', {})).body
    await known.send('POST', '/passkeys', { name: 'laptop', credential: device.make(options) })
    await useUp(openVisitor(gateway), 'customers')
    for (const path of ['/proof/passkey', '/sign-in/passkey'])
      for (const who of [known, openVisitor(gateway)]) {
        const cookie = who === known ? {} : { cookie: known.cookie() }
        const asked = (await who.send('POST', `${path}/options`, {}, cookie)).body
        const answer = await who.send('POST', path, device.answer(asked), cookie)
        expect([path, answer.status]).toEqual([path, who === known ? 200 : 429])
      }
  })

  test('counts apart at doors of operators and of customers', async () => {
    gateway = await openTestGateway({ web: true, env: { CHAPAR_FAILED_ATTEMPTS: '2' } })
    await useUp(openVisitor(gateway), 'operators')
    expect((await openVisitor(gateway).signIn('09123456789')).status).toBe(200)
    await useUp(openVisitor(gateway), 'customers')
    await gateway.close()
    gateway = await openTestGateway({ web: true, env: { CHAPAR_FAILED_ATTEMPTS: '2' } })
    await useUp(openVisitor(gateway), 'customers')
    expect((await openVisitor(gateway).signIn('09123456789')).status).toBe(429)
    await setUpOperator(gateway, systemClock)
  })
})

async function useUp(visitor: Visitor, of: 'customers' | 'operators'): Promise<void> {
  for (let count = 0; count < 3; count++)
    await (of === 'customers'
      ? visitor.send('POST', '/sign-in/check', { phone: '09120000009', code: '123456' })
      : visitor.send('POST', '/operator/setup/offer', { token }))
}
