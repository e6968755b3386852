import { afterEach, describe, expect, test } from 'bun:test'
import type { Phone } from '../../src/domain/phone'
import type { CodeBrowser } from '../../src/business/users/sign-in-codes'
import { guess } from '../support/guess'
import { browserAt, openDesk, otherThan, phone, phoneNumber, refusalOf } from './desk'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
let desk: ReturnType<typeof openDesk> | null = null
afterEach(async () => {
  await desk?.close()
  desk = null
})

const here = browserAt('192.0.2.1')
/** A browser that nobody saw before, at an address of its own. */
const stranger = (number: number): CodeBrowser =>
  browserAt(`198.51.${Math.floor(number / 250)}.${(number % 250) + 1}`)

/** A desk, and what people do at it. */
function open(...parts: Parameters<typeof openDesk>) {
  const opened = openDesk(...parts)
  desk = opened
  const { codes, storage } = opened
  const ask = async (browser: CodeBrowser, of: Phone = phone): Promise<string> =>
    (await codes.issue(of, browser)).code ?? ''
  const tried = (browser: CodeBrowser, code: string, of: Phone = phone) =>
    refusalOf(codes.check(guess, { phone: of, code }, browser))
  return {
    ...opened,
    ask,
    tried,
    asked: (browser: CodeBrowser, of: Phone = phone) => refusalOf(codes.issue(of, browser)),
    /** The number has an account, and signed in from here. */
    async settleIn(of: Phone = phone, browser = here) {
      await storage.people.begin(of, { account: 'a', project: 'p' })
      await codes.remember(of, browser)
    },
  }
}

describe('a sign-in code', () => {
  test('has six digits and is taken once', async () => {
    const { ask, tried } = open()
    const code = await ask(here)
    expect(code).toMatch(/^\d{6}$/)
    expect(await tried(here, code)).toBeNull()
    expect(await tried(here, code)).toEqual({ code: 'code_expired' })
  })

  test('is over after its life', async () => {
    const { ask, tried, pass } = open()
    const code = await ask(here)
    pass(120_000)
    expect(await tried(here, code)).toEqual({ code: 'code_expired' })
  })

  test('is taken as people type it: in any script, and in groups', async () => {
    const { ask, tried } = open()
    const code = await ask(here)
    const persian = code.replace(/\d/g, (digit) => String.fromCharCode(0x06f0 + Number(digit)))
    expect(await tried(here, ` ${persian.slice(0, 3)} ${persian.slice(3)} `)).toBeNull()
  })

  test('takes ten guesses, and another may be asked for at once', async () => {
    const { ask, tried } = open()
    const code = await ask(here)
    for (let left = 9; left > 0; left--)
      expect(await tried(here, otherThan(code))).toEqual({ code: 'code_wrong', left })
    expect(await tried(here, otherThan(code))).toEqual({ code: 'code_void' })
    expect(await tried(here, code)).toEqual({ code: 'code_expired' })
    expect(await tried(here, await ask(here))).toBeNull()
  })

  test('is tried by the browser that asked, and by no other', async () => {
    const { ask, tried } = open()
    const code = await ask(here)
    for (let number = 0; number < 40; number++)
      expect(await tried(stranger(number), number < 20 ? code : otherThan(code))).toEqual({
        code: 'code_expired',
      })
    expect(await tried(here, code)).toBeNull()
  })

  test('does not tell whether a phone ever asked', async () => {
    const { tried } = open()
    expect(await tried(here, '123456')).toEqual({ code: 'code_expired' })
  })

  test('that could not be sent is void, and another may be asked for at once', async () => {
    const { codes, ask, tried, asked } = open()
    for (let count = 0; count < 8; count++) {
      const code = await ask(here)
      await codes.unsent(phone, here)
      expect(await tried(here, code)).toEqual({ code: 'code_expired' })
    }
    expect(await asked(here)).toBeNull()
  })
})

