import type { Invited } from '../business/users/invite-notice'
import type { RequestId } from '../domain/ids'
import type { NanoUsd } from '../domain/money'
import type { Ms } from '../domain/clock'
import type { ErrorCode } from '../errors/codes'
import type { CheckedVendor } from '../gateway/catalogue/health/check'
import type { Alert } from '../errors/vendor-failure'
import type { WatchedCall } from '../gateway/observability/live-calls'
import { topic } from './cluster/bus'

/** Running work of one process, or of all. */
export interface ServiceLoad {
  readonly runningCalls: number
  readonly held: NanoUsd
  readonly openStreams: number
}

/** Event of a vendor that one process observed, without a word of what was said. */
export interface VendorEvent {
  readonly kind: 'succeeded' | 'failed' | 'attempted' | 'checked'
  readonly vendor: string
  readonly credential: string | null
  readonly at: Ms
  readonly began: Ms | null
  /** Null where it answered. */
  readonly failed: Ms | null
  readonly error: SeenError | null
  /** Result of a check beside its error; null of a call. */
  readonly check: Omit<CheckedVendor, 'error'> | null
}

export interface SeenError {
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | null
  readonly status: number | null
  readonly alert: Alert | null
}

/** Topics of messages between nodes. */
export const busTopics = {
  /** Everything that ended is written by all others when this is answered. */
  flush: topic<null, true>('flush'),
  load: topic<null, ServiceLoad>('load'),
  liveCalls: topic<null, { readonly calls: readonly WatchedCall[]; readonly forgotten: number }>(
    'live-calls',
  ),
  stopCall: topic<RequestId, boolean>('stop-call'),
  /** Somebody follows live calls for a while, and wants each change. */
  follow: topic<null>('follow'),
  followed: topic<readonly WatchedCall[]>('followed'),
  vendorEvents: topic<readonly VendorEvent[]>('vendor-events'),
  /** Somebody was told by SMS of an invitation. */
  invited: topic<Invited>('invited'),
}
