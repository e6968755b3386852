import { isHashOf } from '../domain/pepper'
import type { Ms } from '../domain/clock'
import { PeopleRefusal } from './people-refusal'
import type { CodeFacts, KeptCode } from './sign-in-store'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Bounds of sign-in by code. */
export interface SignInLimits {
  readonly lifeMs: number
  /** Between two codes for one phone. */
  readonly resendMs: number
  /** Wrong codes of one phone in a day; then it is locked for a day. */
  readonly wrongPerDay: number
  /** Codes for one phone in an hour. */
  readonly perPhoneHour: number
  /** Codes asked for from one address in an hour, for whatever phones. */
  readonly perAddressHour: number
  /** Codes that the whole service sends in an hour: an open button that spends money. */
  readonly perServiceHour: number
}

const secondsUntil = (time: number, now: Ms): number => Math.max(1, Math.ceil((time - now) / 1000))

/** When the oldest of an hour's asks is forgotten. */
const hourFrom = (asks: readonly Ms[], now: Ms): number => (asks[0] ?? now) + hourMs

/** Rate limit of sign-in codes. @returns why no code is sent; null when one may be */
export function refuseAsk(asked: CodeFacts, limits: SignInLimits, now: Ms): PeopleRefusal | null {
  const { code, ofPhone, ofAddress, ofService } = asked
  const wait = <Code extends 'code_locked' | 'code_too_soon' | 'code_too_often' | 'sms_capacity'>(
    why: Code,
    until: number,
  ) => new PeopleRefusal(why, { waitSeconds: secondsUntil(until, now) })
  if (code !== null && code.lockedUntil > now) return wait('code_locked', code.lockedUntil)
  const nextAt = (code?.sent ?? 0) + limits.resendMs
  if (nextAt > now) return wait('code_too_soon', nextAt)
  if (ofPhone.length >= limits.perPhoneHour) return wait('code_too_often', hourFrom(ofPhone, now))
  if (ofAddress.length >= limits.perAddressHour)
    return wait('code_too_often', hourFrom(ofAddress, now))
  if (ofService >= limits.perServiceHour)
    return wait('sms_capacity', (Math.floor(now / hourMs) + 1) * hourMs)
  return null
}

/** A new code: what was guessed wrong before stays counted, or asking again would buy tries. */
export const freshCode = (
  hash: string,
  { code }: CodeFacts,
  { lifeMs }: SignInLimits,
  now: Ms,
): KeptCode => ({
  hash,
  sent: now,
  expires: (now + lifeMs) as Ms,
  wrong: code?.wrong ?? 0,
  wrongSince: code?.wrongSince ?? now,
  lockedUntil: code?.lockedUntil ?? now,
})

/** Outcome of a try. */
interface Tried {
  /** As it is kept from now on; null where nothing changes. */
  readonly code: KeptCode | null
  /** Null: it was right, and is used up. */
  readonly refusal: PeopleRefusal | null
  /** The code was compared, and another. */
  readonly wasWrong: boolean
}

/** Checks a typed code. @param hashes of what was typed, of every generation of the pepper */
export function tryCode(
  kept: KeptCode | null,
  hashes: readonly string[],
  { wrongPerDay }: SignInLimits,
  now: Ms,
): Tried {
  const untried = (refusal: PeopleRefusal): Tried => ({ code: null, refusal, wasWrong: false })
  if (kept !== null && kept.lockedUntil > now)
    return untried(
      new PeopleRefusal('code_locked', { waitSeconds: secondsUntil(kept.lockedUntil, now) }),
    )
  // The same answer for a phone that never asked as for one whose code is over.
  if (kept === null || kept.hash === null || kept.expires <= now)
    return untried(new PeopleRefusal('code_expired', {}))
  if (isHashOf(hashes, kept.hash))
    return { code: { ...kept, hash: null }, refusal: null, wasWrong: false }
  const isNewDay = kept.wrong === 0 || kept.wrongSince + dayMs <= now
  const wrong = isNewDay ? 1 : kept.wrong + 1
  const wrongSince = isNewDay ? now : kept.wrongSince
  const left = wrongPerDay - wrong
  if (left > 0)
    return {
      code: { ...kept, wrong, wrongSince },
      refusal: new PeopleRefusal('code_wrong', { left }),
      wasWrong: true,
    }
  return {
    code: { ...kept, hash: null, wrong: 0, wrongSince, lockedUntil: (now + dayMs) as Ms },
    refusal: new PeopleRefusal('code_locked', { waitSeconds: dayMs / 1000 }),
    wasWrong: true,
  }
}
