import { randomInt } from 'node:crypto'
import type { Clock } from '../domain/clock'
import type { Pepper } from '../domain/pepper'
import { hashSecret } from '../identity/secret'
import type { Phone } from './phone'
import { freshCode, refuseAsk, tryCode, type SignInLimits } from './sign-in-rules'
import type { SignInStore } from './sign-in-store'

const digits = 6

/** Codes that are sent by SMS: kept as hashes, used once. */
export interface SignInCodes {
  /**
   * The code to send. Says nothing of whether the phone is known.
   * @throws PeopleRefusal
   */
  issue(phone: Phone, address: string): Promise<string>
  /** Forgets a code that could not be sent, so that another may be asked for at once. */
  unsent(phone: Phone): Promise<void>
  /** @throws PeopleRefusal unless it is right: then it is used up, or kept for the next check */
  check(phone: Phone, code: string, then?: 'keep'): Promise<void>
}

/** Alarm to the operator, with the number that was reached. */
export type SignInAlarm = 'sms_per_hour' | 'wrong_codes'

interface SignInCodesParts {
  readonly store: SignInStore
  readonly clock: Clock
  readonly pepper: Pepper
  /** Read at each use: an operator changes them. */
  limits(): SignInLimits
  /** Wrong codes of the whole service in an hour from which the operator is told. */
  wrongAlarm(): number
  onAlarm(alarm: SignInAlarm, limit: number): Promise<void>
}

export function openSignInCodes(parts: SignInCodesParts): SignInCodes {
  const { store, clock, pepper, limits, wrongAlarm, onAlarm } = parts
  const textOf = (phone: Phone, code: string) => `code:${phone}:${code}`
  return {
    async issue(phone, address) {
      const now = clock.now()
      const bounds = limits()
      const code = String(randomInt(10 ** digits)).padStart(digits, '0')
      const refusal = await store.ask({ phone, address, at: now }, (asked) => {
        const answer = refuseAsk(asked, bounds, now)
        const fresh = () => freshCode(hashSecret(textOf(phone, code), pepper), asked, bounds, now)
        return { code: answer === null ? fresh() : null, answer }
      })
      if (refusal === null) return code
      if (refusal.code === 'sms_capacity') await onAlarm('sms_per_hour', bounds.perServiceHour)
      throw refusal
    },
    async unsent(phone) {
      const now = clock.now()
      await store.check(phone, now, (kept) => ({
        code: kept === null ? null : { ...kept, hash: null, sent: 0 as typeof now },
        wasWrong: false,
        answer: null,
      }))
    },
    async check(phone, code, then) {
      const now = clock.now()
      const hashes = pepper.hashes(textOf(phone, code))
      const { answer, wrongThisHour } = await store.check(phone, now, (kept) => {
        const { refusal, ...tried } = tryCode(kept, hashes, limits(), now)
        const isKept = refusal === null && then === 'keep'
        return { ...tried, ...(isKept ? { code: null } : {}), answer: refusal }
      })
      if (answer === null) return
      const alarm = wrongAlarm()
      if (wrongThisHour >= alarm) await onAlarm('wrong_codes', alarm)
      throw answer
    },
  }
}
