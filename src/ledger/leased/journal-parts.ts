import type { EndingSpool } from '../ending-spool'
import type { Engine, LeaseExchange } from './exchange'
import type { Gathered, LeasedEntry } from './exchanged-calls'
import type { NodeSlices } from './node-slices'
import type { UnrecordedCall } from './rejected-calls'
import type { Spooled } from './spool-pair'

export interface LeasedJournalParts {
  readonly engine: Engine
  readonly slices: NodeSlices
  readonly spools: readonly [EndingSpool, EndingSpool] | null
  /** Milliseconds for which what ends now waits for more. */
  readonly flushMs: number
  /** How long a call runs, at least, before it is written as pending; at most twice as long. */
  readonly pendingAfterMs: number
  /** A node that has nothing to say says so after so long; null where nobody waits for it. */
  readonly beatMs: number | null
  now(): number
  /** Told when an exchange failed; it is tried again. */
  onFault(fault: unknown): void
  /** Told once, when what this process holds counts no more. */
  onFenced?(): void
  /** The engine cannot write a call; it is recorded as a failed one that costs nothing, or not at all. */
  onUnrecorded?(call: UnrecordedCall): void
}

/** An exchange on its way, with what its answer settles. */
export interface Flight {
  readonly exchange: LeaseExchange
  readonly gathered: Gathered | null
  /** Records that the exchange keeps, of each call. */
  readonly spooled: readonly SpooledCall[]
  readonly told: Flushed[]
}

export type SpooledCall = readonly [entry: LeasedEntry, counts: Spooled]

/** Who waits for everything so far to be kept. */
export interface Flushed {
  resolve(): void
  reject(fault: unknown): void
}
