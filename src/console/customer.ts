import type { AccountId, PersonId } from '../domain/ids'
import type { Role } from '../people/person'
import type { Session, Sessions } from '../people/sessions'
import { Refusal } from './refusal'
import { tokenOf } from './session-cookie'

/** Customer who is signed in, and the account they look at. */
export interface Customer {
  readonly person: PersonId
  readonly account: AccountId
  readonly role: Role
}

/**
 * Reads who sent a request of the pages, by its session cookie.
 * @throws Refusal 401 `signed_out`
 */
export type CustomerOf = (request: Request) => Promise<Customer>

/** @param onStranger told of whoever sends a token that is none: guessing must not be free */
export const openCustomerOf =
  (
    sessions: Sessions,
    isSecure: boolean,
    onStranger: (request: Request) => Promise<void>,
  ): ((request: Request) => Promise<Session & Customer>) =>
  async (request) => {
    const token = tokenOf(request.headers, isSecure)
    const session = token === null ? null : await sessions.find(token)
    if (session !== null) return session
    if (token !== null) await onStranger(request)
    throw new Refusal(401, 'signed_out')
  }
