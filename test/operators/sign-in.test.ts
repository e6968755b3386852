import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { Guess } from '../../src/domain/guess'
import { makeLink } from '../../src/business/operators/setup-links'
import { totpStep } from '../../src/business/operators/one-time-codes'
import { isOperatorRefusal } from '../../src/business/operators/operator-refusal'
import type { PasskeyAnswer } from '../../src/business/operators/request-identity'
import { openOperatorSignIn, type OperatorSignIn } from '../../src/business/operators/sign-in'
import { openPasskeyRing } from '../../src/business/users/passkey-service'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { codeAt } from '../console/operator-visitor'
import { guess } from '../support/guess'

const visitor = { address: '192.0.2.7', bucket: '192.0.2.7', agent: 'test' }
const elsewhere = { address: '192.0.2.8', bucket: '192.0.2.8', agent: 'test' }
const password = 'correct horse battery'

/** Hashing with argon2id takes a tenth of a second: what is hashed is not what is tested here. */
const plainPasswords = {
  hash: async (typed: string) => `plain:${typed}`,
  verify: async (_guess: Guess, typed: string, hash: string | null) => hash === `plain:${typed}`,
}

async function open() {
  let now = Date.UTC(2026, 10, 24) as Ms
  const clock = { now: () => now }
  const storage = openStorage({ folder: null, exclusive: true, clock })
  const { pepper } = storage
  const store = storage.operatorAccess
  const passkeys = openPasskeyRing({
    store: storage.operatorPasskeys,
    clock,
    pepper,
    onRefused: () => {},
  })
  const signIn = openOperatorSignIn({ store, passkeys, passwords: plainPasswords, clock, pepper })
  const { token, link } = makeLink(pepper, now)
  await storage.operators.link(null, link)
  return {
    storage,
    signIn,
    token,
    secret: link.totp,
    clock,
    pass: (ms: number) => void (now = (now + ms) as Ms),
    code: (aheadMs = 0) => codeAt(link.totp, (now + aheadMs) as Ms),
  }
}

type Opened = Awaited<ReturnType<typeof open>>

async function setUp(opened: Opened) {
  const { signIn, token, code, pass } = opened
  const made = await signIn.setUp(guess, token, { name: 'Sara', password, code: code() }, visitor)
  pass(60_000)
  return made
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (thrown) {
    if (isOperatorRefusal(thrown)) return thrown.code
    throw thrown
  }
  return 'done'
}

const tryIn = (
  signIn: OperatorSignIn,
  { code, ...typed }: { code: string | PasskeyAnswer; name?: string; password?: string },
  from = visitor,
) => refusalOf(signIn.signIn(guess, { name: 'sara', password, second: code, ...typed }, from))

/** One of many addresses. */
const at = (number: number) => {
  const address = `198.51.${number >> 8}.${number & 255}`
  return { ...visitor, address, bucket: address }
}

