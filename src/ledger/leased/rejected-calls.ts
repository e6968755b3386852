import { zeroUsd, type NanoUsd } from '../../domain/money'
import type { CallEnding, CallOpening } from '../../domain/record'
import { noUsage } from '../../domain/usage'
import type { LeasedEntry } from './exchanged-calls'
import type { SpoolPair } from './spool-pair'

/** A call that the engine rejected for good. */
export interface UnrecordedCall {
  readonly opening: CallOpening
  /** Cost that its ending would have charged. */
  readonly cost: NanoUsd
  readonly cause: unknown
}

interface RejectedCallsParts {
  readonly spools: Pick<SpoolPair, 'kept'>
  now(): number
  onUnrecorded?(call: UnrecordedCall): void
}

/** Charge of a call that an exchange brings. */
export const chargeOf = ({ slices, ending }: LeasedEntry) => ({
  slices,
  cost: ending?.cost ?? zeroUsd,
})

/** Calls that the engine rejects: each is written as a failed one that costs nothing, or not at all. */
export class RejectedCalls {
  /** Calls that were rejected as they were. */
  readonly #stripped = new WeakSet<LeasedEntry>()
  readonly #parts: RejectedCallsParts

  constructor(parts: RejectedCallsParts) {
    this.#parts = parts
  }

  /** Whether a call was rejected before, and is written as a failed one. */
  isStripped(entry: LeasedEntry): boolean {
    return this.#stripped.has(entry)
  }

  /**
   * Takes everything out of a rejected call but that it failed and costs nothing.
   * @returns false where there is nothing left to write of it
   */
  strip(entry: LeasedEntry, cause: unknown): boolean {
    const { spools, now, onUnrecorded } = this.#parts
    const { opening, ending, slices, spooled } = entry
    const isFirst = !this.isStripped(entry)
    this.#stripped.add(entry)
    const { cost } = chargeOf(entry)
    if (isFirst) onUnrecorded?.({ opening, cost, cause })
    for (const slice of slices) slice.drop(0, -cost, now())
    entry.owed = null
    entry.carried = null
    if (ending !== null && isFirst) {
      entry.ending = failedEnding(ending)
      return true
    }
    // Nothing of it is written later: its records are done with.
    if (spooled !== null) spools.kept(spooled)
    entry.spooled = null
    return false
  }
}

const failedEnding = ({ latencyMs, firstByteMs }: CallEnding): CallEnding => ({
  status: 'error',
  error: 'gateway_error',
  usage: noUsage,
  cost: zeroUsd,
  vendor: null,
  vendorModel: null,
  latencyMs,
  firstByteMs,
})
