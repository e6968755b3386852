import type { Ms } from './clock'

/** Troubles of a vendor as a whole (`down`), or of one credential there. */
export const vendorTroubles = ['refuses_key', 'out_of_money', 'down'] as const
export type VendorTrouble = (typeof vendorTroubles)[number]

/** Balance of an account at a vendor, as it reports it. */
export interface VendorBalance {
  /** A decimal number. */
  readonly amount: string
  /** Three capital letters. */
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
}

/** A trouble that began, or ended (`back`). */
export interface TroubleTurn {
  readonly kind: VendorTrouble | 'back'
  readonly vendor: string
  /** Its name; `wholeVendor` for the vendor itself. */
  readonly credential: string
  /** When the trouble began, or ended. */
  readonly at: Ms
}
