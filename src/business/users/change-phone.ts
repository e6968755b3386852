import type { Guess } from '../../domain/guess'
import type { PersonId } from '../../domain/ids'
import { PeopleRefusal } from './refusal'
import type { PeopleStore } from './user'
import { parsePhone } from '../../domain/phone'
import type { CodeBrowser, SignInCodes } from './sign-in-codes'
import type { CodeSent, SignIn } from './sign-in'

/** A change of number by the person: a code on the old one and a code on the new one. */
export interface ChangePhone {
  /** @throws PeopleRefusal */
  ask(
    person: PersonId,
    phone: string,
    browser: CodeBrowser,
  ): Promise<{ readonly old: CodeSent; readonly fresh: CodeSent }>
  /** Ends every session of the person. @throws PeopleRefusal */
  check(
    guess: Guess,
    person: PersonId,
    typed: { readonly phone: string; readonly oldCode: string; readonly code: string },
    browser: CodeBrowser,
  ): Promise<void>
}

interface ChangePhoneParts {
  readonly codes: SignInCodes
  readonly people: PeopleStore
  readonly signIn: Pick<SignIn, 'ask'>
}

export function openChangePhone({ codes, people, signIn }: ChangePhoneParts): ChangePhone {
  const phonesOf = async (person: PersonId, text: string) => {
    const fresh = parsePhone(text)
    const old = (await people.find(person))?.phone ?? null
    if (fresh === null || old === null || fresh === old)
      throw new PeopleRefusal('phone_invalid', {})
    return { fresh, old }
  }
  return {
    async ask(person, text, browser) {
      const { old, fresh } = await phonesOf(person, text)
      return { old: await signIn.ask(old, browser), fresh: await signIn.ask(fresh, browser) }
    },
    async check(guess, person, { phone, oldCode, code }, browser) {
      const { old, fresh } = await phonesOf(person, phone)
      // A slip in the one must not use up the other.
      await codes.check(guess, { phone: fresh, code }, browser, 'keep')
      await codes.check(guess, { phone: old, code: oldCode }, browser)
      await codes.check(guess, { phone: fresh, code }, browser)
      // Told only to whoever holds the number.
      if (!(await people.setPhone(person, fresh))) throw new PeopleRefusal('phone_taken', {})
    },
  }
}
