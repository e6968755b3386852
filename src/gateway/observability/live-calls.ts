import type { Ms } from '../../domain/clock'
import type { AccountId, KeyId, ProjectId, RequestId } from '../../domain/ids'
import type { EndpointName } from '../../domain/model'
import type { NanoUsd } from '../../domain/money'
import type { CallEnding, CallOpening } from '../../domain/record'
import type { CallObserver, ObservedRequest, RefusedCall } from './call-observer'

/** A route that was tried for a call. */
interface LiveAttempt {
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
  /** It can be ended in order. */
  readonly stoppable: boolean
}

/** Calls of all processes of the service. */
export interface WatchedCalls {
  /** Newest first, and how many that were over are forgotten. */
  list(): Promise<{ readonly calls: readonly WatchedCall[]; readonly forgotten: number }>
  /** @returns ends it */
  follow(changed: (call: WatchedCall) => void): () => void
  /** Ends a stream in order, or gives up a vendor that has not answered. @returns false where there is nothing to end */
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

interface LiveCallBook extends LiveCalls {
  readonly observer: CallObserver
}

const maxOver = 500
/** More are not shown while they run. */
const maxRunning = 5000
const maxAttempts = 20

/** A call as it is kept; what is shown is made for whoever looks. */
interface Kept {
  shown(): LiveCall
}

class MeteredCall implements Kept {
  opening: CallOpening
  ending: CallEnding | null = null
  /** Null before the first one. */
  attempts: LiveAttempt[] | null = null

  constructor(opening: CallOpening) {
    this.opening = opening
  }

  shown(): LiveCall {
    const { opening, ending } = this
    const attempts = this.attempts ?? []
    return {
      id: opening.id,
      began: opening.created,
      status: ending?.status ?? 'running',
      account: opening.account,
      project: opening.project,
      key: opening.key,
      endpoint: opening.endpoint,
      model: opening.model,
      vendor: ending?.vendor ?? attempts.at(-1)?.vendor ?? null,
      streamed: opening.streamed,
      address: opening.address,
      code: ending?.error ?? null,
      cost: ending?.cost ?? null,
      firstByteMs: ending?.firstByteMs ?? null,
      latencyMs: ending?.latencyMs ?? null,
      attempts: [...attempts],
    }
  }
}

/** The newest calls that are over, in a ring: an ordered map is slow to name its oldest entry. */
class NewestOver {
  readonly #ring: Kept[] = []
  #count = 0

  add(call: Kept): void {
    this.#ring[this.#count++ % maxOver] = call
  }

  forgotten(): number {
    return Math.max(0, this.#count - maxOver)
  }

  /** Oldest first. */
  list(): readonly Kept[] {
    const oldest = this.#count % maxOver
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)]
  }
}

/** Watches calls as they go by, in bounded memory. Every call passes here: nothing is copied for nobody. */
export function openLiveCalls(): LiveCallBook {
  const running = new Map<RequestId, MeteredCall>()
  const over = new NewestOver()
  const followers = new Set<(call: LiveCall) => void>()

  const tell = (kept: Kept) => {
    if (followers.size === 0) return
    const call = kept.shown()
    for (const changed of followers) changed(call)
  }
  const end = (kept: Kept) => {
    over.add(kept)
    tell(kept)
  }
  return {
    list: () =>
      [...running.values(), ...over.list()]
        .map((kept) => kept.shown())
        .toSorted((a, b) => b.began - a.began),
    forgotten: () => over.forgotten(),
    follow(changed) {
      followers.add(changed)
      return () => void followers.delete(changed)
    },
    observer: {
      began(opening) {
        if (running.size >= maxRunning) return
        const call = new MeteredCall(opening)
        running.set(opening.id, call)
        tell(call)
      },
      attempted({ route, began, tookMs, error }, { requestId }) {
        const call = running.get(requestId)
        if (call === undefined) return
        const attempts = (call.attempts ??= [])
        if (attempts.length >= maxAttempts) return
        const { vendor, vendorModel } = route
        const code = error?.code ?? null
        attempts.push({ vendor, vendorModel, began, over: (began + tookMs) as Ms, code })
        tell(call)
      },
      ended(opening, ending) {
        const call = running.get(opening.id) ?? new MeteredCall(opening)
        running.delete(opening.id)
        call.opening = opening
        call.ending = ending
        end(call)
      },
      refused(refusal, request) {
        if (refusal.held) return
        const call = refusedCall(refusal, request)
        end({ shown: () => call })
      },
    },
  }
}

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
