import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { Guess } from '../../src/domain/guess'
import { makeLink } from '../../src/business/operators/setup-links'
import { isOperatorRefusal } from '../../src/business/operators/operator-refusal'
import { openOperatorSignIn } from '../../src/business/operators/sign-in'
import type { PasskeySite } from '../../src/business/users/passkey'
import { openPasskeyRing } from '../../src/business/users/passkey-service'
import { isPeopleRefusal } from '../../src/business/users/refusal'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { codeAt } from '../console/operator-visitor'
import { openAuthenticator } from '../people/authenticator'
import { guess } from '../support/guess'

const site: PasskeySite = { rpId: 'ai.example.ir', origin: 'https://ai.example.ir' }
const visitor = { address: '192.0.2.7', bucket: '192.0.2.7', agent: 'test' }
const password = 'correct horse battery'
const plainPasswords = {
  hash: async (typed: string) => `plain:${typed}`,
  verify: async (_guess: Guess, typed: string, hash: string | null) => hash === `plain:${typed}`,
}

async function open() {
  let now = Date.UTC(2026, 10, 24) as Ms
  const clock = { now: () => now }
  const storage = openStorage({ folder: null, exclusive: true, clock })
  const { pepper, operatorAccess: store } = storage
  const ring = { store: storage.operatorPasskeys, clock, pepper, onRefused: () => {} }
  const passkeys = openPasskeyRing(ring)
  const signIn = openOperatorSignIn({ store, passkeys, passwords: plainPasswords, clock, pepper })
  const setUp = async (name: string) => {
    const { token, link } = makeLink(pepper, now)
    if (await signIn.isSetUp()) await storage.operators.add({ name, role: 'staff' }, link)
    else await storage.operators.link(null, link)
    const typed = { name, password, code: codeAt(link.totp, now) }
    return (await signIn.setUp(guess, token, typed, visitor)).operator
  }
  const sara = await setUp('sara')
  return {
    storage,
    signIn,
    clock,
    sara,
    reza: await setUp('reza'),
    pass: (ms: number) => void (now = (now + ms) as Ms),
    async register(owner = sara) {
      const device = openAuthenticator(site)
      const labels = { service: 'Chapar', person: owner.name }
      const response = device.make(await signIn.passkeys.registration(owner.id, site, labels))
      await signIn.passkeys.register(owner.id, site, { name: 'laptop', response })
      return device
    },
    async answered(device: ReturnType<typeof openAuthenticator>) {
      return { site, response: device.answer(await signIn.passkeys.request(site)) }
    },
  }
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (thrown) {
    if (isOperatorRefusal(thrown) || isPeopleRefusal(thrown)) return thrown.code
    throw thrown
  }
  return 'done'
}

describe('a passkey of an operator', () => {
  test('signs its operator in alone, and its removal ends the sessions that it began', async () => {
    const { signIn, storage, sara, register, answered } = await open()
    const device = await register()
    const { token, operator } = await signIn.signInByPasskey(guess, await answered(device), visitor)
    expect(operator.name).toBe('sara')
    expect(await signIn.find(token)).toMatchObject({ way: 'passkey', passkey: device.id })
    await signIn.passkeys.rename(sara.id, device.id, 'phone')
    await signIn.passkeys.remove(sara.id, device.id)
    expect(await signIn.find(token)).toBeNull()
    const lines = await storage.trail.list({ subject: 'operator:sara', before: null, max: 4 })
    expect(lines.map(({ who, what }) => [who, what])).toEqual([
      ['operator:sara', 'passkey.remove'],
      ['operator:sara', 'passkey.rename'],
      ['operator:sara', 'operator.sign_in'],
      ['operator:sara', 'passkey.add'],
    ])
  })

  test('stands in the place of a code beside the password of its own operator alone', async () => {
    const { signIn, register, answered } = await open()
    const device = await register()
    const enter = async (name: string, typed: string) =>
      refusalOf(
        signIn.signIn(guess, { name, password: typed, second: await answered(device) }, visitor),
      )
    expect(await enter('reza', password)).toBe('sign_in_wrong')
    expect(await enter('sara', 'another password')).toBe('sign_in_wrong')
    expect(await enter('sara', password)).toBe('done')
  })

  test('signs once for one challenge', async () => {
    const { signIn, register, answered } = await open()
    const answer = await answered(await register())
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => refusalOf(signIn.signInByPasskey(guess, answer, visitor))),
    )
    expect(outcomes.toSorted()).toEqual(['done', 'passkey_expired', 'passkey_expired'])
  })

  test('ends a session that it proved anew, and one that the password renewed stays with it', async () => {
    const { signIn, sara, register, answered, pass } = await open()
    const device = await register()
    const { token } = await signIn.signInByPasskey(guess, await answered(device), visitor)
    const at = async (held: string) => {
      const session = (await signIn.find(held)) ?? expect.unreachable()
      return { ...session, operator: session.who, token: held }
    }
    pass(600_000)
    const earlier = await at(token)
    const renewed = (await signIn.prove(guess, earlier, password, visitor)) ?? ''
    expect(await signIn.find(token)).toBeNull()
    expect(await at(renewed)).toMatchObject({
      way: 'passkey',
      passkey: device.id,
      created: earlier.created + 600_000,
    })
    // A session that ended while its proof was looked at begins nothing.
    expect(await signIn.prove(guess, earlier, password, visitor)).toBeNull()
    expect(await signIn.sessions(sara)).toHaveLength(2)
    await signIn.passkeys.remove(sara.id, device.id)
    expect(await signIn.find(renewed)).toBeNull()
  })

  test('goes with a reset, and with its operator', async () => {
    const { signIn, storage, sara, reza, clock, register, answered } = await open()
    const devices = [await register(sara), await register(reza)] as const
    await storage.operators.reset(sara.id, makeLink(storage.pepper, clock.now()).link)
    await storage.operators.remove(reza.id)
    for (const device of devices)
      expect(await refusalOf(signIn.signInByPasskey(guess, await answered(device), visitor))).toBe(
        'passkey_unknown',
      )
    expect(await signIn.passkeys.list(sara.id)).toEqual([])
  })

  test('is taken while names are guessed from its address, and codes from everywhere', async () => {
    const { signIn, register, answered } = await open()
    const device = await register()
    for (let tried = 0; tried < 30; tried++) {
      const typed = { name: 'sara', password: 'wrong', second: '000000' }
      await refusalOf(signIn.signIn(guess, typed, visitor))
    }
    expect(await refusalOf(signIn.signInByPasskey(guess, await answered(device), visitor))).toBe(
      'done',
    )
  })

  test('is made by whoever knows the password: five wrong ones are looked at', async () => {
    const { signIn, sara } = await open()
    expect(await refusalOf(signIn.confirm(guess, sara, password, visitor))).toBe('done')
    for (let tried = 0; tried < 5; tried++)
      expect(await refusalOf(signIn.confirm(guess, sara, 'wrong', visitor))).toBe('password_wrong')
    expect(await refusalOf(signIn.confirm(guess, sara, password, visitor))).toBe('sign_in_locked')
  })
})
