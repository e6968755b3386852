import type { OperatorSession } from '../../../business/operators/access-contract'
import type { Operator } from '../../../business/operators/operator'
import type { OperatorService } from '../../operator-parts'

/** An operator who is signed in, and the session of this browser. */
interface OperatorHere extends Pick<OperatorSession, 'hash' | 'created' | 'way' | 'passkey'> {
  readonly operator: Operator
  readonly token: string
}

export interface OperatorConsoleParts {
  readonly desk: OperatorService
  /** @throws Refusal 401 `signed_out` */
  operator(request: Request): Promise<OperatorHere>
  /** Where a request came from: an IPv4 address or an IPv6 one in full. */
  addressOf(request: Request): string
}
