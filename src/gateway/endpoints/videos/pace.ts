import type { Random } from '../../../domain/clock'

/** Facts that decide when a job is polled next: its poll back-off. */
export interface PaceParts {
  /** How often its vendor's jobs are worth a look. */
  readonly paceMs: number
  /** Since it was asked for. */
  readonly ageMs: number
  /** Looks in a row that came to nothing. */
  readonly failures: number
  /** Vendor's `retry-after`; null when none. */
  readonly retryAfterMs: number | null
}

const maxMs = 120_000
/** Age from which a job is polled less often. */
const usualMs = 180_000
const longMs = 600_000
/** Jitter: jobs that were requested together drift apart. */
const spread = 0.4

/** The longest pause, unless a vendor asks for more. */
export const maxPauseMs = maxMs * (1 + spread / 2)

/** Milliseconds to wait before the next poll. */
export function pauseMs(
  { paceMs, ageMs, failures, retryAfterMs }: PaceParts,
  random: Random,
): number {
  const patience = ageMs < usualMs ? 1 : ageMs < longMs ? 2 : 3
  const base = Math.min(paceMs * patience * 2 ** Math.min(failures, 10), maxMs)
  return Math.max(base * (1 - spread / 2 + spread * random()), retryAfterMs ?? 0)
}
