import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Guess } from '../../domain/guess'
import type { PersonId } from '../../domain/ids'
import type { PasskeySite } from './passkey'
import type { Passkeys } from './passkeys'
import { PeopleRefusal } from './refusal'
import type { PeopleStore } from './user'
import type { Phone } from '../../domain/phone'
import type { Sessions } from './sessions'
import type { CodeSent, SignIn } from './sign-in'
import type { CodeBrowser, SignInCodes } from './sign-in-codes'

/** Session whose person shows anew who they are. */
interface Proving {
  readonly person: PersonId
  readonly token: string
}

/**
 * Proofs that a session is still its person's: by a code on their phone, or by a passkey. Methods throw
 * PeopleRefusal; those that take a proof return the token from now on, null where the session is over.
 */
export interface Proofs {
  /** Number that codes go to; null for whom it was taken from. */
  phone(person: PersonId): Promise<Phone | null>
  ask(person: PersonId, browser: CodeBrowser): Promise<CodeSent>
  byCode(guess: Guess, who: Proving, code: string, browser: CodeBrowser): Promise<string | null>
  byPasskey(
    guess: Guess,
    who: Proving,
    site: PasskeySite,
    response: AuthenticationResponseJSON,
  ): Promise<string | null>
}

interface ProofsParts {
  readonly people: Pick<PeopleStore, 'find'>
  readonly signIn: Pick<SignIn, 'ask'>
  readonly codes: Pick<SignInCodes, 'check'>
  readonly passkeys: Pick<Passkeys, 'answer'>
  readonly sessions: Pick<Sessions, 'prove'>
}

export function openProofs({ people, signIn, codes, passkeys, sessions }: ProofsParts): Proofs {
  const phone = async (person: PersonId) => (await people.find(person))?.phone ?? null
  const needed = async (person: PersonId): Promise<Phone> => {
    const found = await phone(person)
    if (found === null) throw new PeopleRefusal('phone_invalid', {})
    return found
  }
  return {
    phone,
    ask: async (person, browser) => await signIn.ask(await needed(person), browser),
    async byCode(guess, { person, token }, code, browser) {
      await codes.check(guess, { phone: await needed(person), code }, browser)
      return await sessions.prove(token)
    },
    async byPasskey(guess, { person, token }, site, response) {
      const { owner } = await passkeys.answer(guess, site, response)
      if (owner !== person) throw new PeopleRefusal('passkey_not_yours', {})
      return await sessions.prove(token)
    },
  }
}
