import { afterEach, describe, expect, test } from 'bun:test'
import { openDesk, otherThan, phone, phoneNumber, refusalOf } from './desk'

const minuteMs = 60_000
const dayMs = 86_400_000
let desk: ReturnType<typeof openDesk> | null = null
afterEach(async () => {
  await desk?.close()
  desk = null
})
const open = (...parts: Parameters<typeof openDesk>) => (desk = openDesk(...parts))

describe('a sign-in code', () => {
  test('has six digits and is taken once', async () => {
    const { codes } = open()
    const code = await codes.issue(phone, 'a')
    expect(code).toMatch(/^\d{6}$/)
    expect(await refusalOf(codes.check(phone, code))).toBeNull()
    expect(await refusalOf(codes.check(phone, code))).toEqual({ code: 'code_expired' })
  })

  test('is over after its life', async () => {
    const { codes, pass } = open()
    const code = await codes.issue(phone, 'a')
    pass(120_000)
    expect(await refusalOf(codes.check(phone, code))).toEqual({ code: 'code_expired' })
  })

  test('is locked for a day by the tenth wrong one of a day, and asking again buys no tries', async () => {
    const { codes, pass } = open()
    for (let left = 9; left > 0; left--) {
      const code = await codes.issue(phone, 'a')
      expect(await refusalOf(codes.check(phone, otherThan(code)))).toEqual({
        code: 'code_wrong',
        left,
      })
      pass(30 * minuteMs)
    }
    const code = await codes.issue(phone, 'a')
    const locked = { code: 'code_locked', waitSeconds: 86_400 }
    expect(await refusalOf(codes.check(phone, otherThan(code)))).toEqual(locked)
    expect(await refusalOf(codes.check(phone, code))).toEqual(locked)
    expect(await refusalOf(codes.issue(phone, 'a'))).toEqual(locked)
    pass(dayMs)
    const fresh = await codes.issue(phone, 'a')
    expect(await refusalOf(codes.check(phone, fresh))).toBeNull()
  })

  test('forgives wrong ones after a day', async () => {
    const { codes, pass } = open()
    const first = await codes.issue(phone, 'a')
    await refusalOf(codes.check(phone, otherThan(first)))
    pass(dayMs)
    const second = await codes.issue(phone, 'a')
    expect(await refusalOf(codes.check(phone, otherThan(second)))).toMatchObject({ left: 9 })
  })

  test('does not reset what was guessed wrong by being right', async () => {
    const { codes, pass } = open()
    const first = await codes.issue(phone, 'a')
    await refusalOf(codes.check(phone, otherThan(first)))
    expect(await refusalOf(codes.check(phone, first))).toBeNull()
    pass(minuteMs)
    const second = await codes.issue(phone, 'a')
    expect(await refusalOf(codes.check(phone, otherThan(second)))).toMatchObject({ left: 8 })
  })

  test('does not tell whether a phone ever asked', async () => {
    const { codes } = open()
    expect(await refusalOf(codes.check(phone, '123456'))).toEqual({ code: 'code_expired' })
  })

  test('that could not be sent is void, and another may be asked for at once', async () => {
    const { codes } = open()
    const code = await codes.issue(phone, 'a')
    await codes.unsent(phone)
    expect(await refusalOf(codes.check(phone, code))).toEqual({ code: 'code_expired' })
    expect(await refusalOf(codes.issue(phone, 'a'))).toBeNull()
  })
})

describe('asking for codes', () => {
  test('has to wait a minute, and gets five an hour for a phone', async () => {
    const { codes, pass } = open()
    await codes.issue(phone, 'a')
    expect(await refusalOf(codes.issue(phone, 'b'))).toEqual({
      code: 'code_too_soon',
      waitSeconds: 60,
    })
    for (let count = 2; count <= 5; count++) {
      pass(minuteMs)
      await codes.issue(phone, 'a')
    }
    pass(minuteMs)
    expect(await refusalOf(codes.issue(phone, 'a'))).toEqual({
      code: 'code_too_often',
      waitSeconds: 3300,
    })
    pass(55 * minuteMs)
    expect(await refusalOf(codes.issue(phone, 'a'))).toBeNull()
  })

  test('gets twenty an hour for an address', async () => {
    const { codes } = open()
    for (let number = 0; number < 20; number++) await codes.issue(phoneNumber(number), 'a')
    expect(await refusalOf(codes.issue(phone, 'a'))).toMatchObject({ code: 'code_too_often' })
    expect(await refusalOf(codes.issue(phone, 'b'))).toBeNull()
  })

  test('ends for everybody at the capacity of the hour, and the operator is told', async () => {
    const { codes, alarms, pass } = open({ perServiceHour: 3 })
    for (let number = 0; number < 3; number++) await codes.issue(phoneNumber(number), `${number}`)
    expect(await refusalOf(codes.issue(phone, 'a'))).toEqual({
      code: 'sms_capacity',
      waitSeconds: 3600,
    })
    expect(alarms).toEqual(['sms_per_hour'])
    pass(60 * minuteMs)
    expect(await refusalOf(codes.issue(phone, 'a'))).toBeNull()
  })

  test('forty times at once for one phone gets one code', async () => {
    const { codes } = open()
    const asks = Array.from({ length: 40 }, () => refusalOf(codes.issue(phone, 'a')))
    const refusals = (await Promise.all(asks)).filter((each) => each !== null)
    expect(refusals).toHaveLength(39)
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['code_too_soon']))
  })
})

describe('guessing', () => {
  test('two thousand times at once compares ten codes, and not even the right one is taken then', async () => {
    const { codes } = open()
    const code = await codes.issue(phone, 'a')
    const wrong = otherThan(code)
    const tries = Array.from({ length: 2000 }, () => refusalOf(codes.check(phone, wrong)))
    const answers = await Promise.all([...tries, refusalOf(codes.check(phone, code))])
    expect(answers.filter((each) => each?.code === 'code_wrong')).toHaveLength(9)
    expect(answers.filter((each) => each?.code === 'code_locked')).toHaveLength(1992)
  })

  test('ten thousand times over a hundred phones and fifty addresses compares a thousand at most', async () => {
    const { codes, storage, alarms, clock } = open({ perServiceHour: 1000 }, 100)
    for (let number = 0; number < 100; number++)
      await codes.issue(phoneNumber(number), `${number % 50}`)
    const answers = await Promise.all(
      Array.from({ length: 10_000 }, (_, count) =>
        refusalOf(codes.check(phoneNumber(count % 100), String(count).padStart(6, '0'))),
      ),
    )
    const taken = answers.filter((each) => each === null).length
    const wrong = await storage.signIn.check(phone, clock.now(), () => ({
      code: null,
      wasWrong: true,
      answer: null,
    }))
    // The one above counts itself.
    const compared = wrong.wrongThisHour - 1 + taken
    expect(compared).toBeLessThanOrEqual(1000)
    expect(compared).toBeGreaterThan(900)
    expect(new Set(alarms)).toEqual(new Set(['wrong_codes']))
  })

  test('is told from the number of wrong codes on that the operator set', async () => {
    const { codes, alarms } = open({}, 3)
    const code = await codes.issue(phone, 'a')
    for (let count = 0; count < 2; count++) await refusalOf(codes.check(phone, otherThan(code)))
    expect(alarms).toEqual([])
    await refusalOf(codes.check(phone, otherThan(code)))
    expect(alarms).toEqual(['wrong_codes'])
  })
})
