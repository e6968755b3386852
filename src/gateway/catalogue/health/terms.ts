import { ticksAfter, type Ms, type Ticks } from '../../../domain/clock'

/** Thresholds of vendor health. Read at each look: they are settings. */
export interface HealthTerms {
  /** How long a vendor is not called before it is checked; null for never. */
  checkEveryMs(): number | null
  /** How long a vendor fails before it counts as down. */
  downAfterMs(): number
  /** From 0.5 to 1, so that not all are checked at once. */
  jitter(): number
}

/** Duration of a state that lasts as long as no check passes and nothing else changes. */
export const forever = Number.MAX_SAFE_INTEGER as Ticks
/** `forever` as it is stored. */
export const keptForever = Number.MAX_SAFE_INTEGER as Ms

/** A credential without money, or that nobody checks, is tried again after this. */
export const retryMs = 300_000
/** Cool-down after a missing permission, which says little of the credential's other calls. */
export const forbiddenMs = 60_000
/** Interval of checks of a vendor in trouble. */
export const troubledEveryMs = 30_000

/** Without checks, a call has to tell whether it is over. */
export const untilChecked = (now: Ticks, terms: HealthTerms): Ticks =>
  terms.checkEveryMs() === null ? ticksAfter(now, retryMs) : forever
