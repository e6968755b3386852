import type { Monotonic, Ticks } from '../../domain/clock'
import type { LeasedLedger } from '../../ledger/leased/leased-contract'
import type { Asked, HoldResult, Slice } from '../../ledger/leased/slice'
import { openBuckets, take } from '../../gateway/limits/token-bucket'

interface FallbackParts {
  readonly monotonic: Monotonic
  readonly ledger: Pick<LeasedLedger, 'slices' | 'grantingOf' | 'urge' | 'now'>
  /** Processes that share the limits, as they were counted last. */
  nodes(): number
}

/** Whoever answers exchanges is away when one waits for so long. */
const awayAfterMs = 500
const lookAgainMs = 100

/**
 * Limits while nobody answers exchanges: a limit protects less then and closes nothing, since each process goes
 * on with its part of it. Only until the fence, behind which nothing is sold.
 */
export class LimitFallback {
  readonly #share: FallbackShare
  readonly #parts: FallbackParts

  constructor(parts: FallbackParts) {
    this.#parts = parts
    this.#share = openFallbackShare(parts.nodes)
  }

  /** One of a limit, from its slice, or from this process's part while nobody answers. */
  async grantingOf(asked: Asked, slice: Slice): Promise<HoldResult> {
    if (slice.free() < 1 && this.#isAway()) return this.#takePart(slice)
    const granting = this.#parts.ledger.grantingOf(asked)
    if (slice.line.length === 0) return await granting
    return (await this.#unlessAway(granting, slice)) ?? this.#takePart(slice)
  }

  #isAway(): boolean {
    const { ledger } = this.#parts
    return ledger.slices.unansweredMs(ledger.now()) > awayAfterMs
  }

  /** @returns null where nobody answers: what comes after all is nobody's */
  async #unlessAway(granting: Promise<HoldResult>, slice: Slice): Promise<HoldResult | null> {
    const away = Promise.withResolvers<null>()
    const timer = setInterval(() => {
      if (this.#isAway()) away.resolve(null)
    }, lookAgainMs)
    const first = await Promise.race([granting, away.promise])
    clearInterval(timer)
    if (first === null) void this.#giveBackOnce(granting, slice)
    return first
  }

  async #giveBackOnce(granting: Promise<HoldResult>, slice: Slice): Promise<void> {
    if ((await granting).how !== 'granted') return
    const { ledger } = this.#parts
    slice.holds--
    ledger.slices.drop([slice], 1, 0, ledger.now())
    ledger.urge()
  }

  #takePart(slice: Slice): HoldResult {
    const { ledger, monotonic } = this.#parts
    const { kind } = slice.scope
    if (!ledger.slices.isTrusted(ledger.now())) return { how: 'unavailable' }
    const limit = slice.limit ?? 0
    const isMine =
      kind === 'seats'
        ? slice.held < this.#share.of(limit)
        : this.#share.take(slice.name, limit, monotonic.ticks())
    if (!isMine) return { how: 'refused', by: slice }
    slice.holds++
    slice.take(1, ledger.now())
    // The next exchange takes what is held beyond the slice.
    slice.refill = true
    ledger.slices.stir(slice)
    return { how: 'granted', reserved: 0, metered: false }
  }
}

/** Share of a limit that one of several processes may use while the use of all is unknown. */
interface FallbackShare {
  /** This process's part of a limit; at least one. */
  of(limit: number): number
  /** Takes one of its part of a limit a minute. @returns false where none is left */
  take(name: string, limit: number, now: Ticks): boolean
}

/** @param nodes processes that share the limits, as they were counted last */
function openFallbackShare(nodes: () => number): FallbackShare {
  const buckets = openBuckets<string>()
  const of = (limit: number): number => Math.max(1, Math.floor(limit / nodes()))
  return {
    of,
    take(name, limit, now) {
      const part = of(limit)
      return take(buckets.of(name, part, now), part, now) === 0
    },
  }
}
