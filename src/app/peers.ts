import type { LeasedLedger, LeasedLedgerParts } from '../ledger/leased/leased-contract'
import type { AddressNews } from '../limits/limits'
import type { UntrustedProxy } from '../http/address'
import type { ProviderState } from '../formats/hub'
import type { Invited } from '../people/tell-invited'
import type { VideoJob } from '../domain/video-job'
import type { KeyId, RequestId } from '../domain/ids'
import type { NanoUsd } from '../domain/money'
import type { Ms } from '../domain/clock'
import type { ErrorCode } from '../errors/codes'
import type { CheckedVendor } from '../catalogue/health/check'
import type { Alert } from '../errors/vendor-failure'
import type { Miscount } from '../ledger/watch'
import type { WatchedCall } from '../observability/live-calls'
import { topic, type ProcessBus } from '../processes/bus'

/** View of the other processes of the service from one of them. */
export interface Peers {
  /** The owner looks after what must be done once: videos, outboxes, checks of vendors, payments. */
  readonly role: 'owner' | 'front'
  readonly bus: ProcessBus
  openLedger(settings: LeasedLedgerParts['settings']): LeasedLedger
  /** Changes when something but calls was written; null where this process looks at the database itself. */
  readonly version: (() => number) | null
  /** This process took in what was written: the others are to do so. */
  taken(): void
}

/** Bus of this process; undefined where it is alone. */
export const busOf = ({
  peers,
  cluster,
}: {
  readonly peers?: Pick<Peers, 'bus'>
  readonly cluster?: Pick<Peers, 'bus'> | null
}): ProcessBus | undefined => peers?.bus ?? cluster?.bus

/** Running work of one process, or of all. */
export interface ServiceLoad {
  readonly runningCalls: number
  readonly held: NanoUsd
  readonly openStreams: number
}

/** Money of running calls in one scope. */
export interface HeldOf {
  readonly held: number
  readonly reserved: number
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

/** Topics on which processes ask and tell each other. */
export const peerTopics = {
  /** Something was changed by whoever asks: answered when all others know. */
  changed: topic<null, true>('changed'),
  /** Answered by whoever has heard what was told before. */
  heard: topic<null, true>('heard'),
  /** Everything that ended is written by all others when this is answered. */
  flush: topic<null, true>('flush'),
  /** What is held in scopes, by their names. */
  held: topic<readonly string[], readonly HeldOf[]>('held'),
  metrics: topic<null, { readonly process: string; readonly text: string }>('metrics'),
  load: topic<null, ServiceLoad>('load'),
  liveCalls: topic<null, { readonly calls: readonly WatchedCall[]; readonly forgotten: number }>(
    'live-calls',
  ),
  stopCall: topic<RequestId, boolean>('stop-call'),
  /** Somebody follows live calls for a while, and wants each change. */
  follow: topic<null>('follow'),
  followed: topic<readonly WatchedCall[]>('followed'),
  remember: topic<{ readonly place: string; readonly state: ProviderState }>('remember'),
  addresses: topic<AddressNews>('addresses'),
  untrusted: topic<UntrustedProxy>('untrusted'),
  unnamed: topic<string>('unnamed'),
  vendorEvents: topic<readonly VendorEvent[]>('vendor-events'),
  /** A job was accepted. */
  videoAdded: topic<null>('video-added'),
  video: topic<
    { readonly work: 'abandon' | 'cancel' | 'forget'; readonly job: VideoJob },
    { readonly job: VideoJob | null } | { readonly failed: true }
  >('video'),
  refused: topic<{ readonly key: KeyId; readonly code: ErrorCode; readonly needed: NanoUsd }>(
    'refused',
  ),
  /** Somebody was told by SMS of an invitation. */
  invited: topic<Invited>('invited'),
  miscounted: topic<Miscount>('miscounted'),
  serving: topic<{ readonly url: string; readonly operatorUrl: string }>('serving'),
  unfit: topic<{ readonly why: string; readonly code: string | null }>('unfit'),
}
