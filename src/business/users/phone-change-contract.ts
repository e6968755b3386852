import type { Ms } from '../../domain/clock'
import type { AccountId, KeyId, PersonId } from '../../domain/ids'
import type { Role } from '../../domain/fields/member-fields'
import type { Membership, Person } from './user'
import type { Phone } from '../../domain/phone'

/** A new number that an operator sets for whoever lost the old one, once its day is over. */
export interface PhoneMove {
  readonly person: PersonId
  /** Null takes the number away: it belongs to somebody else by now. */
  readonly phone: Phone | null
  readonly by: string
  readonly due: Ms
}

/** A key that a person made, and that works. */
export interface KeyOfPerson {
  readonly id: KeyId
  readonly name: string
  readonly account: AccountId
}

/** Access and addresses besides keys that outlive a person's number unless an operator ends them. */
export interface LeftByPerson {
  /** Confirmed address that notices go to. */
  readonly email: string | null
  readonly webhooks: readonly { readonly account: AccountId; readonly url: string }[]
  /** Open ones, which the move withdraws when it is due. */
  readonly invitations: readonly {
    readonly account: AccountId
    readonly phone: Phone
    readonly role: Role
  }[]
  /** Members by invitations of the person. */
  readonly members: readonly (Membership & { readonly phone: Phone | null })[]
}

/** Moves that wait. Who is due is moved by the next look, and signed out everywhere. */
export interface PhoneMoveStore {
  /** By number, or only who signs in by this phone. */
  people(asked: {
    readonly phone: Phone | null
    readonly after: PersonId
    readonly max: number
  }): Promise<readonly Person[]>
  find(person: PersonId): Promise<PhoneMove | null>
  /** Keys of whatever accounts: whoever had the number may have made some. */
  keys(person: PersonId): Promise<readonly KeyOfPerson[]>
  left(person: PersonId, now: Ms): Promise<LeftByPerson>
  /** In the place of an earlier one. */
  plan(move: Omit<PhoneMove, 'by'>): Promise<void>
  /** @returns whether one was waiting */
  cancel(person: PersonId): Promise<boolean>
}
