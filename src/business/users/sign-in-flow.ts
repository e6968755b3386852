import type { PersonId } from '../../domain/ids'
import type { FirstNames, Membership, PeopleStore } from './user'
import { maskPhone, type Phone } from '../../domain/phone'
import type { SessionOrigin, Sessions, Visitor } from './sessions'
import type { SignInCodes } from './sign-in-codes'

/** Person who has signed in, by whatever way. */
export interface Arrival {
  readonly visitor: Visitor
  readonly origin: SessionOrigin
  /** Name of the first project of a new account. */
  readonly projectName: string
}

/** A session that has begun, and the token that its browser keeps. */
export interface Entered {
  readonly token: string
  readonly who: Membership
}

/** End of all ways of signing in: an account for whoever has none, and a session. */
export interface Entrance {
  byPhone(phone: Phone, arrival: Arrival): Promise<Entered>
  /** Null for whom there is neither an account nor a phone to begin one with. */
  byPerson(person: PersonId, arrival: Arrival): Promise<Entered | null>
}

interface EntranceParts {
  readonly people: Pick<PeopleStore, 'find' | 'begin' | 'accounts'>
  readonly sessions: Sessions
  /** An account was made in this process: what is kept in memory is read anew. */
  onChanged(): void
  /** Keeps a browser as a place of the number. */
  remember: SignInCodes['remember']
  /** Somebody has come in. */
  onEntered(person: PersonId, visitor: Visitor): Promise<void>
}

export function openEntrance(parts: EntranceParts): Entrance {
  const { people, sessions, onChanged, remember, onEntered } = parts
  const enter = async (
    who: Membership,
    phone: Phone | null,
    { visitor, origin }: Arrival,
  ): Promise<Entered> => {
    const token = await sessions.begin(who, visitor, origin)
    const { address, token: browser } = visitor
    if (phone !== null && browser !== undefined) await remember(phone, { address, token: browser })
    await onEntered(who.person, visitor)
    return { token, who }
  }
  const byPhone: Entrance['byPhone'] = async (phone, arrival) => {
    const names: FirstNames = { account: maskPhone(phone), project: arrival.projectName }
    const { isNew, ...who } = await people.begin(phone, names)
    if (isNew) onChanged()
    return await enter(who, phone, arrival)
  }
  return {
    byPhone,
    async byPerson(person, arrival) {
      const [first] = await people.accounts(person)
      const phone = (await people.find(person))?.phone ?? null
      if (first !== undefined) return await enter(first, phone, arrival)
      return phone === null ? null : await byPhone(phone, arrival)
    },
  }
}