describe('asking for codes', () => {
  test('has to wait a minute in one browser', async () => {
    const { ask, asked, pass } = open()
    await ask(here)
    expect(await asked(here)).toEqual({ code: 'code_too_soon', waitSeconds: 60 })
    expect(await asked(stranger(1))).toBeNull()
    pass(minuteMs)
    expect(await asked(here)).toBeNull()
  })

  test('gets five an hour for a phone from strangers, the last one long', async () => {
    const { ask, codes, pass } = open()
    const lengths: number[] = []
    for (let number = 0; number < 5; number++) {
      lengths.push((await ask(stranger(number))).length)
      pass(2 * minuteMs)
    }
    expect(lengths).toEqual([6, 6, 6, 6, 12])
    // No SMS any more, but whoever holds the phone has the one of before.
    expect(await codes.issue(phone, here)).toMatchObject({ code: null, digits: 12 })
    pass(hourMs - 10 * minuteMs)
    expect((await ask(here)).length).toBe(12)
  })

  test('gets five an hour more for each place that the number knows', async () => {
    const { ask, asked, settleIn, pass } = open()
    await settleIn()
    for (let number = 0; number < 5; number++) await ask(stranger(number))
    const known = [here, browserAt('203.0.113.1', here.token), browserAt(here.address, 'private')]
    // Its browser elsewhere, then its address with another browser.
    for (const [at, browser] of known.entries())
      for (let count = 0; count < (at === 1 ? 0 : 5); count++) {
        expect((await ask(browser)).length).toBe(6)
        pass(minuteMs)
      }
    expect(await asked(known[1] ?? here)).toBeNull()
  })

  test('gets ten an hour for a number, however many places know it', async () => {
    const { ask, asked, tried, settleIn, codes, pass } = open({ perServiceHour: 10_000 })
    await settleIn()
    for (let number = 0; number < 3; number++) await codes.remember(phone, stranger(number))
    for (let number = 0; number < 3; number++)
      for (let count = 0; count < (number === 2 ? 2 : 3); count++) {
        expect((await ask(stranger(number))).length).toBe(6)
        pass(minuteMs)
      }
    // Codes that came back from strangers are of them.
    for (let number = 10; number < 12; number++) {
      const browser = stranger(number)
      expect(await tried(browser, await ask(browser))).toBeNull()
      await codes.remember(phone, browser)
    }
    for (const browser of [here, stranger(0), stranger(10), stranger(99)])
      expect(await asked(browser)).toMatchObject({ code: 'code_too_often' })
    pass(hourMs - 8 * minuteMs)
    expect(await asked(here)).toBeNull()
  })

  test('at known addresses, which others share, leaves a known browser its codes', async () => {
    const { ask, asked, settleIn, codes } = open({ perServiceHour: 10_000 })
    await settleIn()
    for (let number = 0; number < 3; number++) await codes.remember(phone, stranger(number))
    const sharing = (number: number) => browserAt(stranger(number % 3).address, `other ${number}`)
    for (let number = 0; number < 5; number++) expect(await asked(sharing(number))).toBeNull()
    // From then on they are strangers.
    for (let number = 5; number < 10; number++) await ask(sharing(number))
    expect(await codes.issue(phone, sharing(10))).toMatchObject({ code: null, digits: 12 })
    expect((await ask(here)).length).toBe(6)
  })

  test('gets twenty an hour for an address, and several times as many for a wide block', async () => {
    const { ask, asked } = open({ perServiceHour: 10_000 })
    let number = 0
    const from = (address: string) => browserAt(address, `${number}`)
    const most = async (address: (count: number) => string) => {
      let sent = 0
      for (; ; sent++)
        if ((await asked(from(address(sent)), phoneNumber(number++))) !== null) return sent
    }
    expect(await most(() => '192.0.2.1')).toBe(20)
    expect(await most((count) => `192.0.2.${count + 2}`)).toBe(180)
    expect(await most(() => '2001:db8:1:100::1')).toBe(20)
    expect(await most((count) => `2001:db8:1:${(0x101 + count).toString(16)}::1`)).toBe(20)
    expect(await most((count) => `2001:db8:1:${(0x200 + count * 256).toString(16)}::1`)).toBe(40)
    // What comes back is no stranger's.
    const code = await ask(from('2001:db8:2::1'), phoneNumber(number))
    await desk?.codes.check(guess, { phone: phoneNumber(number), code }, from('2001:db8:2::1'))
    expect(await most(() => '2001:db8:2::1')).toBe(20)
  })

  test('leaves half of the hour to known places, and the half of that to numbers with an account', async () => {
    const { ask, asked, settleIn, alarms, codes, pass } = open({ perServiceHour: 20 })
    for (let number = 0; number < 10; number++) await settleIn(phoneNumber(number))
    const newcomers = [10, 11, 12, 13, 14].map(phoneNumber)
    for (const [at, number] of newcomers.entries()) await ask(stranger(at), number)
    const full = { code: 'sms_capacity', waitSeconds: 3600 }
    expect(await asked(stranger(20), phoneNumber(20))).toEqual(full)
    for (let number = 0; number < 5; number++) await ask(stranger(30 + number), phoneNumber(number))
    expect(await asked(stranger(40), phoneNumber(6))).toEqual(full)
    expect(alarms).toEqual(['sms_per_hour', 'sms_per_hour'])
    for (let number = 0; number < 10; number++) await ask(here, phoneNumber(number))
    expect(await asked(here, phoneNumber(10))).toEqual(full)
    await codes.remember(phoneNumber(10), here)
    expect(await asked(here, phoneNumber(10))).toEqual(full)
    pass(hourMs)
    expect(await asked(here, phoneNumber(10))).toBeNull()
  })

  test('gives the part of strangers back with each code that comes back', async () => {
    const { ask, asked, tried } = open({ perServiceHour: 8 })
    for (let number = 0; number < 6; number++) {
      const code = await ask(stranger(number), phoneNumber(number))
      expect(await tried(stranger(number), code, phoneNumber(number))).toBeNull()
    }
    for (let number = 6; number < 8; number++) await ask(stranger(number), phoneNumber(number))
    expect(await asked(stranger(8), phoneNumber(8))).toMatchObject({ code: 'sms_capacity' })
  })

  test('forty times at once in one browser gets one code', async () => {
    const { asked } = open()
    const refusals = (await Promise.all(Array.from({ length: 40 }, () => asked(here)))).filter(
      (each) => each !== null,
    )
    expect(refusals).toHaveLength(39)
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['code_too_soon']))
  })
})

