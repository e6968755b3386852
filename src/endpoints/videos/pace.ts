import type { Random } from '../../domain/clock'

/** What decides when a job is looked at next. */
interface PaceParts {
  /** How often its vendor's jobs are worth a look. */
  readonly paceMs: number
  /** Since it was asked for. */
  readonly ageMs: number
  /** Looks in a row that came to nothing. */
  readonly failures: number
  /** What the vendor asked for; null when nothing. */
  readonly retryAfterMs: number | null
}

const longestMs = 120_000
/** What is not made in the usual time is looked at less often. */
const usualMs = 180_000
const longMs = 600_000
/** Jobs that were asked for together drift apart. */
const spread = 0.4

/** How long to wait before the next look. */
export function pauseMs(
  { paceMs, ageMs, failures, retryAfterMs }: PaceParts,
  random: Random,
): number {
  const patience = ageMs < usualMs ? 1 : ageMs < longMs ? 2 : 3
  const base = Math.min(paceMs * patience * 2 ** Math.min(failures, 10), longestMs)
  return Math.max(base * (1 - spread / 2 + spread * random()), retryAfterMs ?? 0)
}
