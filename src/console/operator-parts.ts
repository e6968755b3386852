import type { LiveService, OperationParts } from '../business/operations/parts'
import type { Limits } from '../gateway/limits/limits'
import type { RemoteRequester } from '../business/operators/requester'
import type { OperatorSignIn } from '../business/operators/sign-in'

/** Rooms that the doors for operators depend on. */
export interface OperatorService {
  readonly signIn: OperatorSignIn
  readonly service: LiveService
  /** Stores that an operator works on: changes are theirs. */
  partsOf(requester: RemoteRequester): OperationParts & { readonly requester: RemoteRequester }
  readonly limits: Pick<Limits, 'takeAddress' | 'takeAttempt' | 'takeOperatorRequest'>
  /** Whether an address may be answered at all. */
  mayAsk(address: string): boolean
  /** Operators have an address of their own: nothing of theirs is answered elsewhere. */
  readonly hasOwnPort: boolean
  /** As people read it. */
  serviceName(): string
  /** Where operators reach the console; null where nobody said. */
  readonly knownUrl: string | null
  /** Where operators are answered. */
  listensAt(): string
  /** Cookies are sent over https alone. */
  readonly isSecure: boolean
  onFault(fault: unknown): void
}
