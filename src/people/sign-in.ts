import type { Entered, Entrance } from './entrance'
import { PeopleRefusal } from './people-refusal'
import { asciiDigits, parsePhone, type Phone } from './phone'
import type { Visitor } from './sessions'
import type { SignInCodes } from './sign-in-codes'
import type { SignInLimits } from './sign-in-rules'

/** Carries a code to a phone. @throws SmsError */
export type SendCode = (phone: Phone, code: string) => Promise<{ readonly isPrinted: boolean }>

/** A code is on its way. */
export interface CodeSent {
  readonly phone: Phone
  readonly resendMs: number
  readonly lifeMs: number
  /** It went to the terminal of the service, not to the phone. */
  readonly isPrinted: boolean
}

/** Sign-in by phone and code; the first one makes an account. */
export interface SignIn {
  /** @param phone as a person wrote it @throws PeopleRefusal */
  ask(phone: string, address: string): Promise<CodeSent>
  /** @throws PeopleRefusal */
  check(
    typed: { readonly phone: string; readonly code: string },
    visitor: Visitor,
    projectName: string,
  ): Promise<Entered>
}

interface SignInParts {
  readonly codes: SignInCodes
  readonly entrance: Entrance
  readonly send: SendCode
  limits(): SignInLimits
  /** Told why a code could not be sent. */
  onUnsent(fault: unknown): void
}

export function openSignIn(parts: SignInParts): SignIn {
  const { codes, entrance, send, limits, onUnsent } = parts
  return {
    async ask(text, address) {
      const phone = needed(parsePhone(text))
      const code = await codes.issue(phone, address)
      try {
        const { isPrinted } = await send(phone, code)
        const { resendMs, lifeMs } = limits()
        return { phone, resendMs, lifeMs, isPrinted }
      } catch (fault) {
        onUnsent(fault)
        await codes.unsent(phone)
        throw new PeopleRefusal('sms_failed', {})
      }
    },
    async check(typed, visitor, projectName) {
      const phone = needed(parsePhone(typed.phone))
      await codes.check(phone, asciiDigits(typed.code).trim())
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
