import type { CallObserver } from './call-observer'

/** Counts of spans: sent, dropped, failed. */
export interface SpanCounts {
  readonly exported: number
  /** The collector did not take them. */
  readonly failed: number
  /** They came while too many were waiting. */
  readonly dropped: number
}

/** Calls as traces, on their way to a collector. */
export interface Traces {
  readonly observer: CallObserver
  counts(): SpanCounts
  /** Sends what waits, for a while; what is left then is given up. */
  close(): Promise<void>
}
