import { describe, expect, test } from 'bun:test'
import { presetsOf } from '../../src/domain/fields/field'
import { keyFields } from '../../src/domain/fields/key-fields'
import fc from 'fast-check'
import type { Account, Caller, Key } from '../../src/domain/caller'
import { noAccountRpm } from '../../src/domain/fields/account-fields'
import { addressBucket } from '../../src/gateway/net/address'
import type { Ticks } from '../../src/domain/clock'
import type { AccountId, KeyId, ProjectId } from '../../src/domain/ids'
import { GatewayError } from '../../src/errors/gateway-error'
import type { AccountSlot } from '../../src/gateway/limits/limits'
import { openLocalLimits } from '../../src/gateway/limits/local-limits'

const account: Account = {
  id: 1 as AccountId,
  name: 'a',
  status: 'active',
  verified: true,
  dailyCap: null,
  noticeFloor: null,
  group: null,
  unverifiedCeiling: null,
  concurrency: 2,
  requestsPerMinute: 100,
  maxRequestKb: 1,
}
const key: Key = {
  id: 1 as KeyId,
  project: 1 as ProjectId,
  name: 'k',
  prefix: 'sk',
  state: 'active',
  ...presetsOf(keyFields),
  requestsPerMinute: 10,
}
const project = {
  id: 1 as ProjectId,
  account: account.id,
  name: 'p',
  active: true,
  allowedModels: null,
  monthlyBudget: null,
}
const caller = (change: { account?: Partial<Account>; key?: Partial<Key> } = {}): Caller => ({
  account: { ...account, ...change.account },
  project,
  key: { ...key, ...change.key },
})

function open(
  start: { addressRequestsPerMinute?: number; failedAttempts?: number } = {},
  isOneOfSeveral = false,
) {
  let now = 1_000_000
  const settings = {
    addressRequestsPerMinute: 5,
    addressConcurrency: 4,
    failedAttempts: 3,
    ...start,
  }
  let overloaded = false
  const limits = openLocalLimits({
    monotonic: { ticks: () => now as Ticks },
    settings,
    isOneOfSeveral,
    attemptWindowMs: 300_000,
    maxOfOneAddress: 6,
    overloaded: () => overloaded,
  })
  const overload = (is: boolean) => void (overloaded = is)
  return { limits, settings, pass: (ms: number) => void (now += ms), overload }
}

/** The refusal, or null. */
async function refused(work: () => unknown): Promise<GatewayError | null> {
  try {
    await work()
    return null
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown as GatewayError
    throw thrown
  }
}
async function allowedOf(times: number, work: () => unknown): Promise<number> {
  let allowed = 0
  for (let time = 0; time < times; time++) if ((await refused(work)) === null) allowed++
  return allowed
}

describe('slots', () => {
  test('any order of taking and giving back keeps to each account’s concurrency and its own count', async () => {
    const step = fc.record({ take: fc.boolean(), who: fc.nat(2), which: fc.nat() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120, size: 'max' }), async (steps) => {
        const { limits } = open()
        const concurrency = [1, 3, 8]
        const slots: { readonly who: number; readonly slot: AccountSlot }[] = []
        for (const { take, who, which } of steps) {
          const id = (who + 1) as AccountId
          const most = concurrency[who] ?? 0
          const taken = slots.filter((each) => each.who === who).length
          if (take) {
            const sits = async () =>
              slots.push({
                who,
                slot: await limits.takeSlot(caller({ account: { id, concurrency: most } })),
              })
            const error = await refused(sits)
            expect(error?.code ?? null).toBe(taken < most ? null : 'concurrency_limit')
            if (error !== null) expect(error.facts).toEqual({ limit: most })
          } else if (slots.length > 0) {
            const [given] = slots.splice(which % slots.length, 1)
            given?.slot.release()
            // Once is once: the one who sits there now is not sent away.
            given?.slot.release()
          }
          expect(limits.slotsInUse()).toBe(slots.length)
          expect(limits.slotsInUse(id)).toBe(slots.filter((each) => each.who === who).length)
        }
        for (const { slot } of slots) slot.release()
        expect(limits.slotsInUse()).toBe(0)
      }),
    )
  })

  test('a concurrency that is lowered lets nobody in until enough have left', async () => {
    const { limits } = open()
    const [first, second] = [await limits.takeSlot(caller()), await limits.takeSlot(caller())]
    const narrow = caller({ account: { concurrency: 1 } })
    expect((await refused(() => limits.takeSlot(narrow)))?.code).toBe('concurrency_limit')
    first.release()
    expect((await refused(() => limits.takeSlot(narrow)))?.code).toBe('concurrency_limit')
    second.release()
    expect(await refused(() => limits.takeSlot(narrow))).toBeNull()
  })
})

