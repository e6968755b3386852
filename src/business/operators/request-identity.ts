import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { PasskeySite } from '../users/passkey'
import type { OperatorSession } from './access-contract'
import type { Operator } from './operator'

/** Browser and address of an operator who signs in. */
export interface OperatorVisitor {
  readonly address: string
  /** An address, or the network that counts as one. */
  readonly bucket: string
  readonly agent: string
}

/** A session that has begun, and the token that its browser keeps. */
export interface SignedIn {
  readonly token: string
  readonly operator: Operator
}

/** Signed answer of a browser, and its site. */
export interface PasskeyAnswer {
  readonly site: PasskeySite
  readonly response: AuthenticationResponseJSON
}

/** Fields of an operator's sign-in: the password, and what stands beside it. */
export interface TypedSignIn {
  readonly name: string
  readonly password: string
  /** A one-time code, a recovery code, or what a passkey signed. */
  readonly second: string | PasskeyAnswer
}

/** Start of a session. */
export type SessionStart = Pick<OperatorSession, 'way' | 'passkey'>

/** Begins a session of whoever has shown who they are. */
export type EnterOperator = (
  operator: Operator,
  visitor: OperatorVisitor,
  arrived: SessionStart,
) => Promise<SignedIn>
