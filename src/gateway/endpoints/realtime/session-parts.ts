import type { RunningStream, RunningStreams } from '../../call/running'
import type { GatewayError } from '../../../errors/gateway-error'
import type { ClientSocketEvents, ServerSocket } from '../../net/socket'
import type { PolicyParts } from './client-policy'
import type { ErrorEvents } from './error-event'
import type { RunningBill } from './running-bill'
import type { Transcriptions } from './transcriptions'

export interface Session extends ClientSocketEvents {
  /** The client left before it had a socket. */
  abandon(): void
  /** The client has sent more than it may, of frames that are not whole. */
  refuseLarge(): void
}

/** Two sockets that are joined, and the parts between them. */
export interface SessionParts extends Pick<RunningStream, 'request'> {
  readonly streams: RunningStreams
  readonly vendor: ServerSocket
  readonly bill: RunningBill
  readonly transcriptions: Transcriptions
  readonly policy: PolicyParts
  /** As of `FrameLineParts`. */
  changes(): Promise<unknown> | null
  readonly errors: ErrorEvents
  /** Ceiling on one frame of the client. */
  readonly maxFrameBytes: number
  /** Told of faults of our own. */
  onFault(error: GatewayError): void
}
