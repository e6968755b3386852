import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { planPhoneMove } from '../../src/business/users/phone-changes'
import type { PersonId } from '../../src/domain/ids'
import { passkeySiteOf, type PasskeySite } from '../../src/business/users/passkey'
import { openPasskeys } from '../../src/business/users/passkeys'
import { openAuthenticator, type Faults } from './authenticator'
import { openDesk, phone, phoneNumber, refusalOf } from './desk'
import { atMachine } from '../support/requesters'
import { guess } from '../support/guess'

const site: PasskeySite = { rpId: 'ai.example.ir', origin: 'https://ai.example.ir' }
const names = { account: 'shop', project: 'Project 1' }
const arrival = { visitor: { address: '10.0.0.1', agent: '' }, projectName: 'Project 1' }
const labels = { service: 'Chapar', person: '0912 345 6789' }

let desk: ReturnType<typeof openDesk>
let passkeys: ReturnType<typeof openPasskeys>
let reasons: string[]
let person: PersonId
beforeEach(async () => {
  desk = openDesk()
  reasons = []
  passkeys = openPasskeys({
    store: desk.storage.passkeys,
    entrance: desk.entrance,
    clock: desk.clock,
    pepper: desk.storage.pepper,
    onRefused: (reason) => void reasons.push(reason),
  })
  person = (await desk.storage.people.begin(phone, names)).person
})
afterEach(() => desk.close())

const register = async (who = person, faults: Faults = {}) => {
  const device = openAuthenticator(site)
  const options = await passkeys.registration(who, site, labels)
  await passkeys.register(who, site, { name: 'laptop', response: device.make(options, faults) })
  return device
}
const signIn = async (device: ReturnType<typeof openAuthenticator>, faults: Faults = {}) =>
  await passkeys.signIn(guess, site, device.answer(await passkeys.request(site), faults), arrival)
const lastLine = async () =>
  (await desk.storage.trail.list({ subject: null, before: null, max: 1 }))[0]

describe('a passkey', () => {
  test('signs in whoever registered it, and says when', async () => {
    const device = await register()
    expect(await passkeys.list(person)).toMatchObject([{ name: 'laptop', lastUsed: null }])
    const { token, who } = await signIn(device)
    expect(who).toMatchObject({ person, role: 'owner' })
    expect(await desk.sessions.find(token)).toMatchObject({ way: 'passkey', passkey: device.id })
    expect((await passkeys.list(person))[0]?.lastUsed).toBe(desk.clock.now())
  })

  test('is renamed and removed by its person alone, and its sessions end with it', async () => {
    const device = await register()
    const other = (await desk.storage.people.begin(phoneNumber(1), names)).person
    const { token } = await signIn(device)
    const unknown = { code: 'passkey_unknown' }
    expect(await refusalOf(passkeys.rename(other, device.id, 'mine'))).toEqual(unknown)
    expect(await refusalOf(passkeys.remove(other, device.id))).toEqual(unknown)
    await passkeys.rename(person, device.id, 'phone')
    expect(await lastLine()).toMatchObject({
      who: `person:${person}`,
      what: 'passkey.rename',
      before: { passkey: 'laptop' },
      after: { passkey: 'phone' },
    })
    await passkeys.remove(person, device.id)
    expect(await lastLine()).toMatchObject({ what: 'passkey.remove', before: { passkey: 'phone' } })
    expect(await desk.sessions.find(token)).toBeNull()
    expect(await refusalOf(signIn(device))).toEqual(unknown)
  })

  test('is made for a person with one random name for all of theirs', async () => {
    const first = await passkeys.registration(person, site, labels)
    await register()
    const [kept] = await passkeys.list(person)
    const next = await passkeys.registration(person, site, labels)
    expect(next.user.id).toBe(kept?.userHandle ?? '')
    expect(first.user.id).not.toBe(next.user.id)
    expect(next.user.id).toMatch(/^[\w-]{43}$/)
    expect(next.excludeCredentials).toMatchObject([{ id: kept?.id }])
    expect(next.authenticatorSelection).toMatchObject({
      residentKey: 'required',
      userVerification: 'required',
    })
  })

  test('is registered once, and a person has twenty at most', async () => {
    const device = openAuthenticator(site)
    const make = async () => {
      const options = await passkeys.registration(person, site, labels)
      await passkeys.register(person, site, { name: 'x', response: device.make(options) })
    }
    await make()
    expect(await refusalOf(make())).toEqual({ code: 'passkey_known' })
    for (let count = 1; count < 20; count++) await register()
    expect(await refusalOf(register())).toEqual({ code: 'passkeys_full', max: 20 })
  })
})

