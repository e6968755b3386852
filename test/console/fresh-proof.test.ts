import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openConsoleApi } from '../../src/console/api/console-api'
import { changeName, sessionNeeds } from '../../src/console/api/session-needs'
import { openAuthenticator } from '../people/authenticator'
import { handClock } from '../storage/folder'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, printedCode, statusAndCode, type Visitor } from './visitor'

const tenMinutes = 600_000
const clock = handClock()
let gateway: TestGateway
let ali: Visitor
beforeEach(async () => {
  gateway = await openTestGateway({ web: true, clock, env: { CHAPAR_URL: 'http://localhost' } })
  ali = openVisitor(gateway)
  await ali.signIn('09123450001')
})
afterEach(() => gateway.close())

const later = (ms: number): void => clock.set(clock.now() + ms)
const required = [403, 'proof_required']

/** Every route of the pages' API. */
const routes = openConsoleApi({} as never).routes.map(({ method, path }) => ({ method, path }))
/** As it is asked, without the prefix of the API. */
const played = (path: string): string =>
  path.replace('/app/api', '').replaceAll(/:\w+/g, '1').replace(/\/$/, '') || '/'

describe('an old session', () => {
  test('is asked for a fresh proof by the routes of the table, and by no other', async () => {
    later(tenMinutes)
    const cookie = { cookie: ali.cookie() }
    const ending = new Set(['DELETE /session', 'DELETE /sessions'])
    const asked: string[] = []
    for (const { method, path } of routes) {
      const name = changeName(method, path)
      if (ending.has(name)) continue
      const body = method === 'GET' ? undefined : {}
      const answer = await openVisitor(gateway).send(method, played(path), body, cookie)
      if (statusAndCode(answer)[1] === 'proof_required') asked.push(name)
    }
    const expected = Object.keys(sessionNeeds).filter(
      (name) => sessionNeeds[name] === 'fresh proof',
    )
    expect(asked.toSorted()).toEqual(expected.toSorted())
    expect((await ali.send('GET', '/me')).status).toBe(200)
  })

  test('has every change in the table', () => {
    const changes = routes.filter(({ method }) => method !== 'GET')
    expect(changes.map(({ method, path }) => changeName(method, path)).toSorted()).toEqual(
      Object.keys(sessionNeeds).toSorted(),
    )
  })

  test('switches off warnings of strangers with a proof, and others without', async () => {
    later(tenMinutes)
    const choose = (topic: string, on: boolean) =>
      ali.send('PUT', '/notice-ways/choice', { way: 'email', topic, on })
    for (const topic of ['sign_in', 'key_made'])
      expect(statusAndCode(await choose(topic, false))).toEqual(required)
    expect((await choose('balance', false)).status).toBe(200)
    expect((await choose('sign_in', true)).status).toBe(200)
    await ali.prove()
    expect((await choose('sign_in', false)).status).toBe(200)
  })
})

