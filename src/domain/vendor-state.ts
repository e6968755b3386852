import type { Ms } from './clock'

/** Troubles of a vendor as a whole (`down`), or of one credential there. */
export const vendorTroubles = ['refuses_key', 'out_of_money', 'down'] as const
export type VendorTrouble = (typeof vendorTroubles)[number]

/** Balance of an account at a vendor, as it reports it. */
export interface VendorBalance {
  /** A decimal number. */
  readonly amount: string
  /** Three capital letters, or the unit where a vendor sells no money's worth: `characters`. */
  readonly currency: string
}

/** Stands for the vendor itself in the place of a credential's name. */
export const wholeVendor = ''

/** Health of a vendor, or of one credential there, as the serving gateway knows it. */
export interface VendorState {
  readonly vendor: string
  /** Its name; `wholeVendor` where it is of the vendor itself. */
  readonly credential: string
  readonly trouble: VendorTrouble | null
  /** When that began. */
  readonly since: Ms | null
  /** Until when other routes are tried before; null while there is no trouble. */
  readonly coolingUntil: Ms | null
  readonly balance: VendorBalance | null
  /** When it was last asked without a call. */
  readonly checked: Ms | null
  /** Code of the last failure, and when that was. */
  readonly failureCode: string | null
  readonly failedAt: Ms | null
  /** Of the vendor itself: null for a credential, and where it was never called. */
  readonly recent: RecentCalls | null
}

/** Code of a failure, with the vendor's HTTP status where it answered. */
export interface RecentFailure {
  readonly code: string
  readonly status: number | null
  readonly at: Ms
}

/** The last calls to a vendor, a bounded number of them within an hour. Checks are none. */
export interface RecentCalls {
  readonly attempts: number
  /** Attempts that failed by the vendor's fault. */
  readonly failures: number
  /** Milliseconds until an answer began, half and 19 of 20 of the answers; null without answers. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  /** When the first and the last of them were. */
  readonly since: Ms
  readonly until: Ms
  /** Newest first; they may be older than the calls. */
  readonly lastFailures: readonly RecentFailure[]
}

/** The smallest value that at least this share is not above. @param sorted ascending */
export const nearestRank = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null

/** A trouble that began, or ended (`back`). */
export interface TroubleTurn {
  readonly kind: VendorTrouble | 'back'
  readonly vendor: string
  /** Its name; `wholeVendor` for the vendor itself. */
  readonly credential: string
  /** When the trouble began, or ended. */
  readonly at: Ms
}
