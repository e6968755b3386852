import type { LiveService, OperationParts } from '../admin/operations/parts'
import type { Limits } from '../limits/limits'
import type { RemoteRequester } from '../operators/requester'
import type { OperatorSignIn } from '../operators/sign-in'

/** A command as it was sent. */
interface SentCommand {
  readonly args: readonly string[]
  readonly stdin: string
  /** Base64, by the words that name them. */
  readonly files: Readonly<Record<string, string>>
}

/** Rooms that the doors for operators depend on. */
export interface OperatorDesk {
  readonly signIn: OperatorSignIn
  readonly service: LiveService
  /** Stores that an operator works on: changes are theirs. */
  partsOf(requester: RemoteRequester): OperationParts & { readonly requester: RemoteRequester }
  readonly limits: Pick<Limits, 'takeAddress' | 'takeAttempt' | 'takeOperatorRequest'>
  /**
   * Runs a command of somebody elsewhere.
   * @throws AdminError commands_busy | no_remote_commands
   */
  runCommand(
    requester: RemoteRequester,
    command: SentCommand,
    signal: AbortSignal,
  ): Promise<AsyncIterable<object>>
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