describe('guessing', () => {
  test('two thousand times at once compares ten codes, and not even the right one is taken then', async () => {
    const { ask, tried } = open()
    const code = await ask(here)
    const tries = Array.from({ length: 2000 }, () => tried(here, otherThan(code)))
    const answers = await Promise.all([...tries, tried(here, code)])
    expect(answers.filter((each) => each?.code === 'code_wrong')).toHaveLength(9)
    expect(answers.filter((each) => each?.code === 'code_void')).toHaveLength(1)
    expect(answers.filter((each) => each?.code === 'code_expired')).toHaveLength(1991)
  })

  test('of a long code counts where it names the code, and says the same where it does not', async () => {
    const { ask, tried } = open()
    for (let number = 0; number < 4; number++) await ask(stranger(number))
    const code = await ask(stranger(4))
    const wrong = { code: 'code_long_wrong', digits: 12 }
    for (let number = 0; number < 50; number++)
      expect(await tried(stranger(number), `${otherThan(code.slice(0, 6))}000000`)).toEqual(wrong)
    for (let number = 0; number < 9; number++)
      expect(await tried(stranger(number), otherThan(code))).toEqual(wrong)
    expect(await tried(here, code.slice(6))).toEqual({ code: 'code_expired' })
    expect(await tried(here, code)).toBeNull()
  })

  test('ends for strangers at thirty-five a day, and goes on for known places', async () => {
    const { ask, tried, settleIn, pass } = open()
    await settleIn()
    let compared = 0
    let lengths = ''
    for (let number = 0; compared < 35; number++) {
      const code = await ask(stranger(number))
      lengths += code.length === 6 ? 's' : 'l'
      for (let count = 0; count < 10 && compared < 35; count++, compared++)
        await tried(stranger(number), otherThan(code))
      pass(hourMs)
    }
    // Short ones allow twenty.
    expect(lengths).toBe('ssll')
    const code = await ask(stranger(9))
    expect(await tried(stranger(9), code)).toMatchObject({ code: 'code_locked' })
    expect(await tried(here, await ask(here))).toBeNull()
    pass(dayMs)
    expect(await tried(stranger(9), await ask(stranger(9)))).toBeNull()
  })

  test('at known browsers ends at ten a day: then they are strangers', async () => {
    const { ask, tried, settleIn, codes, pass } = open()
    await settleIn()
    const code = await ask(here)
    for (let wrong = 0; wrong < 10; wrong++) await tried(here, otherThan(code))
    for (let number = 0; number < 5; number++) await ask(stranger(number))
    const elsewhere = browserAt('203.0.113.1', here.token)
    expect(await codes.issue(phone, elsewhere)).toMatchObject({ code: null, digits: 12 })
    // Its address has guesses of its own.
    expect(await tried(here, await ask(here))).toBeNull()
    pass(dayMs)
    expect((await ask(elsewhere)).length).toBe(6)
  })

  test('ends for a number at fifty a day, however many places come and go', async () => {
    const { ask, settleIn, storage, codes, pass } = open({ perServiceHour: 10_000 })
    await settleIn()
    let compared = 0
    const guessAt = async (browser: CodeBrowser) => {
      let code: string | null = null
      await refusalOf(codes.issue(phone, browser).then((issued) => (code = issued.code)))
      if (code === null) return
      const typed = { phone, code: otherThan(code) }
      for (let wrong = 0; wrong < 10; wrong++) {
        const answer = await refusalOf(codes.check(guess, typed, browser))
        if (/^code_(?:wrong|long_wrong|void)$/.test(answer?.code ?? '')) compared++
      }
    }
    const begun = desk?.clock.now() ?? 0
    for (let number = 0; (desk?.clock.now() ?? 0) < begun + dayMs - hourMs; number++) {
      // A browser and an address, known for a moment; more of them push it out.
      await codes.remember(phone, stranger(number))
      await guessAt(stranger(number))
      await guessAt(browserAt(stranger(number).address, `other ${number}`))
      for (let more = 0; more < 12; more++) await codes.remember(phone, stranger(1000 + more))
      await guessAt(stranger(number))
      pass(10 * minuteMs)
    }
    expect(compared).toBe(50)
    expect(await storage.by('operator:sara').signInLimits.unlock(phone)).toMatchObject({
      wrong: 50,
    })
    expect((await ask(here)).length).toBe(6)
  })

  test('is told from the number of wrong codes on that the operator set', async () => {
    const { ask, tried, alarms } = open({}, 3)
    const code = await ask(here)
    for (let count = 0; count < 2; count++) await tried(here, otherThan(code))
    expect(alarms).toEqual([])
    await tried(here, otherThan(code))
    expect(alarms).toEqual(['wrong_codes'])
  })
})

describe('an operator who unlocks a number', () => {
  test('lifts what stands for it, and leaves a line of the trail', async () => {
    const { ask, asked, tried, storage } = open()
    const code = await ask(stranger(0))
    for (let wrong = 0; wrong < 10; wrong++) await tried(stranger(0), otherThan(code))
    for (let number = 1; number < 5; number++) await ask(stranger(number))
    const limits = storage.by('operator:sara').signInLimits
    expect(await limits.unlock(phone)).toEqual({ codes: 5, wrong: 10 })
    expect((await ask(stranger(9))).length).toBe(6)
    expect(await asked(stranger(10))).toBeNull()
    const [line] = await storage.trail.list({ subject: null, before: null, max: 1 })
    expect(line).toMatchObject({
      who: 'operator:sara',
      what: 'person.unlock',
      subject: 'phone:0912 ··· 6789',
      after: { phone: '0912 ··· 6789', codes: 5, wrong: 10 },
    })
  })
})