describe('a fresh proof', () => {
  const attempt = (who: Visitor) => who.send('DELETE', '/notice-ways/email')

  test('is a sign-in for ten minutes, and a code for as long', async () => {
    later(tenMinutes - 1)
    expect((await attempt(ali)).status).toBe(200)
    later(1)
    expect(statusAndCode(await attempt(ali))).toEqual(required)
    expect((await ali.send('GET', '/proof')).body as object).toEqual({
      phone: '0912 ··· 0001',
      has_passkey: false,
      proven: false,
    })
    expect(await ali.prove()).toMatchObject({ status: 200, body: { proven: true } })
    expect((await attempt(ali)).status).toBe(200)
    later(tenMinutes)
    expect(statusAndCode(await attempt(ali))).toEqual(required)
  })

  test('signs out whoever else has the token', async () => {
    later(tenMinutes)
    const stolen = { cookie: ali.cookie() }
    await ali.prove()
    expect((await ali.send('GET', '/me')).status).toBe(200)
    const thief = openVisitor(gateway)
    expect((await thief.send('GET', '/me', undefined, stolen)).status).toBe(401)
    expect((await ali.send('GET', '/sessions')).body as object[]).toHaveLength(1)
  })

  test('is refused with a wrong code, and counts as a wrong sign-in', async () => {
    later(tenMinutes)
    const before = gateway.logs()
    await ali.send('POST', '/proof/code')
    const code = await printedCode(() => gateway.logs().slice(before.length))
    const wrong = code === '000000' ? '000001' : '000000'
    const refused = await ali.send('POST', '/proof/code/check', { code: wrong })
    expect(statusAndCode(refused)).toEqual([400, 'code_wrong'])
    expect(statusAndCode(await attempt(ali))).toEqual(required)
  })

  test('is a passkey of the person, and of nobody else', async () => {
    const site = { rpId: 'localhost', origin: 'http://localhost' }
    const add = async (who: Visitor) => {
      const device = openAuthenticator(site)
      const options = (await who.send('POST', '/passkeys/options', {})).body
      const made = { name: 'laptop', credential: device.make(options) }
      expect((await who.send('POST', '/passkeys', made)).status).toBe(200)
      return device
    }
    const sara = openVisitor(gateway)
    await sara.signIn('09123450002')
    const [mine, theirs] = [await add(ali), await add(sara)]
    later(tenMinutes)
    expect((await ali.send('GET', '/proof')).body as object).toMatchObject({ has_passkey: true })
    const answer = async (device: typeof mine) =>
      ali.send(
        'POST',
        '/proof/passkey',
        device.answer((await ali.send('POST', '/proof/passkey/options', {})).body),
      )
    expect(statusAndCode(await answer(theirs))).toEqual([403, 'passkey_not_yours'])
    expect(statusAndCode(await attempt(ali))).toEqual(required)
    expect((await answer(mine)).status).toBe(200)
    expect((await attempt(ali)).status).toBe(200)
  })

  test('is never a ticket of the sister service, nor a session of an earlier program', async () => {
    const [session] = await gateway.storage.sessions.list(
      ((await ali.send('GET', '/me')).body as { person: { id: number } }).person.id as never,
      clock.now(),
    )
    expect(session?.proven).toBe(clock.now())
    const { openSessions } = await import('../../src/business/users/sessions')
    const sessions = openSessions({
      store: gateway.storage.sessions,
      clock,
      pepper: gateway.storage.pepper,
      limits: () => ({ idleMs: 3_600_000, lifeMs: 3_600_000 }),
    })
    const token = await sessions.begin(
      { ...(session as NonNullable<typeof session>), role: 'owner' },
      { address: '127.0.0.1', agent: '' },
      { way: 'sister', passkey: null },
    )
    const bySister = openVisitor(gateway)
    const cookie = { cookie: `chapar=${token}` }
    const refused = await bySister.send('DELETE', '/notice-ways/email', undefined, cookie)
    expect(statusAndCode(refused)).toEqual(required)
  })
})

describe('a session', () => {
  const day = 86_400_000
  const isIn = async () => (await ali.send('GET', '/me')).status === 200

  test('ends after a week without a visit', async () => {
    later(7 * day - 1)
    expect(await isIn()).toBe(true)
    later(7 * day)
    expect(await isIn()).toBe(false)
  })

  test('ends a month after it began, however often it is visited, also where an earlier program kept it longer', async () => {
    const [session] = await gateway.storage.sessions.list(1 as never, clock.now())
    expect(session).toBeDefined()
    for (let days = 0; days < 29; days++) {
      later(day)
      expect(await isIn()).toBe(true)
    }
    await gateway.storage.sessions.seen(
      session?.hash ?? '',
      clock.now(),
      (clock.now() + 30 * day) as never,
    )
    later(day)
    expect(await isIn()).toBe(false)
  })
})
