import type { Ms } from '../../domain/clock'
import type { Valued } from '../../domain/fields/field'
import type { AccountId, PersonId } from '../../domain/ids'
import type { memberFields } from '../../domain/fields/member-fields'
import type { Phone } from '../../domain/phone'

/** Person who signs in. */
export interface Person {
  readonly id: PersonId
  /** Null once the number has moved to somebody else. */
  readonly phone: Phone | null
  readonly created: Ms
}

/** Role of a person in an account. */
export interface Membership extends Valued<typeof memberFields> {
  readonly person: PersonId
  readonly account: AccountId
}

export interface MembershipOf extends Membership {
  readonly accountName: string
}

export interface Member extends Membership {
  readonly phone: Phone | null
  readonly since: Ms
}

/** Names of what a first sign-in makes. */
export interface FirstNames {
  readonly account: string
  readonly project: string
}

/** People and their accounts; every change is one row of the trail, in the same transaction. */
export interface PeopleStore {
  find(person: PersonId): Promise<Person | null>
  /**
   * The person with this phone, and the account that is theirs first. Whoever is new, or has no
   * account, gets one (unverified) with a project, all or nothing: two tabs make one.
   */
  begin(phone: Phone, names: FirstNames): Promise<Membership & { readonly isNew: boolean }>
  /**
   * Gives a person another number, and ends their sessions.
   * @returns false where it is somebody else's
   */
  setPhone(person: PersonId, phone: Phone): Promise<boolean>
  /** Accounts of a person: own ones first. */
  accounts(person: PersonId): Promise<readonly MembershipOf[]>
}