describe('requests per minute', () => {
  test.each([
    [10, 100, 10],
    [null, 100, 100],
    [500, 100, 100],
    [10, 4, 4],
  ])('of a key with %p under a ceiling of %p are %p', async (own, ceiling, expected) => {
    const { limits } = open()
    const who = caller({ key: { requestsPerMinute: own }, account: { requestsPerMinute: ceiling } })
    expect(limits.allowance(who, 'a')).toEqual({ limit: expected, remaining: expected })
    expect(await allowedOf(expected + 3, () => limits.takeRequest(who))).toBe(expected)
    const error = await refused(() => limits.takeRequest(who))
    expect(error?.facts).toMatchObject({ limit: expected, by: 'key' })
    expect(error?.retryAfterSeconds).toBe(Math.ceil(60 / expected))
  })

  test('are told without taking any, and what is left is whole', async () => {
    const { limits, pass } = open()
    for (let count = 0; count < 4; count++) await limits.takeRequest(caller())
    expect(limits.allowance(caller(), 'a')).toEqual({ limit: 10, remaining: 6 })
    expect(limits.allowance(caller(), 'a')).toEqual({ limit: 10, remaining: 6 })
    pass(9000)
    expect(limits.allowance(caller(), 'a').remaining).toBe(7)
    pass(3600_000)
    expect(limits.allowance(caller(), 'a').remaining).toBe(10)
  })

  test('are counted for each key alone', async () => {
    const { limits } = open()
    expect(await allowedOf(20, () => limits.takeRequest(caller()))).toBe(10)
    const other = caller({ key: { id: 2 as KeyId } })
    expect(await allowedOf(20, () => limits.takeRequest(other))).toBe(10)
  })

  test('that a command lowers hold at once; raised, the difference is there at once', async () => {
    const { limits } = open()
    const lowered = caller({ key: { requestsPerMinute: 2 } })
    await limits.takeRequest(caller())
    expect(await allowedOf(5, () => limits.takeRequest(lowered))).toBe(2)
    const raised = caller({ key: { requestsPerMinute: 6 } })
    expect(await allowedOf(9, () => limits.takeRequest(raised))).toBe(4)
  })
})

describe('requests of an address', () => {
  test('are the allowance of a key without a limit whose account has none', async () => {
    const { limits } = open()
    const free = caller({
      key: { requestsPerMinute: null },
      account: { requestsPerMinute: noAccountRpm },
    })
    expect(limits.allowance(free, '2001:db8:0:0:0:0:0:7')).toEqual({ limit: 5, remaining: 5 })
    await limits.takeAddress(addressBucket('2001:db8:0:0:0:0:0:8'))
    await limits.takeRequest(free)
    expect(limits.allowance(free, '2001:db8:0:0:0:0:0:7')).toEqual({ limit: 5, remaining: 4 })
    expect(limits.allowance(free, '192.0.2.1')).toEqual({ limit: 5, remaining: 5 })
  })

  test('are counted for each address, and by the setting as it is now', async () => {
    const { limits, settings } = open()
    expect(await allowedOf(9, () => limits.takeAddress('a'))).toBe(5)
    expect(await allowedOf(9, () => limits.takeAddress('b'))).toBe(5)
    expect((await refused(() => limits.takeAddress('a')))?.facts).toMatchObject({
      limit: 5,
      by: 'address',
    })
    settings.addressRequestsPerMinute = 8
    expect(await allowedOf(9, () => limits.takeAddress('a'))).toBe(3)
    settings.addressRequestsPerMinute = 1
    expect(await allowedOf(9, () => limits.takeAddress('c'))).toBe(1)
  })
})

const one = (name: string) => [{ name, weight: 1 }]

