import type { Clock, Ms } from '../domain/clock'
import type { AccountId, KeyId, ProjectId, RequestId } from '../domain/ids'
import type { EndpointName } from '../domain/model'
import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening } from '../domain/record'
import type { CallObserver, ObservedRequest, RefusedCall } from './call-observer'

/** A route that was tried for a call. */
export interface LiveAttempt {
  readonly vendor: string
  readonly vendorModel: string
  readonly began: Ms
  /** When it answered, failed or was given up. */
  readonly over: Ms
  /** Null when it answered, and when the client left before it could. */
  readonly code: string | null
}

export const liveStatuses = ['running', 'success', 'error', 'cancelled', 'refused'] as const

/** A call of this process, as it is at the moment. Metadata only. */
export interface LiveCall {
  readonly id: RequestId
  readonly began: Ms
  readonly status: (typeof liveStatuses)[number]
  /** Null where no key of ours was sent, as are `project` and `key`. */
  readonly account: AccountId | null
  readonly project: ProjectId | null
  readonly key: KeyId | null
  readonly endpoint: EndpointName | null
  /** Null of a refused call: it was not resolved. */
  readonly model: string | null
  readonly vendor: string | null
  readonly streamed: boolean
  readonly address: string
  readonly code: string | null
  readonly cost: NanoUsd | null
  readonly firstByteMs: number | null
  readonly latencyMs: number | null
  readonly attempts: readonly LiveAttempt[]
}

/** A call as whoever watches all processes of the service sees it. */
export interface WatchedCall extends LiveCall {
  /** It streams, and can be ended in order. */
  readonly stoppable: boolean
}

/** Calls of all processes of the service. */
export interface WatchedCalls {
  /** Newest first, and how many that were over are forgotten. */
  list(): Promise<{ readonly calls: readonly WatchedCall[]; readonly forgotten: number }>
  /** @returns ends it */
  follow(changed: (call: WatchedCall) => void): () => void
  /** Ends what streams in order. @returns false where there is nothing to end */
  stop(request: RequestId): Promise<boolean>
}

/** Calls of this process: those that run, and the newest that are over. */
export interface LiveCalls {
  /** Newest first. */
  list(): readonly LiveCall[]
  /** How many that were over are forgotten since the process began. */
  forgotten(): number
  /** @returns ends it */
  follow(changed: (call: LiveCall) => void): () => void
}

export interface LiveCallBook extends LiveCalls {
  readonly observer: CallObserver
}

const maxOver = 500
/** More are not shown while they run. */
const maxRunning = 5000
const maxAttempts = 20

/** Watches calls as they go by, in bounded memory. */
export function openLiveCalls(clock: Clock): LiveCallBook {
  const running = new Map<RequestId, LiveCall>()
  const over = new Map<RequestId, LiveCall>()
  const followers = new Set<(call: LiveCall) => void>()
  let forgotten = 0

  const tell = (call: LiveCall) => {
    for (const changed of followers) changed(call)
  }
  const run = (call: LiveCall) => {
    if (!running.has(call.id) && running.size >= maxRunning) return
    running.set(call.id, call)
    tell(call)
  }
  const end = (call: LiveCall) => {
    running.delete(call.id)
    over.delete(call.id)
    over.set(call.id, call)
    if (over.size > maxOver) {
      forgotten++
      for (const [oldest] of over) {
        over.delete(oldest)
        break
      }
    }
    tell(call)
  }
  return {
    list: () => [...running.values(), ...over.values()].toSorted((a, b) => b.began - a.began),
    forgotten: () => forgotten,
    follow(changed) {
      followers.add(changed)
      return () => void followers.delete(changed)
    },
    observer: {
      began: (opening) => run(runningCall(opening)),
      attempted({ route, began, failed, error }, { requestId }) {
        const call = running.get(requestId)
        if (call === undefined || call.attempts.length >= maxAttempts) return
        const { vendor, vendorModel } = route
        const code = error?.code ?? null
        const attempt = { vendor, vendorModel, began, over: failed ?? clock.now(), code }
        run({ ...call, vendor, attempts: [...call.attempts, attempt] })
      },
      ended(opening, ending) {
        const call = running.get(opening.id) ?? runningCall(opening)
        end(endedCall({ ...call, model: opening.model }, ending))
      },
      refused(refusal, request) {
        if (!refusal.held) end(refusedCall(refusal, request))
      },
    },
  }
}

const runningCall = (opening: CallOpening): LiveCall => ({
  id: opening.id,
  began: opening.created,
  status: 'running',
  account: opening.account,
  project: opening.project,
  key: opening.key,
  endpoint: opening.endpoint,
  model: opening.model,
  vendor: null,
  streamed: opening.streamed,
  address: opening.address,
  code: null,
  cost: null,
  firstByteMs: null,
  latencyMs: null,
  attempts: [],
})

const endedCall = (
  call: LiveCall,
  { status, vendor, error, cost, firstByteMs, latencyMs }: CallEnding,
): LiveCall => ({
  ...call,
  status,
  vendor: vendor ?? call.vendor,
  code: error,
  cost,
  firstByteMs,
  latencyMs,
})

function refusedCall(
  { error, endpoint, caller: known }: RefusedCall,
  { requestId, received, address }: ObservedRequest,
): LiveCall {
  const caller = known ?? error.caller
  return {
    id: requestId,
    began: received,
    status: 'refused',
    account: caller?.account.id ?? null,
    project: caller?.project.id ?? null,
    key: caller?.key.id ?? null,
    endpoint,
    model: null,
    vendor: null,
    streamed: false,
    address,
    code: error.code,
    cost: null,
    firstByteMs: null,
    latencyMs: null,
    attempts: [],
  }
}