describe('a forged registration is refused', () => {
  test.each<readonly [string, Faults]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another name', { rpId: 'evil.example' }],
    ['without user verification', { unverified: true }],
    ['of another kind', { type: 'webauthn.get' }],
  ])('%s', async (_, faults) => {
    expect(await refusalOf(register(person, faults))).toEqual({ code: 'passkey_invalid' })
    expect(await passkeys.list(person)).toEqual([])
    expect(reasons).toHaveLength(1)
    expect(reasons.join('')).not.toContain('evil')
  })

  test('by another person than the one who began it', async () => {
    const other = (await desk.storage.people.begin(phoneNumber(1), names)).person
    const device = openAuthenticator(site)
    const response = device.make(await passkeys.registration(person, site, labels))
    expect(await refusalOf(passkeys.register(other, site, { name: 'x', response }))).toEqual({
      code: 'passkey_expired',
    })
  })
})

describe('a forged sign-in is refused', () => {
  test.each<readonly [string, Faults, string]>([
    ['of another origin', { origin: 'https://evil.example' }, 'passkey_invalid'],
    ['of the right name over plain http', { origin: 'http://ai.example.ir' }, 'passkey_invalid'],
    ['for another name', { rpId: 'evil.example' }, 'passkey_invalid'],
    ['without user verification', { unverified: true }, 'passkey_invalid'],
    ['of another kind', { type: 'webauthn.create' }, 'passkey_invalid'],
    ['with a tampered signature', { tampered: true }, 'passkey_invalid'],
    ['with a challenge of its own', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }, 'passkey_expired'],
    ['in the name of another person', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }, 'passkey_unknown'],
  ])('%s', async (_, faults, code) => {
    const device = await register()
    expect(await refusalOf(signIn(device, faults))).toEqual({ code })
    expect(await desk.sessions.list(person)).toEqual([])
  })

  test('a second time with the same answer, and after a wrong one', async () => {
    const device = await register()
    const options = await passkeys.request(site)
    const expired = { code: 'passkey_expired' }
    const send = (faults: Faults = {}) =>
      refusalOf(passkeys.signIn(guess, site, device.answer(options, faults), arrival))
    expect(await send()).toBeNull()
    expect(await send()).toEqual(expired)
    const wrong = await passkeys.request(site)
    const answer = (faults: Faults) =>
      refusalOf(passkeys.signIn(guess, site, device.answer(wrong, faults), arrival))
    expect(await answer({ tampered: true })).toEqual({ code: 'passkey_invalid' })
    expect(await answer({})).toEqual(expired)
  })

  test('after five minutes, and with a challenge that was for registering', async () => {
    const device = await register()
    const late = device.answer(await passkeys.request(site))
    desk.pass(5 * 60_000)
    const expired = { code: 'passkey_expired' }
    expect(await refusalOf(passkeys.signIn(guess, site, late, arrival))).toEqual(expired)
    const other = device.answer(await passkeys.registration(person, site, labels))
    expect(await refusalOf(passkeys.signIn(guess, site, other, arrival))).toEqual(expired)
  })

  test('of two at once with one answer one comes in', async () => {
    const device = await register()
    const answer = device.answer(await passkeys.request(site))
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => refusalOf(passkeys.signIn(guess, site, answer, arrival))),
    )
    expect(codes.filter((each) => each === null)).toHaveLength(1)
  })

  test('that counts backwards, and the trail tells', async () => {
    const device = await register()
    await signIn(device, { counter: 7 })
    expect(await refusalOf(signIn(device, { counter: 7 }))).toEqual({ code: 'passkey_cloned' })
    expect(await refusalOf(signIn(device, { counter: 0 }))).toEqual({ code: 'passkey_cloned' })
    expect(await lastLine()).toMatchObject({
      who: 'service',
      what: 'passkey.counted_backwards',
      subject: `person:${person}`,
      before: { counter: 7 },
      after: { counter: 0 },
    })
    await signIn(device, { counter: 8 })
  })
})

