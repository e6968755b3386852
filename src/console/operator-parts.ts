import type { LiveService, OperationParts, OperatorIdentity } from '../admin/operations/parts'
import type { AdminError } from '../admin/admin-error'
import type { Limits } from '../limits/limits'
import type { OperatorSignIn } from '../operators/sign-in'

/** What the doors for operators need of the rooms around them. */
export interface OperatorDesk {
  readonly signIn: OperatorSignIn
  readonly service: LiveService
  /** What an operator works on: changes are theirs. */
  partsOf(operator: OperatorIdentity): OperationParts
  readonly limits: Pick<Limits, 'takeAddress' | 'takeAttempt' | 'takeOperatorRequest'>
  /** A refused change as a sentence, in English. */
  words(error: AdminError): string
  /** Whether an address may be answered at all. */
  mayAsk(address: string): boolean
  /** Operators have an address of their own: nothing of theirs is answered elsewhere. */
  readonly hasOwnPort: boolean
  /** As people read it. */
  serviceName(): string
  /** Operators reach it by https: cookies are sent nowhere else. */
  readonly isSecure: boolean
  onFault(fault: unknown): void
}
