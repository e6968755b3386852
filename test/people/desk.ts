import type { Ms } from '../../src/domain/clock'
import { openEntrance } from '../../src/business/users/sign-in-flow'
import { openMembers } from '../../src/business/users/members'
import { isPeopleRefusal } from '../../src/business/users/refusal'
import type { Phone } from '../../src/domain/phone'
import { openSessions } from '../../src/business/users/sessions'
import {
  openSignInCodes,
  type CodeBrowser,
  type SignInAlarm,
} from '../../src/business/users/sign-in-codes'
import type { SignInLimits } from '../../src/business/users/sign-in-rules'
import { openStorage } from '../../src/business/data/sqlite/open-storage'

export const phone = '+989123456789' as Phone

/** Ten thousand numbers that nobody else has. */
export const phoneNumber = (number: number): Phone =>
  `+98912000${String(number).padStart(4, '0')}` as Phone

/** A browser of its own at an address. */
export const browserAt = (address: string, token: string = address): CodeBrowser => ({
  address,
  token,
})

/** Codes and sessions on a database in memory, and a clock that a test moves. */
export function openDesk(limits: Partial<SignInLimits> = {}, wrongAlarm = 1_000_000) {
  let time = Date.UTC(2026, 10, 22, 12)
  const clock = { now: () => time as Ms }
  const storage = openStorage({ folder: null, exclusive: true, clock })
  const alarms: SignInAlarm[] = []
  const bounds: SignInLimits = {
    lifeMs: 120_000,
    perServiceHour: 300,
    ...limits,
  }
  const { pepper } = storage
  const codes = openSignInCodes({
    store: storage.signIn,
    clock,
    pepper,
    limits: () => bounds,
    wrongAlarm: () => wrongAlarm,
    onAlarm: async (alarm) => void alarms.push(alarm),
  })
  const sessions = openSessions({
    store: storage.sessions,
    clock,
    pepper,
    limits: () => ({ idleMs: 7 * 86_400_000, lifeMs: 30 * 86_400_000 }),
  })
  return {
    storage,
    clock,
    codes,
    alarms,
    sessions,
    members: openMembers({ store: storage.memberships, clock, tellInvited: () => {} }),
    entrance: openEntrance({
      people: storage.people,
      sessions,
      onChanged: () => {},
      remember: codes.remember,
      onEntered: () => Promise.resolve(),
    }),
    pass: (ms: number) => void (time += ms),
    close: () => storage.close(),
  }
}

/** What a refusal says; null where there was none. */
export async function refusalOf(
  work: Promise<unknown>,
): Promise<{ readonly code: string; readonly [fact: string]: unknown } | null> {
  try {
    await work
    return null
  } catch (thrown) {
    if (!isPeopleRefusal(thrown)) throw thrown
    return { code: thrown.code, ...thrown.facts }
  }
}

/** A code that names the same as this one, and is another. */
export const otherThan = (code: string): string =>
  `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`
