import type { PersonId } from '../domain/ids'
import { PeopleRefusal } from './people-refusal'
import type { PeopleStore } from './person'
import { asciiDigits, parsePhone } from './phone'
import type { SignInCodes } from './sign-in-codes'
import type { CodeSent, SignIn } from './sign-in'

/** A change of number by the person: a code on the old one and a code on the new one. */
export interface ChangePhone {
  /** @throws PeopleRefusal */
  ask(
    person: PersonId,
    phone: string,
    address: string,
  ): Promise<{ readonly old: CodeSent; readonly fresh: CodeSent }>
  /** Ends every session of the person. @throws PeopleRefusal */
  check(
    person: PersonId,
    typed: { readonly phone: string; readonly oldCode: string; readonly code: string },
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
    async ask(person, text, address) {
      const { old, fresh } = await phonesOf(person, text)
      return { old: await signIn.ask(old, address), fresh: await signIn.ask(fresh, address) }
    },
    async check(person, { phone, oldCode, code }) {
      const { old, fresh } = await phonesOf(person, phone)
      // A slip in the one must not use up the other.
      await codes.check(fresh, plain(code), 'keep')
      await codes.check(old, plain(oldCode))
      await codes.check(fresh, plain(code))
      // Told only to whoever holds the number.
      if (!(await people.setPhone(person, fresh))) throw new PeopleRefusal('phone_taken', {})
    },
  }
}

const plain = (code: string): string => asciiDigits(code).trim()
