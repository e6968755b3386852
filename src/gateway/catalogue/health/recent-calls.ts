import type { Moment, Ms, Ticks } from '../../../domain/clock'
import { nearestRank, type RecentCalls, type RecentFailure } from '../../../domain/vendor-state'

/** Attempts that are kept of each vendor: a few kilobytes. */
const maxAttempts = 500
const maxFailures = 10
/** Age beyond which a call says little of a vendor. */
const windowMs = 3_600_000
/** How often the summary is written while a vendor is called. */
const writeEveryMs = 15_000

/** Last calls to one vendor: how long answers took, and how many failed. */
export class RecentAttempts {
  /** Milliseconds until the answer began; below zero for a failure. */
  readonly #took = new Float64Array(maxAttempts)
  readonly #at = new Float64Array(maxAttempts)
  #count = 0
  #failures: readonly RecentFailure[] = []
  /** As an earlier process left it, until there is something new. */
  #kept: RecentCalls | null = null
  #isChanged = false
  #written: Ticks | null = null

  answered(tookMs: number, at: Ms): void {
    this.#add(tookMs, at)
  }

  failed(failure: RecentFailure): void {
    this.#add(-1, failure.at)
    this.#failures = [failure, ...this.#failures].slice(0, maxFailures)
  }

  restore(kept: RecentCalls | null): void {
    this.#kept = kept
    this.#failures = kept?.lastFailures ?? []
  }

  /** Whether the summary is to be written by now. @param ending whatever was not written yet */
  isDue({ ticks }: Moment, ending: boolean): boolean {
    if (!this.#isChanged || ending || this.#written === null) return this.#isChanged
    return ticks - this.#written >= writeEveryMs
  }

  /** It was written. */
  wrote({ ticks }: Moment): void {
    this.#isChanged = false
    this.#written = ticks
  }

  /** Null where it was never called. */
  summary(): RecentCalls | null {
    const last = this.#at[(this.#count + maxAttempts - 1) % maxAttempts] ?? 0
    if (this.#count === 0) return this.#kept
    const kept = Math.min(this.#count, maxAttempts)
    const inWindow = Array.from({ length: kept }, (_, at) => at).filter(
      (at) => last - (this.#at[at] ?? 0) <= windowMs,
    )
    const took = inWindow.map((at) => this.#took[at] ?? -1)
    const answers = took.filter((ms) => ms >= 0).sort((a, b) => a - b)
    return {
      attempts: took.length,
      failures: took.length - answers.length,
      p50Ms: nearestRank(answers, 0.5),
      p95Ms: nearestRank(answers, 0.95),
      since: Math.min(...inWindow.map((at) => this.#at[at] ?? last)) as Ms,
      until: last as Ms,
      lastFailures: this.#failures,
    }
  }

  #add(took: number, now: Ms): void {
    const at = this.#count % maxAttempts
    this.#took[at] = took
    this.#at[at] = now
    this.#count++
    this.#isChanged = true
  }
}