describe('a link', () => {
  test('makes the first owner, once', async () => {
    const opened = await open()
    const { operator, recoveryCodes } = await setUp(opened)
    expect([operator.name, operator.role]).toEqual(['sara', 'owner'])
    expect(new Set(recoveryCodes).size).toBe(8)
    const again = opened.signIn.setUp(
      guess,
      opened.token,
      { name: 'ali', password, code: opened.code() },
      visitor,
    )
    expect(await refusalOf(again)).toBe('link_invalid')
  })

  test('makes one operator of two requests at once', async () => {
    const { signIn, token, code, storage } = await open()
    const outcomes = await Promise.all(
      ['sara', 'ali'].map((name) =>
        refusalOf(signIn.setUp(guess, token, { name, password, code: code() }, visitor)),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['done', 'link_invalid'])
    expect(await storage.operators.list()).toHaveLength(1)
  })

  test('is over after half an hour, and once there is an owner', async () => {
    const { signIn, token, code, pass, storage, clock } = await open()
    const { token: other, link } = makeLink(storage.pepper, clock.now())
    pass(30 * 60_000 - 1)
    expect(await refusalOf(signIn.offer(guess, token, 'Chapar'))).toBe('done')
    pass(1)
    expect(await refusalOf(signIn.offer(guess, token, 'Chapar'))).toBe('link_invalid')
    await storage.operators.link(null, { ...link, expires: (clock.now() + 60_000) as Ms })
    const made = { name: 'sara', password, code: codeAt(link.totp, clock.now()) }
    await signIn.setUp(guess, other, made, visitor)
    const late = makeLink(storage.pepper, clock.now())
    await storage.operators.link(null, late.link)
    expect(await refusalOf(signIn.offer(guess, late.token, 'Chapar'))).toBe('link_invalid')
    expect(code()).toHaveLength(6)
  })

  test('takes no name that the trail could not speak of, and no wrong code', async () => {
    const { signIn, token, code } = await open()
    for (const name of ['', 'با فاصله', 'a b', '-a', 'x'.repeat(41)])
      expect(
        await refusalOf(signIn.setUp(guess, token, { name, password, code: code() }, visitor)),
      ).toBe('operator_name_invalid')
    const wrong = { name: 'sara', password, code: '000000' }
    expect(await refusalOf(signIn.setUp(guess, token, wrong, visitor))).toBe('setup_code_wrong')
  })
})

describe('signing in', () => {
  test('takes name, password and code together, and each code once', async () => {
    const opened = await open()
    await setUp(opened)
    const { signIn, code, pass } = opened
    const now = code()
    expect(await tryIn(signIn, { code: now, password: 'another password' })).toBe('sign_in_wrong')
    expect(await tryIn(signIn, { code: now, name: 'nobody' })).toBe('sign_in_wrong')
    expect(await tryIn(signIn, { code: now })).toBe('done')
    expect(await tryIn(signIn, { code: now })).toBe('sign_in_wrong')
    pass(30_000)
    // The one before is over once a later one was used.
    const [earlier, later] = [code(-30_000), code()]
    expect(await tryIn(signIn, { code: later })).toBe('done')
    expect(await tryIn(signIn, { code: earlier })).toBe('sign_in_wrong')
  })

  test('takes a code of the period before and behind, and none farther', async () => {
    const { secret, clock, code } = await open()
    const at = (ms: number) => totpStep(secret, code(ms), clock.now())
    const now = Math.floor(clock.now() / 30_000)
    expect([at(-30_000), at(0), at(30_000)]).toEqual([now - 1, now, now + 1])
    expect([at(-60_000), at(60_000)]).toEqual([null, null])
  })

  test('takes a code once of two requests at once', async () => {
    const opened = await open()
    await setUp(opened)
    const code = opened.code()
    const outcomes = await Promise.all([1, 2].map(() => tryIn(opened.signIn, { code })))
    expect(outcomes.toSorted()).toEqual(['done', 'sign_in_wrong'])
  })

  test('takes each recovery code once, however it is written', async () => {
    const opened = await open()
    const { recoveryCodes } = await setUp(opened)
    const [first = '', second = ''] = recoveryCodes
    expect(await tryIn(opened.signIn, { code: first })).toBe('done')
    expect(await tryIn(opened.signIn, { code: first })).toBe('sign_in_wrong')
    expect(await tryIn(opened.signIn, { code: second.replace('-', ' ').toUpperCase() })).toBe(
      'done',
    )
  })

  test('is locked after five wrong tries for their address alone, for a quarter of an hour', async () => {
    const opened = await open()
    await setUp(opened)
    const { signIn, code, pass } = opened
    for (let tried = 0; tried < 5; tried++)
      expect(await tryIn(signIn, { code: code(), password: 'wrong' })).toBe('sign_in_wrong')
    expect(await tryIn(signIn, { code: code() })).toBe('sign_in_locked')
    expect(await tryIn(signIn, { code: code() }, elsewhere)).toBe('done')
    pass(15 * 60_000)
    expect(await tryIn(signIn, { code: code() })).toBe('done')
  })

  test('stays open to its operator while strangers guess from a thousand addresses', async () => {
    const opened = await open()
    await setUp(opened)
    const { signIn, code } = opened
    for (let stranger = 0; stranger < 1000; stranger++)
      expect(await tryIn(signIn, { code: '000000', password: 'wrong' }, at(stranger))).toBe(
        'sign_in_wrong',
      )
    expect(await tryIn(signIn, { code: code() })).toBe('done')
  })

  test('is locked for an address that tries twenty names', async () => {
    const opened = await open()
    await setUp(opened)
    const { signIn, code } = opened
    for (let tried = 0; tried < 20; tried++)
      expect(await tryIn(signIn, { code: code(), name: `guess-${tried}` })).toBe('sign_in_wrong')
    expect(await tryIn(signIn, { code: code() })).toBe('sign_in_locked')
    expect(await tryIn(signIn, { code: code() }, elsewhere)).toBe('done')
  })

  test('takes no code alone once codes beside the right password are guessed from many addresses', async () => {
    const opened = await open()
    const { recoveryCodes } = await setUp(opened)
    const { signIn, code, pass, storage, clock } = opened
    const guessFrom = (stranger: number) => tryIn(signIn, { code: '000000' }, at(stranger))
    for (const stranger of [1, 1, 1, 1, 2, 3])
      expect(await guessFrom(stranger)).toBe('sign_in_wrong')
    expect(await tryIn(signIn, { code: code() })).toBe('done')
    pass(30_000)
    expect(await guessFrom(4)).toBe('sign_in_wrong')
    // Whoever guesses reads the same as before: only a right code tells.
    expect(await guessFrom(5)).toBe('sign_in_wrong')
    expect(await tryIn(signIn, { code: code() })).toBe('sign_in_codes_guessed')
    expect(await tryIn(signIn, { code: recoveryCodes[0] ?? '' })).toBe('done')
    pass(24 * 3_600_000)
    expect(await guessFrom(6)).toBe('sign_in_wrong')
    expect(await tryIn(signIn, { code: code() })).toBe('done')
    for (const stranger of [7, 8, 9, 10]) await guessFrom(stranger)
    pass(30_000)
    expect(await tryIn(signIn, { code: code() })).toBe('sign_in_codes_guessed')
    const [sara] = await storage.operators.list()
    if (sara === undefined) throw new Error('nobody')
    const { token, link } = makeLink(storage.pepper, clock.now())
    await storage.operators.reset(sara.id, link)
    const another = { name: '', password, code: codeAt(link.totp, clock.now()) }
    await signIn.setUp(guess, token, another, visitor)
    pass(30_000)
    expect(await tryIn(signIn, { code: codeAt(link.totp, clock.now()) })).toBe('done')
  })

  test('takes no code from an address that guessed twenty beside the right password', async () => {
    const opened = await open()
    await setUp(opened)
    const { signIn, code, pass } = opened
    for (let guessed = 0; guessed < 21; guessed++) {
      expect(await tryIn(signIn, { code: '000000' }, elsewhere)).toBe('sign_in_wrong')
      if (guessed % 5 === 4) pass(15 * 60_000)
    }
    expect(await tryIn(signIn, { code: code() }, elsewhere)).toBe('sign_in_codes_guessed')
    pass(30_000)
    expect(await tryIn(signIn, { code: code() })).toBe('done')
  })

  test('looks at five of a thousand guesses at once', async () => {
    const opened = await open()
    await setUp(opened)
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, (_, at) =>
        tryIn(opened.signIn, { code: String(at).padStart(6, '0'), password: 'wrong' }),
      ),
    )
    expect(outcomes.filter((each) => each === 'sign_in_wrong')).toHaveLength(5)
    expect(outcomes.filter((each) => each === 'sign_in_locked')).toHaveLength(995)
  })
})

describe('a session of an operator', () => {
  test('ends by itself after twelve hours, and with its operator', async () => {
    const opened = await open()
    const { token } = await setUp(opened)
    const { signIn, pass, storage } = opened
    expect((await signIn.find(token))?.who.name).toBe('sara')
    expect(await signIn.find(`${token}x`)).toBeNull()
    pass(12 * 3_600_000)
    expect(await signIn.find(token)).toBeNull()
    const again = await signIn.signIn(
      guess,
      { name: 'sara', password, second: opened.code() },
      visitor,
    )
    const { id } = again.operator
    expect(await storage.operators.remove(id)).toBe('last_owner')
    await storage.operators.reset(id, makeLink(storage.pepper, opened.clock.now()).link)
    expect(await signIn.find(again.token)).toBeNull()
    expect(await tryIn(signIn, { code: opened.code() })).toBe('sign_in_wrong')
  })
})
