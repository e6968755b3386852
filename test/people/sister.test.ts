import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHmac, randomUUID } from 'node:crypto'
import { isAdminError } from '../../src/business/operations/admin-error'
import { setSister } from '../../src/business/users/sso-rules'
import { openSisterSignIn } from '../../src/business/users/sso'
import { openDesk, refusalOf } from './desk'
import { guess } from '../support/guess'

const secret = 'a secret of thirty-two characters or more'
const publicUrl = 'https://ai.example.ir'
const arrival = { visitor: { address: '10.0.0.1', agent: '' }, projectName: 'Project 1' }

let desk: ReturnType<typeof openDesk>
let sister: ReturnType<typeof openSisterSignIn>
let reasons: string[]
const open = (url: string | null = publicUrl) =>
  openSisterSignIn({
    store: desk.storage.sister,
    tickets: desk.storage.tickets,
    entrance: desk.entrance,
    clock: desk.clock,
    pepper: desk.storage.pepper,
    publicUrl: url,
    onRefused: (reason) => void reasons.push(reason),
  })
beforeEach(async () => {
  desk = openDesk()
  reasons = []
  sister = open()
  const signInUrl = 'https://barid.example/chapar?from=app'
  await setSister(desk.storage.sister, { name: 'Barid', signInUrl, secret })
})
afterEach(() => desk.close())

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What the sister's side makes; each test plants one fault. */
function ticket(claims: object, signing: { head?: object; key?: string } = {}) {
  const { head = { alg: 'HS256', typ: 'JWT' }, key = secret } = signing
  const seconds = Math.floor(desk.clock.now() / 1000)
  const whole = {
    aud: publicUrl,
    jti: randomUUID(),
    phone: '+989123456789',
    iat: seconds,
    exp: seconds + 60,
    ...claims,
  }
  const signed = `${part(head)}.${part(whole)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
const start = async () => {
  const { url, token } = await sister.start()
  return { url: new URL(url), token, nonce: new URL(url).searchParams.get('nonce') }
}

describe('a ticket', () => {
  test('is asked for with where it is for and where to come back', async () => {
    const { url, token } = await start()
    expect(`${url.origin}${url.pathname}`).toBe('https://barid.example/chapar')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      from: 'app',
      audience: publicUrl,
      return_to: `${publicUrl}/app/sister`,
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
    expect(url.href).not.toContain(token)
  })

  test('signs in whoever has the number, as a code does', async () => {
    const { token, nonce } = await start()
    const { who, token: session } = await sister.signIn(guess, ticket({ nonce }), token, arrival)
    expect(who.role).toBe('owner')
    expect(await desk.sessions.find(session)).toMatchObject({ way: 'sister', person: who.person })
    const again = await start()
    const second = await sister.signIn(guess, ticket({ nonce: again.nonce }), again.token, arrival)
    expect(second.who).toMatchObject(who)
  })

  test('is good once, however often it is sent at once', async () => {
    const { token, nonce } = await start()
    const text = ticket({ nonce })
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => refusalOf(sister.signIn(guess, text, token, arrival))),
    )
    expect(codes.filter((each) => each === null)).toHaveLength(1)
    expect(codes.filter((each) => each?.code === 'ticket_used')).toHaveLength(7)
  })

  test('is remembered as used for as long as it could be used', async () => {
    const { token, nonce } = await start()
    const text = ticket({ nonce })
    await sister.signIn(guess, text, token, arrival)
    desk.pass(60_000 + 29_999)
    // Somebody else's ticket sweeps those that are over.
    const other = await start()
    await sister.signIn(guess, ticket({ nonce: other.nonce }), other.token, arrival)
    expect(await refusalOf(sister.signIn(guess, text, token, arrival))).toEqual({
      code: 'ticket_used',
    })
  })

  test('is only good in the browser that asked for it', async () => {
    const [mine, theirs] = [await start(), await start()]
    const text = ticket({ nonce: theirs.nonce })
    for (const token of [mine.token, null])
      expect(await refusalOf(sister.signIn(guess, text, token, arrival))).toEqual({
        code: 'ticket_elsewhere',
      })
    // That did not use it up.
    expect(await refusalOf(sister.signIn(guess, text, theirs.token, arrival))).toBeNull()
  })
})

describe('a ticket is refused', () => {
  const seconds = () => Math.floor(desk.clock.now() / 1000)
  test.each<readonly [string, string, string, () => [object, object?]]>([
    ['for another service', 'ticket_invalid', 'audience', () => [{ aud: 'https://other.example' }]],
    ['for more than one', 'ticket_invalid', 'claims', () => [{ aud: [publicUrl] }]],
    ['without an id', 'ticket_invalid', 'claims', () => [{ jti: 'short' }]],
    ['without a number', 'ticket_invalid', 'claims', () => [{ phone: null }]],
    ['with a number elsewhere', 'ticket_invalid', 'phone', () => [{ phone: '+4915112345678' }]],
    [
      'that is over',
      'ticket_expired',
      'time',
      () => [{ iat: seconds() - 90, exp: seconds() - 30 }],
    ],
    [
      'from the future',
      'ticket_expired',
      'time',
      () => [{ iat: seconds() + 31, exp: seconds() + 60 }],
    ],
    ['that lives too long', 'ticket_expired', 'time', () => [{ exp: seconds() + 61 }]],
    ['that ends before it begins', 'ticket_expired', 'time', () => [{ exp: seconds() - 1 }]],
    [
      'signed with another secret',
      'ticket_invalid',
      'signature',
      () => [{}, { key: `${secret}!` }],
    ],
    ['that is not signed', 'ticket_invalid', 'algorithm', () => [{}, { head: { alg: 'none' } }]],
    ['of another algorithm', 'ticket_invalid', 'algorithm', () => [{}, { head: { alg: 'HS512' } }]],
    [
      'with something critical',
      'ticket_invalid',
      'algorithm',
      () => [{}, { head: { alg: 'HS256', crit: ['b64'], b64: false } }],
    ],
  ])('%s', async (_, code, reason, make) => {
    const { token, nonce } = await start()
    const [claims, signing] = make()
    const text = ticket({ nonce, ...claims }, signing)
    expect(await refusalOf(sister.signIn(guess, text, token, arrival))).toEqual({ code })
    expect(reasons).toEqual([reason])
  })

  test('where it is none, or was changed', async () => {
    const { token, nonce } = await start()
    const [head, , signature] = ticket({ nonce }).split('.')
    const changed = `${head}.${part({ phone: '+989120000001' })}.${signature}`
    for (const text of ['', 'a.b', 'a.b.c.d', 'x'.repeat(3000), changed])
      expect(await refusalOf(sister.signIn(guess, text, token, arrival))).toEqual({
        code: 'ticket_invalid',
      })
    expect(reasons).toEqual(['form', 'form', 'form', 'form', 'signature'])
  })

  test('within half a minute of clocks that differ it is not', async () => {
    for (const shift of [-29_000, 29_000]) {
      const { token, nonce } = await start()
      const text = ticket({ nonce })
      desk.pass(shift)
      expect(await refusalOf(sister.signIn(guess, text, token, arrival))).toBeNull()
    }
  })
})

describe('a sister service', () => {
  test('is off without a public address, once removed, and without its secret', async () => {
    const off = { code: 'sister_off' }
    expect(await sister.name()).toBe('Barid')
    expect(await open(null).name()).toBeNull()
    expect(await refusalOf(open(null).start())).toEqual(off)
    await desk.storage.sister.remove()
    expect(await sister.name()).toBeNull()
    expect(await refusalOf(sister.start())).toEqual(off)
  })

  test('keeps its secret sealed, and out of the trail', async () => {
    const [line] = await desk.storage.trail.list({ subject: 'sister', before: null, max: 1 })
    expect(line).toMatchObject({
      what: 'sister.set',
      after: { name: 'Barid', secret: '•••' },
    })
    expect((await desk.storage.sister.find())?.secret).toBe(secret)
  })

  const set = (change: object) => {
    const whole = { name: 'Barid', signInUrl: 'https://barid.example/', secret, ...change }
    return setSister(desk.storage.sister, whole)
  }
  test('keeps what is not given, and is refused with what is not safe', async () => {
    const kept = await set({ name: null, secret: null, signInUrl: 'http://127.0.0.1:9000/in' })
    expect(kept).toEqual({ name: 'Barid', signInUrl: 'http://127.0.0.1:9000/in', secret })
    for (const [change, code] of [
      [{ signInUrl: 'http://barid.example/' }, 'sister_url_invalid'],
      [{ signInUrl: 'https://ali@barid.example/' }, 'sister_url_invalid'],
      [{ signInUrl: 'barid' }, 'sister_url_invalid'],
      [{ secret: 'short' }, 'sister_secret_short'],
      [{ name: 'x'.repeat(41) }, 'sister_name_invalid'],
    ] as const)
      expect(await codeOf(set(change))).toBe(code)
    await desk.storage.sister.remove()
    expect(await codeOf(set({ secret: null }))).toBe('sister_secret_missing')
  })
})

const codeOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (thrown: unknown) => (isAdminError(thrown) ? thrown.code : String(thrown)),
  )