describe('a changed number', () => {
  test('leaves passkeys where the person changed it', async () => {
    const device = await register()
    await desk.storage.people.setPhone(person, phoneNumber(1))
    expect((await signIn(device)).who.person).toBe(person)
  })

  test('takes them along where an operator did, from the hour that it is due', async () => {
    const device = await register()
    const { phoneMoves } = desk.storage
    await planPhoneMove(
      { store: phoneMoves, requester: atMachine, now: desk.clock.now() },
      { person, phone: phoneNumber(1) },
    )
    desk.pass(24 * 3_600_000 - 1)
    expect((await signIn(device)).who.person).toBe(person)
    desk.pass(1)
    expect(await refusalOf(signIn(device))).toEqual({ code: 'passkey_unknown' })
    expect(await passkeys.list(person)).toEqual([])
  })
})

describe('challenges', () => {
  test('of one who registers are bounded, and push out nobody else’s', async () => {
    const { passkeys: store, people } = desk.storage
    const now = desk.clock.now()
    const other = await people.begin(phoneNumber(7), { account: 'a', project: 'p' })
    const keep = (hash: string, owner: typeof person, ms: number) => {
      const registers = { owner, userHandle: 'h' }
      return store.keepChallenge({ hash, registers, expires: (now + ms) as typeof now }, now, 2)
    }
    await keep('theirs', other.person, 1)
    for (const [at, hash] of ['a', 'b', 'c'].entries()) await keep(hash, person, at + 2)
    const hashes = ['theirs', 'a', 'b', 'c']
    const left = await Promise.all(hashes.map((hash) => store.takeChallenge(hash)))
    expect(left.map((each) => each?.hash ?? null)).toEqual(['theirs', null, 'b', 'c'])
  })

  test('that strangers ask for push out none, however many', async () => {
    const device = await register()
    const registering = await passkeys.registration(person, site, labels)
    const waiting = await passkeys.request(site)
    for (let count = 0; count < 12_000; count++) await passkeys.request(site)
    const signIn = passkeys.signIn(guess, site, device.answer(waiting), arrival)
    expect((await signIn).who.person).toBe(person)
    const response = openAuthenticator(site).make(registering)
    expect(await refusalOf(passkeys.register(person, site, { name: 'b', response }))).toBeNull()
  })

  test('are taken as they were made, with their own end', async () => {
    const device = await register()
    const options = await passkeys.request(site)
    const bytes = Buffer.from(options.challenge, 'base64url')
    const later = Buffer.from(bytes)
    // One of the bytes of its end.
    later[19] = (later[19] ?? 0) + 1
    const own = Buffer.from('x'.repeat(bytes.length))
    for (const challenge of [later.toString('base64url'), own.toString('base64url'), '', 'AA'])
      expect(
        await refusalOf(
          passkeys.signIn(guess, site, device.answer({ ...options, challenge }), arrival),
        ),
      ).toEqual({ code: 'passkey_expired' })
    expect(
      await refusalOf(passkeys.signIn(guess, site, device.answer(options), arrival)),
    ).toBeNull()
  })
})

test.each([
  ['https://ai.example.ir', { rpId: 'ai.example.ir', origin: 'https://ai.example.ir' }],
  ['https://ai.example.ir:8443', { rpId: 'ai.example.ir', origin: 'https://ai.example.ir:8443' }],
  ['http://localhost:8080', { rpId: 'localhost', origin: 'http://localhost:8080' }],
  ['http://ai.example.ir', null],
  ['https://203.0.113.7', null],
  ['http://127.0.0.1:8080', null],
  ['https://[2001:db8::1]', null],
] as const)('passkeys at %s', (url, expected) => {
  expect(passkeySiteOf(url)).toEqual(expected)
})
