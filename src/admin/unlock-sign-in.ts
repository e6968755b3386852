import type { PersonId } from '../domain/ids'
import type { PeopleStore } from '../people/person'
import type { LiftedLimits, SignInLimitStore } from '../people/sign-in-store'
import { AdminError } from './admin-error'

/**
 * Lifts the sign-in limits of a person's number.
 * @throws AdminError person_not_found also for whose number is somebody else's by now
 */
export async function unlockPerson(
  { people, signInLimits }: UnlockStores,
  person: PersonId,
): Promise<LiftedLimits> {
  const phone = (await people.find(person))?.phone ?? null
  if (phone === null) throw new AdminError('person_not_found', { person })
  return await signInLimits.unlock(phone)
}

interface UnlockStores {
  readonly people: Pick<PeopleStore, 'find'>
  readonly signInLimits: SignInLimitStore
}
