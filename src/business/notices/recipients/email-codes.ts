import { randomInt } from 'node:crypto'
import type { Clock, Ms } from '../../../domain/clock'
import type { Guess } from '../../../domain/guess'
import type { PersonId } from '../../../domain/ids'
import { isHashOf, type Pepper } from '../../../domain/pepper'
import type { EmailCode, HolderSettingsStore } from './contract'

export type EmailRefusalCode =
  | 'email_invalid'
  | 'email_code_too_soon'
  | 'email_code_too_often'
  | 'email_code_wrong'
  | 'email_code_expired'
  | 'email_not_sent'
  | 'mail_off'

/** Refusal of an e-mail address, with the facts of it. */
export class EmailRefusal extends Error {
  constructor(
    readonly code: EmailRefusalCode,
    readonly facts: Readonly<Record<string, number>> = {},
  ) {
    super(code)
    this.name = 'EmailRefusal'
  }
}

/** A refusal as plain data: what stores answer crosses threads, where an error loses its class. */
type RefusedEmail = ConstructorParameters<typeof EmailRefusal>

interface EmailCodesParts {
  readonly store: HolderSettingsStore
  readonly clock: Clock
  readonly pepper: Pepper
  /** An address as it is kept; null when it is none. */
  parse(typed: string): string | null
  /** @throws EmailRefusal */
  send(email: string, code: string, language: 'fa' | 'en'): Promise<void>
}

/** Addresses of people, confirmed by a code that is sent there. Methods throw EmailRefusal. */
export interface EmailCodes {
  /** @returns the address that the code went to */
  ask(person: PersonId, typed: string, language: 'fa' | 'en'): Promise<string>
  check(guess: Guess, person: PersonId, code: string): Promise<void>
}

const digits = 6
const lifeMs = 15 * 60_000
const resendMs = 60_000
const hourMs = 3_600_000
const maxPerHour = 5
const maxWrong = 5

export function openEmailCodes(parts: EmailCodesParts): EmailCodes {
  const { store, clock, pepper } = parts
  const textOf = (email: string, code: string) => `email:${email}:${code}`
  return {
    async ask(person, typed, language) {
      const email = parts.parse(typed)
      if (email === null) throw new EmailRefusal('email_invalid')
      const now = clock.now()
      const code = String(randomInt(10 ** digits)).padStart(digits, '0')
      const refusal = await store.emailCode(person, (kept) => {
        const answer = refuse(kept, now)
        if (answer !== null) return { code: null, answer }
        const isSameHour = kept !== null && kept.since + hourMs > now
        const fresh: EmailCode = {
          email,
          hash: pepper.hash(textOf(email, code)),
          sent: now,
          expires: (now + lifeMs) as Ms,
          count: isSameHour ? kept.count + 1 : 1,
          since: isSameHour ? kept.since : now,
          wrong: 0,
        }
        return { code: fresh, answer: null }
      })
      if (refusal !== null) throw new EmailRefusal(...refusal)
      await parts.send(email, code, language)
      return email
    },
    async check(_guess, person, code) {
      const now = clock.now()
      const refusal = await store.emailCode(person, (kept) => {
        if (kept === null || kept.hash === '' || kept.expires <= now)
          return { code: null, answer: refused('email_code_expired') }
        if (isHashOf(pepper.hashes(textOf(kept.email, code)), kept.hash))
          return { code: { ...kept, hash: '' }, answer: null }
        const wrong = kept.wrong + 1
        const left = maxWrong - wrong
        return left > 0
          ? { code: { ...kept, wrong }, answer: refused('email_code_wrong', { left }) }
          : { code: { ...kept, hash: '', wrong }, answer: refused('email_code_expired') }
      })
      if (refusal !== null) throw new EmailRefusal(...refusal)
      await store.confirmEmail(person)
    },
  }
}

const refused = (...refusal: RefusedEmail): RefusedEmail => refusal

function refuse(kept: EmailCode | null, now: Ms): RefusedEmail | null {
  if (kept === null) return null
  const wait = (until: number) => ({ waitSeconds: Math.max(1, Math.ceil((until - now) / 1000)) })
  if (kept.sent + resendMs > now) return refused('email_code_too_soon', wait(kept.sent + resendMs))
  const isSameHour = kept.since + hourMs > now
  if (isSameHour && kept.count >= maxPerHour)
    return refused('email_code_too_often', wait(kept.since + hourMs))
  return null
}
