import type { Caller } from '../../domain/caller'
import type { Ms } from '../../domain/clock'
import type { RequestId } from '../../domain/ids'
import type { EndpointName, Route, VendorConfig } from '../../domain/model'
import type { CallEnding, CallOpening } from '../../domain/record'
import type { GatewayError } from '../../errors/gateway-error'

/** Client's request as an observer may see it: nothing that was said in it. */
export interface ObservedRequest {
  readonly requestId: RequestId
  readonly received: Ms
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly headers: { get(name: string): string | null }
  /** Of the client. */
  readonly address: string
}

/** One route that was tried, up to its vendor's answer. */
export interface VendorAttempt {
  readonly route: Route
  readonly config: VendorConfig
  readonly began: Ms
  /** Until it was answered, failed or was given up, in milliseconds. */
  readonly tookMs: number
  /** When it failed or was given up; null when it answered and so goes on. */
  readonly failed: Ms | null
  /** Null when it answered, and when the client left before it could. */
  readonly error: GatewayError | null
  /** The route that failed before, so that this one was tried; null for the first. */
  readonly instead: Route | null
}

/** An error that a client was answered with. */
export interface RefusedCall {
  readonly error: GatewayError
  /** Null when no key of ours was sent, or the error knows whose it was. */
  readonly caller: Caller | null
  /** Null when it was no metered call, or the key was not known yet. */
  readonly endpoint: EndpointName | null
  /** Whether money was held by then: such a call is told of by `ended` too. */
  readonly held: boolean
}

/** An answer that broke off in the middle. */
interface BrokenAnswer {
  readonly vendor: string | null
  /** Cause: the connection, silence, bytes that are not the format, an operator, the end of the process. */
  readonly error: GatewayError
}

/** An answer of a tier, a speed or a region of its own. */
interface ServedAnswer {
  readonly vendor: string
  readonly model: string
  /** As of `Usage`. */
  readonly served: readonly string[]
}

/** Observer of calls. It must not throw, and what it does is part of every call's cost. */
export interface CallObserver {
  /** Money is held for a call. */
  began?(opening: CallOpening, request: ObservedRequest): void
  attempted(attempt: VendorAttempt, request: ObservedRequest): void
  /** An answer that had begun broke off: what its client got is charged. */
  broke?(answer: BrokenAnswer, request: ObservedRequest): void
  /** A vendor says that it served a call by what its cost card has no price for, or above what the customer pays. */
  served?(answer: ServedAnswer): void
  /** A call whose money was held is over, one way or the other; told once of each. */
  ended(opening: CallOpening, ending: CallEnding, request: ObservedRequest): void
  refused(refusal: RefusedCall, request: ObservedRequest): void
}

/** Several observers as one. */
export const joinObservers = (observers: readonly CallObserver[]): CallObserver => ({
  began(opening, request) {
    for (const each of observers) each.began?.(opening, request)
  },
  attempted(attempt, request) {
    for (const each of observers) each.attempted(attempt, request)
  },
  broke(answer, request) {
    for (const each of observers) each.broke?.(answer, request)
  },
  served(answer) {
    for (const each of observers) each.served?.(answer)
  },
  ended(opening, ending, request) {
    for (const each of observers) each.ended(opening, ending, request)
  },
  refused(refusal, request) {
    for (const each of observers) each.refused(refusal, request)
  },
})
