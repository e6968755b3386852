import { dayMs, type Ms } from '../../domain/clock'
import type { PersonId } from '../../domain/ids'
import type { Requester } from '../operators/requester'
import type { Person } from './user'
import type { Phone } from '../../domain/phone'
import type { Directory } from '../../gateway/identity/account-directory'
import type { KeyOfPerson, PhoneMove, PhoneMoveStore } from './phone-change-contract'
import { checkRole } from '../accounts/access-rules'
import { AdminError } from '../operations/admin-error'

/** Whoever is not who they say they are is found out in a day: the person sees it in the app. */
const noticeMs = dayMs

/** Before every person. */
const nobody = 0 as PersonId

interface PhoneMoveParts {
  readonly store: PhoneMoveStore
  readonly requester: Requester
  readonly now: Ms
}

/**
 * Revokes the keys that a person made, at once and for good: whoever had their phone may have made them.
 * @returns those that were revoked
 */
export async function revokeKeysOf(
  storage: {
    readonly phoneMoves: Pick<PhoneMoveStore, 'keys'>
    readonly directory: Pick<Directory, 'setKey'>
  },
  person: PersonId,
): Promise<readonly KeyOfPerson[]> {
  const made = await storage.phoneMoves.keys(person)
  for (const { id } of made) await storage.directory.setKey(id, { state: 'revoked' })
  return made
}

/**
 * Gives a person another number, or takes theirs away, after a day in which they can object. An owner's:
 * whoever signs in by the number spends every balance of the person.
 * @param phone null where the number belongs to somebody else by now
 * @throws AdminError role_too_low | person_not_found | phone_taken
 */
export async function planPhoneMove(
  { store, requester, now }: PhoneMoveParts,
  { person, phone }: { readonly person: PersonId; readonly phone: Phone | null },
): Promise<Omit<PhoneMove, 'by'>> {
  checkRole(requester, 'owner')
  const [found] = await store.people({
    phone: null,
    after: (person - 1) as PersonId,
    max: 1,
  })
  if (found?.id !== person) throw new AdminError('person_not_found', { person })
  if (phone !== null && (await store.people({ phone, after: nobody, max: 1 })).length > 0)
    throw new AdminError('phone_taken', { phone })
  const move = { person, phone, due: (now + noticeMs) as Ms }
  await store.plan(move)
  return move
}

/** Takes a move back. @throws AdminError phone_move_not_found */
export async function cancelPhoneMove(
  store: Pick<PhoneMoveStore, 'cancel'>,
  person: PersonId,
): Promise<void> {
  if (!(await store.cancel(person))) throw new AdminError('phone_move_not_found', { person })
}

/**
 * People by number. Whoever sees phones masked must not try them.
 * @throws AdminError role_too_low
 */
export async function listPeople(
  { store, requester }: Omit<PhoneMoveParts, 'now'>,
  asked: { readonly phone: Phone | null; readonly after: PersonId | null; readonly max: number },
): Promise<readonly Person[]> {
  if (asked.phone !== null) checkRole(requester, 'staff')
  return await store.people({ ...asked, after: asked.after ?? nobody })
}
