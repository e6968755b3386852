import type { Clock } from '../../domain/clock'
import type { Guess } from '../../domain/guess'
import type { Entered, Entrance } from './sign-in-flow'
import { PeopleRefusal } from './refusal'
import { parsePhone, type Phone } from '../../domain/phone'
import type { Visitor } from './sessions'
import type { CodeBrowser, SignInCodes } from './sign-in-codes'
import { resendMs, type SignInLimits } from './sign-in-rules'

/** Carries a code to a phone. @throws SmsError */
export type SendCode = (phone: Phone, code: string) => Promise<{ readonly isPrinted: boolean }>

/** A code is on its way, or there already. */
export interface CodeSent {
  readonly phone: Phone
  readonly digits: number
  /** Since a code was sent that somebody else asked for and that is good here; null for one that is sent now. */
  readonly sentBeforeMs: number | null
  readonly resendMs: number
  readonly lifeMs: number
  /** It went to the terminal of the service, not to the phone. */
  readonly isPrinted: boolean
}

/** Sign-in by phone and code; the first one makes an account. */
export interface SignIn {
  /** @param phone as a person wrote it @throws PeopleRefusal */
  ask(phone: string, browser: CodeBrowser): Promise<CodeSent>
  /** Name under which guesses of this browser count; null: by its address. */
  guessesOf(phone: string, browser: CodeBrowser): Promise<string | null>
  /** @throws PeopleRefusal */
  check(
    guess: Guess,
    typed: { readonly phone: string; readonly code: string },
    visitor: Visitor & CodeBrowser,
    projectName: string,
  ): Promise<Entered>
}

interface SignInParts {
  readonly codes: SignInCodes
  readonly entrance: Entrance
  readonly send: SendCode
  readonly clock: Clock
  limits(): SignInLimits
  /** Told why a code could not be sent. */
  onUnsent(fault: unknown): void
}

export function openSignIn(parts: SignInParts): SignIn {
  const { codes, entrance, send, clock, limits, onUnsent } = parts
  return {
    async ask(text, browser) {
      const phone = needed(parsePhone(text))
      const { code, digits, sent } = await codes.issue(phone, browser)
      const asked = { phone, digits, resendMs, lifeMs: limits().lifeMs }
      if (code === null) return { ...asked, sentBeforeMs: clock.now() - sent, isPrinted: false }
      try {
        const { isPrinted } = await send(phone, code)
        return { ...asked, sentBeforeMs: null, isPrinted }
      } catch (fault) {
        onUnsent(fault)
        await codes.unsent(phone, browser)
        throw new PeopleRefusal('sms_failed', {})
      }
    },
    async guessesOf(text, browser) {
      const phone = parsePhone(text)
      return phone === null ? null : await codes.knownBrowser(phone, browser)
    },
    async check(guess, typed, visitor, projectName) {
      const phone = needed(parsePhone(typed.phone))
      await codes.check(guess, { phone, code: typed.code }, visitor)
      return await entrance.byPhone(phone, {
        visitor,
        origin: { way: 'code', passkey: null },
        projectName,
      })
    },
  }
}

function needed(phone: Phone | null): Phone {
  if (phone === null) throw new PeopleRefusal('phone_invalid', {})
  return phone
}
