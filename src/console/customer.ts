import type { Ms } from '../domain/clock'
import type { AccountId, PersonId } from '../domain/ids'
import type { Impersonations } from '../business/operators/impersonation'
import type { Role } from '../domain/fields/member-fields'
import type { Sessions } from '../business/users/sessions'
import type { Actor } from '../domain/audit-log'
import { lookTokenOf } from './look-cookie'
import { Refusal } from './refusal'
import { tokenOf } from './session-cookie'

/** Customer who is signed in, and the account they look at. */
export interface Customer {
  readonly person: PersonId
  readonly account: AccountId
  readonly role: Role
  /** An operator who looks as the person does, and changes nothing; absent for the person. */
  readonly look?: { readonly by: string; readonly until: Ms }
}

/** Customer by their session, or an operator who looks. */
interface SignedIn extends Customer {
  /** When they last showed who they are; null for never, and for who only looks. */
  readonly proven: Ms | null
}

/**
 * Reads who sent a request of the pages, by its session cookie.
 * @throws Refusal 401 `signed_out`
 */
export type CustomerOf = (request: Request) => Promise<SignedIn>

interface CustomerParts {
  readonly sessions: Pick<Sessions, 'find'>
  readonly looks: Pick<Impersonations, 'find'>
  readonly isSecure: boolean
  /** Told of whoever sends a token that is none: guessing must not be free. */
  onStranger(request: Request): Promise<void>
}

export function openCustomerOf({
  sessions,
  looks,
  isSecure,
  onStranger,
}: CustomerParts): CustomerOf {
  const looking = async (request: Request): Promise<SignedIn | null> => {
    const token = lookTokenOf(request.headers, isSecure)
    if (token === null) return null
    const look = await looks.find(token)
    if (look === null) {
      await onStranger(request)
      return null
    }
    const { account, person, who, expires } = look
    const seen = { by: lookName(who), until: expires }
    return { account, person, role: 'owner', proven: null, look: seen }
  }
  return async (request) => {
    const look = await looking(request)
    if (look !== null) return look
    const token = tokenOf(request.headers, isSecure)
    const session = token === null ? null : await sessions.find(token)
    if (session !== null) return session
    if (token !== null) await onStranger(request)
    throw new Refusal(401, 'signed_out')
  }
}

/** An operator as people of an account are told of them. */
export const lookName = (who: Actor): string => who.slice(who.indexOf(':') + 1)
