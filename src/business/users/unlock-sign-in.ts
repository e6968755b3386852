import type { PersonId } from '../../domain/ids'
import type { PeopleStore } from './user'
import type { LiftedLimits, SignInLimitStore } from './sign-in-contract'
import { AdminError } from '../operations/admin-error'

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
