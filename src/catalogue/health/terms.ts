/** How patient the gateway is with vendors. Read at each look: they are settings. */
export interface HealthTerms {
  /** How long a vendor is not called before it is checked; null for never. */
  checkEveryMs(): number | null
  /** How long a vendor fails before it counts as down. */
  downAfterMs(): number
  /** From 0.5 to 1, so that not all are checked at once. */
  jitter(): number
}

/** As long as no check passes and nothing else changes. */
export const forever = Number.MAX_SAFE_INTEGER