describe('the guard against guessing', () => {
  test('gives a guess back that was right, once for each that was taken', async () => {
    const { limits } = open()
    const guesses = [await limits.takeAttempt(one('a')), await limits.takeAttempt(one('a'))]
    await limits.takeAttempt(one('a'))
    for (const guess of guesses) guess.forgive()
    expect(await allowedOf(9, () => limits.takeAttempt(one('a')))).toBe(2)
  })

  test('counts wide blocks of addresses too, and takes nothing where one of them is full', async () => {
    const { limits } = open()
    const site = { name: '2001:db8:1::/48', weight: 4 }
    for (let client = 0; client < 4; client++)
      expect(await allowedOf(9, () => limits.takeAttempt([...one(`client ${client}`), site]))).toBe(
        3,
      )
    expect(await allowedOf(9, () => limits.takeAttempt([...one('client 4'), site]))).toBe(0)
    expect(await allowedOf(9, () => limits.takeAttempt(one('client 4')))).toBe(3)
  })

  test('tells other processes of blocks, but of no guess that was right', async () => {
    const [here, elsewhere] = [open({}, true), open({}, true)]
    const site = { name: '2001:db8:1::/48', weight: 4 }
    const right = await here.limits.takeAttempt(one('a'))
    right.forgive()
    for (let count = 0; count < 3; count++)
      await here.limits.takeAttempt([...one(`${count}`), site])
    const news = here.limits.news()
    expect(news?.attempts.map(([name]) => name)).not.toContain('a')
    if (news !== null) elsewhere.limits.hear(1, news)
    expect(await allowedOf(20, () => elsewhere.limits.takeAttempt([site]))).toBe(9)
  })

  test('refuses further wrong keys after so many, and says how long', async () => {
    const { limits, pass } = open()
    expect(await allowedOf(3, () => limits.takeAttempt(one('a')))).toBe(3)
    const error = await refused(() => limits.takeAttempt(one('a')))
    expect(error).toMatchObject({ code: 'too_many_failed_attempts', facts: { seconds: 100 } })
    expect(error?.retryAfterSeconds).toBe(100)
    expect(await refused(() => limits.takeAttempt(one('b')))).toBeNull()
    pass(99_500)
    expect((await refused(() => limits.takeAttempt(one('a'))))?.facts).toEqual({ seconds: 1 })
    pass(501)
    expect(await allowedOf(3, () => limits.takeAttempt(one('a')))).toBe(1)
  })

  test('forgives everything after its window', async () => {
    const { limits, pass } = open()
    expect(await allowedOf(50, () => limits.takeAttempt(one('a')))).toBe(3)
    pass(300_000)
    expect(await allowedOf(50, () => limits.takeAttempt(one('a')))).toBe(3)
  })

  test('counts by the setting as it is now', async () => {
    const { limits, settings } = open()
    expect(await allowedOf(5, () => limits.takeAttempt(one('a')))).toBe(3)
    settings.failedAttempts = 5
    expect(await allowedOf(5, () => limits.takeAttempt(one('a')))).toBe(2)
  })
})

describe('requests in progress of an address', () => {
  const admitted = async ({ limits }: ReturnType<typeof open>, address: string) => {
    const slot = limits.addressSlots.take(address)
    const error = await refused(() => slot.check())
    return { slot, error }
  }

  test('are as many as the setting says now, and never more than its share', async () => {
    const it = open()
    const all = await Promise.all(Array.from({ length: 9 }, () => admitted(it, 'a')))
    expect(all.filter(({ error }) => error === null).length).toBe(4)
    expect(all[4]?.error).toMatchObject({
      code: 'rate_limit_exceeded',
      retryAfterSeconds: 1,
      facts: { limit: 4, by: 'address', atOnce: true },
    })
    expect((await admitted(it, 'b')).error).toBeNull()
    for (const { slot } of all) slot.release()
    it.settings.addressConcurrency = 100
    const more = await Promise.all(Array.from({ length: 9 }, () => admitted(it, 'a')))
    expect(more.filter(({ error }) => error === null).length).toBe(6)
  })

  test('end with the last who goes on with the request', async () => {
    const it = open()
    const { slot } = await admitted(it, 'a')
    slot.retain()
    slot.release()
    expect(it.limits.addressSlots.inUse('a')).toBe(1)
    slot.release()
    expect([it.limits.addressSlots.inUse('a'), it.limits.addressSlots.inUse()]).toEqual([0, 0])
  })
})

test('an overloaded process takes no metered call, and takes nothing for it', async () => {
  const { limits, overload } = open()
  overload(true)
  const error = await refused(() => limits.takeSlot(caller()))
  expect(error).toMatchObject({ code: 'gateway_error', status: 503 })
  expect(error?.retryAfterSeconds).toBeGreaterThan(0)
  expect(limits.slotsInUse()).toBe(0)
  overload(false)
  expect(await refused(() => limits.takeSlot(caller()))).toBeNull()
})
