import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Guess } from '../../domain/guess'
import type { PersonId } from '../../domain/ids'
import type { Arrival, Entered, Entrance } from './sign-in-flow'
import type { PasskeySite } from './passkey'
import { openPasskeyRing, type PasskeyRing, type PasskeyRingParts } from './passkey-service'
import { PeopleRefusal } from './refusal'

/** Signing in by a passkey, and the passkeys of a person. Methods throw PeopleRefusal. */
export interface Passkeys extends PasskeyRing<PersonId> {
  /** Owner of the passkey of this id; null for none. */
  ownerOf(id: string): Promise<PersonId | null>
  signIn(
    guess: Guess,
    site: PasskeySite,
    response: AuthenticationResponseJSON,
    arrival: Omit<Arrival, 'origin'>,
  ): Promise<Entered>
}

interface PasskeysParts extends PasskeyRingParts<PersonId> {
  readonly entrance: Entrance
}

export function openPasskeys(parts: PasskeysParts): Passkeys {
  const ring = openPasskeyRing(parts)
  return {
    ...ring,
    ownerOf: async (id) => (await parts.store.find(id))?.owner ?? null,
    async signIn(guess, site, response, arrival) {
      const { id: passkey, owner } = await ring.answer(guess, site, response)
      const origin = { way: 'passkey', passkey } as const
      const entered = await parts.entrance.byPerson(owner, { ...arrival, origin })
      if (entered === null) throw new PeopleRefusal('passkey_unknown', {})
      return entered
    },
  }
}
